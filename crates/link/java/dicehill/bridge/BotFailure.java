package dicehill.bridge;

import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/** The author's code threw something. */
final class BotFailure extends Exception {
    private static final long serialVersionUID = 1;
    /** The arena shows the end of the log, from which a longer trace would push the message. */
    private static final int SHORT_TRACE = 20;

    private final transient Throwable thrown;

    /** The exception, and the game and request that it occurred in. */
    BotFailure(String where, Throwable thrown) {
        super("dicehill: " + where + ": " + thrown.getClass().getName(), null, false, false);
        this.thrown = thrown;
    }

    boolean isOutOfMemory() {
        return Thrown.isOutOfMemory(thrown);
    }

    /** The exit code of a process that ends with this failure. */
    int exitCode() {
        int ofMemory = Thrown.isOutOfDirectMemory(thrown) ? Main.OUT_OF_DIRECT_MEMORY : Main.OUT_OF_HEAP;
        return isOutOfMemory() ? ofMemory : Main.FAILED;
    }

    void print(PrintStream err) {
        err.println(getMessage());
        StringWriter trace = new StringWriter();
        thrown.printStackTrace(new PrintWriter(trace, true));
        err.print(trace);
        if (trace.toString().lines().count() > SHORT_TRACE) {
            err.println(getMessage());
        }
        err.flush();
    }
}
