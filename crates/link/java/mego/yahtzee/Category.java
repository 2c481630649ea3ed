package mego.yahtzee;

import java.util.ArrayList;
import java.util.List;

/**
 * The thirteen boxes of the scorecard, in the order of the card.
 *
 * <p>{@link #matches} and {@link #getScore} depend only on the dice; the judge applies the joker rule.
 */
public enum Category {
    ACES,
    TWOS,
    THREES,
    FOURS,
    FIVES,
    SIXES,
    THREE_OF_A_KIND,
    FOUR_OF_A_KIND,
    FULL_HOUSE,
    SMALL_STRAIGHT,
    LARGE_STRAIGHT,
    YAHTZEE,
    CHANCE;

    /** Whether this is one of the six upper boxes, each of which counts one face. */
    public boolean isUpper() {
        return ordinal() < 6;
    }

    /** Whether this is one of the seven lower boxes. */
    public boolean isLower() {
        return !isUpper();
    }

    /**
     * Whether the dice match. An upper box always matches, also for a score of 0, as in the original;
     * five of a kind is not a full house.
     */
    public boolean matches(int[] dice) {
        int[] times = timesShown(dice);
        switch (this) {
            case THREE_OF_A_KIND:
                return most(times) >= 3;
            case FOUR_OF_A_KIND:
                return most(times) >= 4;
            case FULL_HOUSE:
                return has(times, 3) && has(times, 2);
            case SMALL_STRAIGHT:
                return longestRun(times) >= 4;
            case LARGE_STRAIGHT:
                return longestRun(times) >= 5;
            case YAHTZEE:
                return most(times) >= 5;
            default:
                return true;
        }
    }

    /** The score of the dice in this box: 0 if they do not match, or if no die shows the face of an upper box. */
    public int getScore(int[] dice) {
        if (!matches(dice)) {
            return 0;
        }
        switch (this) {
            case FULL_HOUSE:
                return 25;
            case SMALL_STRAIGHT:
                return 30;
            case LARGE_STRAIGHT:
                return 40;
            case YAHTZEE:
                return 50;
            case THREE_OF_A_KIND:
            case FOUR_OF_A_KIND:
            case CHANCE:
                return sum(dice);
            default:
                return timesShown(dice)[ordinal() + 1] * (ordinal() + 1);
        }
    }

    /** All categories that the dice match, in the order of the card. */
    public static Category[] getMatchingCategories(int[] dice) {
        List<Category> matching = new ArrayList<>();
        for (Category category : values()) {
            if (category.matches(dice)) {
                matching.add(category);
            }
        }
        return matching.toArray(new Category[0]);
    }

    /** How many dice show each face, at index 1 to 6. */
    private static int[] timesShown(int[] dice) {
        int[] times = new int[7];
        for (int die : dice) {
            if (die < 1 || die > 6) {
                throw new IllegalArgumentException("a die shows " + die);
            }
            times[die]++;
        }
        return times;
    }

    private static int most(int[] times) {
        int most = 0;
        for (int count : times) {
            most = Math.max(most, count);
        }
        return most;
    }

    private static boolean has(int[] times, int wanted) {
        for (int count : times) {
            if (count == wanted) {
                return true;
            }
        }
        return false;
    }

    private static int longestRun(int[] times) {
        int longest = 0;
        int run = 0;
        for (int face = 1; face <= 6; face++) {
            run = times[face] > 0 ? run + 1 : 0;
            longest = Math.max(longest, run);
        }
        return longest;
    }

    private static int sum(int[] dice) {
        int sum = 0;
        for (int die : dice) {
            sum += die;
        }
        return sum;
    }
}
