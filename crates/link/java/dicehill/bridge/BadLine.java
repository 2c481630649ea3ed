package dicehill.bridge;

/** A line that is not what the protocol says. */
public final class BadLine extends RuntimeException {
    private static final long serialVersionUID = 1;

    public BadLine(String what) {
        super(what);
    }
}
