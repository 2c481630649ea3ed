import dicehill.Dicehill;
import dicehill.GameStart;
import dicehill.LiarsDiceAnswer;
import dicehill.LiarsDiceBot;
import dicehill.LiarsDiceEnd;
import dicehill.LiarsDiceRound;
import dicehill.LiarsDiceTurn;

/** Logs every hook, with a number for each object. */
public final class Hooks implements LiarsDiceBot {
    private static int objects;
    private final int object = ++objects;

    public static void main(String[] arguments) {
        new Dicehill().liarsDice(Hooks::new).run(arguments);
    }

    @Override
    public void start(GameStart start) {
        System.out.println(object + " " + start + " " + start.random().nextInt(1000));
    }

    @Override
    public LiarsDiceAnswer turn(LiarsDiceTurn turn) {
        System.out.println(object + " bidder " + (turn.bids().isEmpty() ? -1 : turn.bidder(0)) + " hidden " + turn.hiddenDice());
        return turn.lowestHigher(2);
    }

    @Override
    public void round(LiarsDiceRound round) {
        System.out.println(object + " " + round);
    }

    @Override
    public void end(LiarsDiceEnd end) {
        System.out.println(object + " " + end);
    }
}
