package dicehill;

import java.util.function.Supplier;

/** The author's code threw something: says where in the run, and holds what. */
final class BotFailure extends Exception {
    private static final long serialVersionUID = 1;

    private static final int FRAMES = 3;
    private static final int LONGEST = 300;

    private BotFailure(String where, Throwable thrown) {
        super("dicehill: " + where + ": " + thrown.getClass().getName(), thrown);
    }

    /** Does what a message asks for. */
    static String guard(Message message, Supplier<String> work) throws BotFailure {
        try {
            return work.get();
        } catch (Exception | StackOverflowError | OutOfMemoryError | LinkageError | AssertionError thrown) {
            throw new BotFailure(where(message), thrown);
        }
    }

    /** Whether the other games can go on: what is wrong with memory or classes may be their doing. */
    boolean endsItsGameAlone() {
        return !(getCause() instanceof OutOfMemoryError || getCause() instanceof LinkageError);
    }

    /** Writes it to the log. */
    void print() {
        System.err.println(getMessage());
        getCause().printStackTrace();
    }

    /** What was thrown and its first frames in the author's code, for the board. */
    String text() {
        StringBuilder text = new StringBuilder(getCause().toString());
        text.setLength(Math.min(text.length(), LONGEST));
        // Where a stack ends depends on what was compiled by then.
        int frames = getCause() instanceof StackOverflowError ? 0 : FRAMES;
        String before = " at ";
        for (StackTraceElement frame : getCause().getStackTrace()) {
            if (frames-- == 0 || frame.getClassName().equals("dicehill.Session")) {
                break;
            }
            text.append(before).append(frame.getClassName()).append('.').append(frame.getMethodName());
            text.append('(').append(frame.getFileName()).append(':').append(frame.getLineNumber()).append(')');
            before = ", ";
        }
        return text.toString();
    }

    private static String where(Message message) {
        String what = message.has("id") ? "request " + message.number("id") : message.type();
        return what.equals("hello") ? "at hello" : "game " + message.number("game") + ", " + what;
    }
}
