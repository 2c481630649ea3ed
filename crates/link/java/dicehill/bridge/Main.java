package dicehill.bridge;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Runs a player for a challenge's published Java interface in the arena.
 *
 * <p>{@code --game yahtzee|liars-dice --classes PATH[:PATH...] [--class NAME] [--inspect]}
 *
 * <p>Exit codes: 0 the arena sent bye or closed the pipe, 1 the bot failed, 2 there is no player to start, 3 the heap
 * of the JVM is used up, 4 its memory outside the heap.
 */
public final class Main {
    static final int DONE = 0, FAILED = 1, BAD_USAGE = 2, OUT_OF_HEAP = 3, OUT_OF_DIRECT_MEMORY = 4;

    private Main() {}

    public static void main(String[] arguments) {
        // Only the protocol uses the real streams: what the bot prints goes to its log, and it has no input.
        FileOutputStream out = new FileOutputStream(FileDescriptor.out);
        PrintStream err = new LogStream(new FileOutputStream(FileDescriptor.err));
        System.setErr(err);
        System.setOut(err);
        System.setIn(InputStream.nullInputStream());
        EndWatch watch = EndWatch.begin(err);
        int code = FAILED;
        try {
            code = run(arguments, out, err, watch);
        } catch (OutOfMemoryError error) {
            code = OUT_OF_HEAP;
        } catch (Throwable thrown) {
            err.println("dicehill: the bridge failed: " + thrown);
        } finally {
            err.flush();
            // Threads that the bot left running would keep the process alive.
            Runtime.getRuntime().halt(code);
        }
    }

    private static int run(String[] arguments, FileOutputStream out, PrintStream err, EndWatch watch)
            throws IOException {
        Output output = new Output(out);
        boolean inspects = false;
        try {
            Options options = Options.parse(arguments);
            inspects = options.inspect;
            begin(options, output, err, watch);
            return DONE;
        } catch (BotFailure failure) {
            int code = failure.exitCode();
            failure.print(err);
            return code;
        } catch (BadUsage | ReflectiveOperationException | LinkageError e) {
            String why = e instanceof BadUsage ? e.getMessage() : e.toString();
            if (inspects) {
                Inspection.writeError(why, output);
                return DONE;
            }
            err.println("dicehill: " + why);
            return BAD_USAGE;
        } catch (BadLine e) {
            err.println("dicehill: cannot read the arena's line: " + e.getMessage());
            return FAILED;
        }
    }

    private static void begin(Options options, Output output, PrintStream err, EndWatch watch)
            throws IOException, BadUsage, BotFailure, ReflectiveOperationException {
        PublishedGame game = options.game();
        BotFiles files = files(options);
        String playerClass = new PlayerClass(files, game.playerClass()).find(options.playerClass);
        List<Found> statics = new MutableStatics(files).find();
        SharedState state = new SharedState(files);
        state.find(playerClass);
        Seats seats = new Seats(game, files, playerClass, !statics.isEmpty(), state.initialised());
        try {
            seats.load();
        } catch (NoSuchMethodException e) {
            throw new BadUsage("the player class lacks the constructor " + e.getMessage());
        }
        if (options.inspect) {
            Inspection.write(playerClass, statics, state, output);
        } else {
            LineInput input = new LineInput(new FileInputStream(FileDescriptor.in));
            SharedRandomness randomness = randomness(state.randomUses());
            boolean separatesGames = state.uses().isEmpty() && randomness != null;
            Session session = new Session(game.name(), seats, separatesGames, randomness, input, output, err);
            watch.answerIn(session);
            session.run();
        }
    }

    /** The generators behind these uses; null if this JVM has others, so that each game needs a process of its own. */
    private static SharedRandomness randomness(List<Found> uses) {
        try {
            return SharedRandomness.of(uses);
        } catch (ReflectiveOperationException | RuntimeException e) {
            return null;
        }
    }

    private static BotFiles files(Options options) throws BadUsage {
        try {
            return new BotFiles(options.classes);
        } catch (IOException e) {
            throw new BadUsage(e.getMessage());
        }
    }
}
