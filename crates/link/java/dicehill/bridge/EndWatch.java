package dicehill.bridge;

import java.io.PrintStream;
import java.util.Map;

/**
 * Names the bot that ends the JVM. Java no longer lets anybody forbid {@code System.exit}, so this runs when
 * it is too late, prints who did it, and makes the exit code that of a failure. {@code Runtime.halt} leaves no
 * trace: the arena sees a process that ended by itself.
 */
final class EndWatch extends Thread {
    private final PrintStream err;

    private EndWatch(PrintStream err) {
        this.err = err;
    }

    static void begin(PrintStream err) {
        Runtime.getRuntime().addShutdownHook(new EndWatch(err));
    }

    @Override
    public void run() {
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            if (callsExit(entry.getValue())) {
                print(entry.getKey(), entry.getValue());
                Runtime.getRuntime().halt(Main.FAILED);
            }
        }
    }

    private static boolean callsExit(StackTraceElement[] trace) {
        for (StackTraceElement frame : trace) {
            if (frame.getClassName().equals("java.lang.Runtime") && frame.getMethodName().equals("exit")) {
                return true;
            }
        }
        return false;
    }

    private void print(Thread thread, StackTraceElement[] trace) {
        err.println("dicehill: the bot ended the JVM, in the thread " + thread.getName());
        for (StackTraceElement frame : trace) {
            err.println("\tat " + frame);
        }
        err.flush();
    }
}
