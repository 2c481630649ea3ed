package dicehill.bridge;

/** The bridge cannot begin: the arguments or the author's classes are not what it needs. */
final class BadUsage extends Exception {
    private static final long serialVersionUID = 1;

    BadUsage(String what) {
        super(what);
    }
}
