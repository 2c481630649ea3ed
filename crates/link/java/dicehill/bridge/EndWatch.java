package dicehill.bridge;

import java.io.PrintStream;
import java.util.Map;

/**
 * Reports a bot that ends the JVM. Java can no longer forbid {@code System.exit}, so this shutdown hook prints
 * the stack trace of the call, answers the request in which it was made with an error, and changes the exit code to
 * that of a failure. It does not see {@code Runtime.halt}: the arena then reports a process that exited.
 */
final class EndWatch extends Thread {
    private final PrintStream err;
    /** The thread that answers requests. */
    private final Thread answering;
    private volatile Session session;

    private EndWatch(PrintStream err, Thread answering) {
        this.err = err;
        this.answering = answering;
    }

    static EndWatch begin(PrintStream err) {
        EndWatch watch = new EndWatch(err, Thread.currentThread());
        Runtime.getRuntime().addShutdownHook(watch);
        return watch;
    }

    /** Has this session answer with an error if the bot ends the JVM in a turn. */
    void answerIn(Session session) {
        this.session = session;
    }

    @Override
    public void run() {
        for (Map.Entry<Thread, StackTraceElement[]> entry : Thread.getAllStackTraces().entrySet()) {
            String exit = Thrown.exit(entry.getValue());
            if (exit != null) {
                print(entry.getKey(), entry.getValue());
                // That thread waits for this one, so that its session is as it left it.
                if (entry.getKey() == answering && session != null) {
                    session.answerWithError(exit);
                }
                Runtime.getRuntime().halt(Main.FAILED);
            }
        }
    }

    private void print(Thread thread, StackTraceElement[] trace) {
        err.println("dicehill: the bot ended the JVM, in the thread " + thread.getName());
        for (StackTraceElement frame : trace) {
            err.println("\tat " + frame);
        }
        err.flush();
    }
}
