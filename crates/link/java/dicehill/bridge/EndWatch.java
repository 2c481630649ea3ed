package dicehill.bridge;

import java.io.PrintStream;
import java.util.Map;

/**
 * Reports a bot that ends the JVM. Java can no longer forbid {@code System.exit}, so this shutdown hook prints
 * the stack trace of the call, and changes the exit code to that of a failure. It does not see
 * {@code Runtime.halt}: the arena then reports a process that exited.
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
