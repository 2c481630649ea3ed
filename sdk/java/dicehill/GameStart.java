package dicehill;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * A game that begins.
 *
 * @param players how many play
 * @param seed the bot's own chance for this game, 16 hexadecimal digits; it reveals no die
 */
public record GameStart(long game, int players, String seed) {
    /** Chance of the bot's own that is the same whenever the game is played again. */
    public RandomGenerator random() {
        return new SplittableRandom(Long.parseUnsignedLong(seed, 16));
    }
}
