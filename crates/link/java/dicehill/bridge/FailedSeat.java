package dicehill.bridge;

/** A seat whose player could not be made: it fails when it is asked, because a start has no answer. */
final class FailedSeat implements Seat {
    private final Throwable thrown;

    FailedSeat(Throwable thrown) {
        this.thrown = thrown;
    }

    @Override
    public void answer(Message turn, Output out) throws Throwable {
        throw thrown;
    }
}
