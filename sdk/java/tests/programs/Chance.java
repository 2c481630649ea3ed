import dicehill.Dicehill;
import dicehill.GameStart;
import dicehill.YahtzeeAnswer;
import dicehill.YahtzeeBot;
import dicehill.YahtzeeTurn;

/** Logs a random number at the start of each game. */
public final class Chance implements YahtzeeBot {
    public static void main(String[] arguments) {
        new Dicehill().yahtzee(Chance::new).run(arguments);
    }

    @Override
    public void start(GameStart start) {
        System.out.println(start.random().nextInt(1_000_000));
    }

    @Override
    public YahtzeeAnswer turn(YahtzeeTurn turn) {
        return turn.keep();
    }
}
