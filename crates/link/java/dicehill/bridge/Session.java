package dicehill.bridge;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;

/** One session with the arena, from the first message to the last. */
final class Session {
    private static final byte[] READY = "{\"type\":\"ready\",\"inflight\":".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] ERROR = ",\"error\":".getBytes(StandardCharsets.US_ASCII);
    private static final int IN_FLIGHT = 64;
    static final long NO_GAME = -1;

    private final String game;
    private final Seats seats;
    /** Whether games in one process are isolated from each other. */
    private final boolean separatesGames;
    /** What is renewed before each request, unless games share their state or have processes of their own. */
    private final SharedRandomness randomness;
    private final LineInput input;
    private final Output output;
    /** The bot's log, whatever the bot made of {@link System#err}. */
    private final PrintStream err;
    private final Message message = new Message();

    /** The requests in flight to be declared with ready; 0 if it was said, or is not to be said. */
    private int inFlight;
    /** Where the answer that is being made begins in the output; -1 outside of turns. */
    private int answerStart = -1;
    private TimeLimits limits;

    Session(String game, Seats seats, boolean separatesGames, SharedRandomness randomness, LineInput input,
            Output output, PrintStream err) {
        this.game = game;
        this.seats = seats;
        this.separatesGames = separatesGames;
        this.randomness = randomness;
        this.input = input;
        this.output = output;
        this.err = err;
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
            // No game has come with the hello, and none may come before this line.
            getReady(NO_GAME, 0);
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
    private boolean handle() throws IOException, BotFailure, BadUsage {
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
        RunRules.set(message.rules);
        boolean set = "set".equals(message.memory);
        seats.liveOn(set);
        // Without the line ready, a process plays one game only.
        inFlight = set ? 1 : separatesGames ? IN_FLIGHT : 0;
        limits = new TimeLimits(message.startMs, message.moveMs);
    }

    private final Runnable renewal = new Runnable() {
        @Override
        public void run() {
            renewRandomness();
        }
    };

    private void renewRandomness() {
        if (separatesGames && !seats.livesOn()) {
            randomness.renew();
        }
    }

    private void start() throws BotFailure {
        renewRandomness();
        try {
            seats.announce(message.game, message.players);
        } catch (Throwable thrown) {
            throw new BotFailure("game " + message.game, thrown);
        }
        getReady(message.game, message.players);
    }

    /** Says ready, if that is still to be said, once classes are initialised and a player was made. */
    private void getReady(long number, int players) throws BotFailure {
        if (inFlight == 0) {
            return;
        }
        int ready = inFlight;
        inFlight = 0;
        boolean isQuick;
        try {
            isQuick = seats.makeFirst(number, players, limits, renewal);
            renewRandomness();
            seats.initialiseClasses();
        } catch (Throwable thrown) {
            throw new BotFailure(number == NO_GAME ? "before the first game" : "game " + number, thrown);
        }
        // A process whose player takes long to make plays one game, so that each has the time for the start.
        if (isQuick || seats.livesOn()) {
            output.raw(READY).number(ready).raw('}').raw('\n');
        }
    }

    private void turn() throws IOException, BotFailure {
        int players = message.scores != null ? message.scores.length : message.counts != null ? message.counts.length : 0;
        getReady(message.game, players);
        renewRandomness();
        answerStart = output.length();
        try {
            seats.at(message.game, players).answer(message, output);
        } catch (BadLine e) {
            throw e;
        } catch (Throwable thrown) {
            output.cutTo(answerStart);
            fail(thrown);
        }
        answerStart = -1;
    }

    /** Answers the request of this turn with an error, and sends all answers. */
    void answerWithError(String why) {
        if (answerStart < 0) {
            return;
        }
        output.cutTo(answerStart);
        try {
            addError(why);
            output.flush();
        } catch (IOException e) {
            err.println("dicehill: cannot answer: " + e.getMessage());
        }
    }

    private void addError(String why) {
        Seat.startAnswer(output, message.id);
        output.raw(ERROR).text(why).raw('}').raw('\n');
    }

    /** Reports a game's failure to the arena. The other games continue, unless the failure may have affected them. */
    private void fail(Throwable thrown) throws IOException, BotFailure {
        if (Thrown.isOutOfMemory(thrown)) {
            seats.clear();
        } else {
            seats.end(message.game);
        }
        BotFailure failure = new BotFailure("game " + message.game + ", request " + message.id, thrown);
        // Other games may have used up the memory, so that the arena has to find out which one did.
        if (failure.isOutOfMemory()) {
            throw failure;
        }
        addError(Thrown.text(thrown));
        // In a set, games share their classes as they did in the original.
        if (Thrown.affectsOtherGames(thrown) && !seats.livesOn()) {
            throw failure;
        }
        failure.print(err);
    }

    private void printError() {
        String request = message.id < 0 ? "" : " (request " + message.id + ")";
        System.err.println("dicehill: the arena says: " + message.why + request);
    }
}
