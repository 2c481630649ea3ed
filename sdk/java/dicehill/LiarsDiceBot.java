package dicehill;

/** A player of Liar's Dice. An object is made for every game; a lambda will do where nothing is remembered. */
@FunctionalInterface
public interface LiarsDiceBot {
    /** Decides what to say. */
    LiarsDiceAnswer turn(LiarsDiceTurn turn);

    /** Called before the first turn. */
    default void start(GameStart start) {}

    /** Called after each call. The arena sends what it revealed only to a bot whose class has this method. */
    default void round(LiarsDiceRound round) {}

    /** Called after the last turn. */
    default void end(LiarsDiceEnd end) {}
}
