package mego.yahtzee;

import java.util.Arrays;

/** The reference bot under the published interface. It knows no joker rule, so it works that out by itself. */
public class SteadyYahtzee extends Player {
    public SteadyYahtzee(ControllerInterface game) {
        super(game);
    }

    @Override
    public TurnChoice turn(int[] dice, int stage) {
        int[] times = new int[7];
        int common = 0;
        for (int die : dice) {
            times[die]++;
        }
        for (int face = 1; face <= 6; face++) {
            common = times[face] >= times[common] ? face : common;
        }
        if (stage < 2 && times[common] < 5) {
            return new TurnChoice(indexesOf(dice, common, times[common]));
        }
        return new TurnChoice(best(dice, times[common] == 5));
    }

    private static int[] indexesOf(int[] dice, int face, int count) {
        int[] indexes = new int[count];
        int found = 0;
        for (int index = 0; index < dice.length; index++) {
            if (dice[index] == face) {
                indexes[found++] = index;
            }
        }
        return indexes;
    }

    private Category best(int[] dice, boolean alike) {
        Category[] free = game.getScoreCard(this).getFreeCategories();
        Category own = Util.intToUpperCategory(dice[0]);
        boolean joker = alike && !contains(free, Category.YAHTZEE);
        if (joker && contains(free, own)) {
            return own;
        }
        boolean lower = joker && free[free.length - 1].isLower();
        Category best = null;
        int most = -1;
        for (Category category : free) {
            int score = joker ? jokerScore(category, dice) : category.getScore(dice);
            if (score > most && !(lower && category.isUpper())) {
                best = category;
                most = score;
            }
        }
        return best;
    }

    private static boolean contains(Category[] free, Category category) {
        return Arrays.asList(free).contains(category);
    }

    private static int jokerScore(Category category, int[] dice) {
        switch (category) {
            case FULL_HOUSE:
                return 25;
            case SMALL_STRAIGHT:
                return 30;
            case LARGE_STRAIGHT:
                return 40;
            default:
                return category.getScore(dice);
        }
    }
}
