package dicehill;

import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * What a bot sees when it is asked to act.
 *
 * @param id the request's number, which tells nothing
 * @param game the game's number, which tells nothing
 * @param round 1 to 13
 * @param stage how many times dice have been rolled again, 0 to 2; at 2 nothing can be kept
 * @param dice five faces, 1 to 6, in the order shown
 * @param card the filled boxes and what they hold
 * @param legal the boxes that may be filled now, each with what it would add to its box; the joker rule is in it
 * @param upper the sum of the upper boxes
 * @param upperBonus 35 as soon as that is 63
 * @param yahtzeeBonus 100 for each further Yahtzee
 * @param score everything so far
 * @param scores everybody's score, in ascending order
 */
public record YahtzeeTurn(long id, long game, int round, int stage, List<Integer> dice, Map<Category, Integer> card,
        Map<Category, Integer> legal, int upper, int upperBonus, int yahtzeeBonus, int score, List<Integer> scores) {

    /** Whether dice may be kept and others rolled again. */
    public boolean mayKeep() {
        return stage < 2;
    }

    /** How many dice show the face. */
    public int times(int face) {
        return Collections.frequency(dice, face);
    }

    /** Keeps the dice at these indexes; without any, rolls all five. */
    public YahtzeeAnswer keep(int... indexes) {
        return new YahtzeeAnswer.Keep(Arrays.stream(indexes).boxed().toList());
    }

    /** Keeps all dice whose face is wanted. */
    public YahtzeeAnswer keepIf(IntPredicate wanted) {
        return keep(IntStream.range(0, dice.size()).filter(index -> wanted.test(dice.get(index))).toArray());
    }

    /** Fills a box. */
    public YahtzeeAnswer fill(Category category) {
        return new YahtzeeAnswer.Fill(category);
    }
}
