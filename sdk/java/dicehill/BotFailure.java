package dicehill;

import java.util.function.Supplier;

/** The author's code threw something: says where in the run, and holds what. */
final class BotFailure extends Exception {
    private static final long serialVersionUID = 1;

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

    private static String where(Message message) {
        String what = message.has("id") ? "request " + message.number("id") : message.type();
        return what.equals("hello") ? "at hello" : "game " + message.number("game") + ", " + what;
    }
}
