import dicehill.Bid;
import dicehill.Category;
import dicehill.Dicehill;
import dicehill.LiarsDiceAnswer;
import dicehill.LiarsDiceTurn;
import dicehill.YahtzeeAnswer;
import dicehill.YahtzeeTurn;
import java.util.Comparator;
import java.util.Map;
import java.util.function.IntUnaryOperator;
import java.util.stream.IntStream;

/** Plays both games by simple and steady rules; neither needs a memory, so two methods are enough. */
public final class Steady {
    private Steady() {}

    public static void main(String[] arguments) {
        new Dicehill().yahtzee(() -> Steady::yahtzee).liarsDice(() -> Steady::liarsDice).run(arguments);
    }

    /** Keeps the most frequent face, the higher one on ties, and fills the box that scores most. */
    static YahtzeeAnswer yahtzee(YahtzeeTurn turn) {
        int common = highestBy(1, turn::times);
        if (turn.mayKeep() && turn.times(common) < 5) {
            return turn.keepIf(face -> face == common);
        }
        Category best = null;
        for (Map.Entry<Category, Integer> box : turn.legal().entrySet()) {
            best = best == null || box.getValue() > turn.legal().get(best) ? box.getKey() : best;
        }
        return turn.fill(best);
    }

    /** Bids on its own best face for as long as the last bid can be believed. */
    static LiarsDiceAnswer liarsDice(LiarsDiceTurn turn) {
        int best = highestBy(2, turn::own);
        if (turn.lastBid().isEmpty()) {
            return turn.bid(Math.max(1, turn.own(best)), best);
        }
        Bid last = turn.lastBid().get();
        int believed = turn.own(last.face()) + turn.hiddenDice() / (last.face() == 1 ? 6 : 3);
        return last.count() > believed ? turn.liar() : turn.lowestHigher(best);
    }

    /** The face from {@code lowest} to 6 with the most, the higher one on ties. */
    private static int highestBy(int lowest, IntUnaryOperator count) {
        return IntStream.rangeClosed(lowest, 6).boxed()
                .max(Comparator.comparingInt((Integer face) -> count.applyAsInt(face)).thenComparing(face -> face))
                .get();
    }
}
