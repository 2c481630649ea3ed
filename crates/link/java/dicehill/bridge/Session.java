package dicehill.bridge;

import java.io.IOException;
import java.nio.charset.StandardCharsets;

/** One session with the arena, from the first message to the last. */
final class Session {
    private static final byte[] READY = "{\"type\":\"ready\",\"inflight\":".getBytes(StandardCharsets.US_ASCII);
    private static final int IN_FLIGHT = 64;

    private final String game;
    private final Seats seats;
    /** Whether games in one process are isolated from each other. */
    private final boolean separatesGames;
    private final LineInput input;
    private final Output output;
    private final Message message = new Message();

    Session(String game, Seats seats, boolean separatesGames, LineInput input, Output output) {
        this.game = game;
        this.seats = seats;
        this.separatesGames = separatesGames;
        this.input = input;
        this.output = output;
    }

    /** Answers until the arena sends bye or closes the pipe. */
    void run() throws IOException, BotFailure, BadUsage {
        try {
            converse();
        } finally {
            // Answers before a failure still count.
            output.flush();
        }
    }

    private void converse() throws IOException, BotFailure, BadUsage {
        while (input.fill()) {
            output.startWaiting();
            while (input.nextLine()) {
                if (input.from() < input.to() && !isBlank() && !handle()) {
                    return;
                }
                output.flushIfDue();
            }
            output.flush();
        }
    }

    private boolean isBlank() {
        for (int index = input.from(); index < input.to(); index++) {
            if (input.bytes()[index] != ' ' && input.bytes()[index] != '\t') {
                return false;
            }
        }
        return true;
    }

    /** False if the session is over. */
    private boolean handle() throws BotFailure, BadUsage {
        message.read(input.bytes(), input.from(), input.to());
        switch (message.type) {
            case TURN:
                turn();
                return true;
            case START:
                start();
                return true;
            case END:
                seats.end(message.game);
                return true;
            case HELLO:
                hello();
                return true;
            case ERROR:
                printError();
                return true;
            case BYE:
                return false;
            default:
                return true;
        }
    }

    private void hello() throws BadUsage {
        if (message.gameName != null && !message.gameName.equals(game)) {
            throw new BadUsage("the arena plays " + message.gameName + ", the bot " + game);
        }
        boolean set = "set".equals(message.memory);
        seats.liveOn(set);
        // Without this line, a process plays one game only.
        if (set || separatesGames) {
            output.raw(READY).number(set ? 1 : IN_FLIGHT).raw('}').raw('\n');
        }
    }

    private void start() throws BotFailure {
        try {
            seats.start(message.game, message.players);
        } catch (Throwable thrown) {
            throw new BotFailure("game " + message.game, thrown);
        }
    }

    private void turn() throws BotFailure {
        try {
            int players = message.scores != null ? message.scores.length : message.counts != null ? message.counts.length : 0;
            seats.at(message.game, players).answer(message, output);
        } catch (BadLine e) {
            throw e;
        } catch (Throwable thrown) {
            seats.clear();
            throw new BotFailure("game " + message.game + ", request " + message.id, thrown);
        }
    }

    private void printError() {
        String request = message.id < 0 ? "" : " (request " + message.id + ")";
        System.err.println("dicehill: the arena says: " + message.why + request);
    }
}
