package dicehill.bridge;

import java.util.concurrent.TimeUnit;

/** How long the arena waits, as far as the bridge plans with it. */
final class TimeLimits {
    /** A player that takes a larger share of the time for a move to be made is made in the time for the start. */
    private static final int SHARE_OF_MOVE = 8;
    /** A player is not made again to measure it if that would take a larger share of the time for the start. */
    private static final int SHARE_OF_START = 3;

    private final long startNanos;
    private final long moveNanos;

    /** The limits in milliseconds; 0 is no limit. */
    TimeLimits(long startMs, long moveMs) {
        startNanos = startMs == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(startMs);
        moveNanos = moveMs == 0 ? Long.MAX_VALUE : TimeUnit.MILLISECONDS.toNanos(moveMs);
    }

    /** Whether something that takes so long can be done in the time for a move. */
    boolean fitsMove(long nanos) {
        return nanos <= moveNanos / SHARE_OF_MOVE;
    }

    /** Whether it could fit on a less busy machine. */
    boolean nearlyFitsMove(long nanos) {
        return nanos <= moveNanos;
    }

    /** Whether something that took so long can be done once more before the first answer. */
    boolean allowsAgain(long nanos) {
        return nanos <= startNanos / SHARE_OF_START;
    }
}
