package dicehill;

/** A player of Yahtzee. An object is made for every game; a lambda will do where nothing is remembered. */
@FunctionalInterface
public interface YahtzeeBot {
    /** Decides what to do with a roll. */
    YahtzeeAnswer turn(YahtzeeTurn turn);

    /** Called before the first turn. */
    default void start(GameStart start) {}

    /** Called after the last turn. */
    default void end(YahtzeeEnd end) {}
}
