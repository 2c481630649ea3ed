package dicehill;

/** What a bot says: a {@link Bid}, or that the bidder before it is a liar. */
public sealed interface LiarsDiceAnswer permits Bid, LiarsDiceAnswer.Liar {
    /** The call that ends a round. */
    record Liar() implements LiarsDiceAnswer {
        @Override
        public String toString() {
            return "Liar!";
        }
    }
}
