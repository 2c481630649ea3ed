package dicehill.bridge;

/** The bridge cannot start, because of its arguments or the author's classes. */
final class BadUsage extends Exception {
    private static final long serialVersionUID = 1;

    BadUsage(String what) {
        super(what);
    }
}
