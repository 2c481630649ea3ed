import java.util.Arrays;
import mego.yahtzee.Category;
import mego.yahtzee.Util;

/** Prints for each of the 7776 rolls which categories fit, and what each scores. */
public final class Categories {
    private Categories() {}

    public static void main(String[] arguments) {
        for (int number = 0; number < 7776; number++) {
            int[] dice = {number / 1296 + 1, number / 216 % 6 + 1, number / 36 % 6 + 1, number / 6 % 6 + 1, number % 6 + 1};
            int[] scores = Arrays.stream(Category.values()).mapToInt(category -> category.getScore(dice)).toArray();
            System.out.println(Arrays.toString(dice) + ";" + Arrays.toString(Category.getMatchingCategories(dice)) + ";"
                    + Arrays.toString(scores) + ";" + Util.count(Util.boxIntArray(dice), dice[0]) + ";"
                    + Util.upperCategoryToInt(Util.intToUpperCategory(dice[0])));
        }
    }
}
