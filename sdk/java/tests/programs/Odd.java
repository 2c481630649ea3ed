import dicehill.Dicehill;
import dicehill.LiarsDiceAnswer;
import dicehill.LiarsDiceTurn;
import dicehill.YahtzeeAnswer;
import dicehill.YahtzeeTurn;

/** Fails as the first die says: 1 throws, 2 answers null, 3 keeps a die twice, 4 recurses without end. In Liar's Dice it says what was said. */
public final class Odd {
    private Odd() {}

    public static void main(String[] arguments) {
        new Dicehill().yahtzee(() -> Odd::turn).run(arguments);
    }

    static YahtzeeAnswer turn(YahtzeeTurn turn) {
        return switch (turn.dice().get(0)) {
            case 1 -> throw new IllegalStateException("a one scares me");
            case 2 -> null;
            case 3 -> turn.keep(3, 3);
            case 4 -> turn(turn);
            default -> turn.keep();
        };
    }

    static LiarsDiceAnswer bid(LiarsDiceTurn turn) {
        return turn.lastBid().isEmpty() ? turn.liar() : turn.lastBid().get();
    }
}
