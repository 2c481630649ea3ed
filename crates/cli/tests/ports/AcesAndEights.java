package mego.yahtzee;

import java.util.Arrays;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * A port of the house bot {@code aces-and-eights}, the winner of the challenge: it keeps the dice of a pattern,
 * fills a box at once for a Yahtzee, a full house or a straight that it wants, and after the last roll fills the
 * box that scores most.
 */
public class AcesAndEights extends Player {
    /**
     * The boxes by rising priority, which decides between otherwise equal boxes. A list would be clearer, but the
     * bridge cannot know that a list never changes and would reload the class for every game.
     */
    private static final String RISING = "YAHTZEE SMALL_STRAIGHT LARGE_STRAIGHT CHANCE ACES TWOS THREES FOURS FIVES SIXES"
            + " THREE_OF_A_KIND FOUR_OF_A_KIND FULL_HOUSE";

    private int[] dice;
    private Set<Category> free;
    private Set<Category> matching;

    public AcesAndEights(ControllerInterface game) {
        super(game);
    }

    @Override
    public TurnChoice turn(int[] dice, int stage) {
        this.dice = dice;
        free = setOf(game.getScoreCard(this).getFreeCategories());
        matching = setOf(Category.getMatchingCategories(dice));
        if (matching.contains(Category.YAHTZEE)) {
            return new TurnChoice(boxForYahtzee());
        }
        if (isUsable(Category.FULL_HOUSE)) {
            return new TurnChoice(Category.FULL_HOUSE);
        }
        return stage < 2 ? pattern() : new TurnChoice(bestScoring());
    }

    private TurnChoice pattern() {
        if (matching.contains(Category.THREE_OF_A_KIND)) {
            return keepShown(times -> times >= 3);
        }
        TurnChoice straight = straight();
        if (straight != null) {
            return straight;
        }
        TurnChoice pairs = keepShown(times -> times == 2);
        boolean wantsPairs = free.contains(Category.FULL_HOUSE) && pairs.getDiceSaved().length == 4;
        return wantsPairs ? pairs : new TurnChoice(new int[0]);
    }

    /** The choice for a straight, or null if none is in reach. */
    private TurnChoice straight() {
        if (isUsable(Category.LARGE_STRAIGHT)) {
            return new TurnChoice(Category.LARGE_STRAIGHT);
        }
        if (!matching.contains(Category.SMALL_STRAIGHT)) {
            return null;
        }
        if (free.contains(Category.LARGE_STRAIGHT)) {
            return keepRunOfFour();
        }
        return free.contains(Category.SMALL_STRAIGHT) ? new TurnChoice(Category.SMALL_STRAIGHT) : null;
    }

    /** The first die of each face of the run, in the order of the faces. */
    private TurnChoice keepRunOfFour() {
        int lowest = times(1) > 0 && times(2) > 0 ? 1 : times(2) > 0 && times(3) > 0 ? 2 : 3;
        return new TurnChoice(IntStream.range(lowest, lowest + 4).map(this::firstIndexOf).toArray());
    }

    private int firstIndexOf(int face) {
        return IntStream.range(0, dice.length).filter(index -> dice[index] == face).findFirst().getAsInt();
    }

    /** Keeps the dice whose face occurs this many times. */
    private TurnChoice keepShown(IntPredicate wanted) {
        return new TurnChoice(IntStream.range(0, dice.length).filter(index -> wanted.test(times(dice[index]))).toArray());
    }

    private int times(int face) {
        return (int) Arrays.stream(dice).filter(die -> die == face).count();
    }

    private Category bestScoring() {
        return free.stream()
                .max(Comparator.comparingInt((Category box) -> box.getScore(dice)).thenComparingInt(AcesAndEights::priority))
                .get();
    }

    /** The Yahtzee box, the box of the face, the lower box of highest priority, or the upper one of lowest. */
    private Category boxForYahtzee() {
        for (Category box : List.of(Category.YAHTZEE, Util.intToUpperCategory(dice[0]))) {
            if (free.contains(box)) {
                return box;
            }
        }
        Comparator<Category> byPriority = Comparator.comparingInt(AcesAndEights::priority);
        return free.stream()
                .filter(Category::isLower)
                .max(byPriority)
                .orElseGet(() -> free.stream().min(byPriority).get());
    }

    private boolean isUsable(Category box) {
        return matching.contains(box) && free.contains(box);
    }

    private static int priority(Category box) {
        return Arrays.asList(RISING.split(" ")).indexOf(box.name());
    }

    private static Set<Category> setOf(Category[] boxes) {
        Set<Category> set = EnumSet.noneOf(Category.class);
        set.addAll(Arrays.asList(boxes));
        return set;
    }
}
