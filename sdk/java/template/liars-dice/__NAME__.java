import dicehill.Bid;
import dicehill.Dicehill;
import dicehill.LiarsDiceAnswer;
import dicehill.LiarsDiceBot;
import dicehill.LiarsDiceTurn;
import java.util.Comparator;
import java.util.stream.IntStream;

/** A player of Liar's Dice. Every game gets an object of its own, so a field remembers one game and no other. */
public final class __NAME__ implements LiarsDiceBot {
    public static void main(String[] arguments) {
        new Dicehill().liarsDice(__NAME__::new).run(arguments);
    }

    @Override
    public LiarsDiceAnswer turn(LiarsDiceTurn turn) {
        // The lowest bid that may be made on the face of which the bot itself has most.
        Bid raise = turn.lowestHigher(bestFace(turn));
        if (turn.lastBid().isEmpty()) {
            return raise;
        }
        Bid last = turn.lastBid().get();
        // A call is right if the last bid is too high, a raise if the new one is not: the surer of the two is said.
        return excess(turn, last) > -excess(turn, raise) ? turn.liar() : raise;
    }

    /** How far a bid is above what can be expected: a die that is not seen counts with chance 1/3, for ones 1/6. */
    private static double excess(LiarsDiceTurn turn, Bid bid) {
        return bid.count() - turn.own(bid.face()) - turn.hiddenDice() / (bid.face() == 1 ? 6.0 : 3.0);
    }

    private static int bestFace(LiarsDiceTurn turn) {
        return IntStream.rangeClosed(2, 6).boxed().max(Comparator.comparing(turn::own)).get();
    }
}
