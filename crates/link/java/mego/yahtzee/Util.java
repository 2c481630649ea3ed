package mego.yahtzee;

import java.util.Arrays;
import java.util.Collection;
import java.util.Objects;

/** Small methods that published players call. The name is part of the published interface. */
public class Util {
    /** How many elements equal the value. */
    public static <T> int count(Collection<T> elements, T value) {
        int count = 0;
        for (T element : elements) {
            if (Objects.equals(element, value)) {
                count++;
            }
        }
        return count;
    }

    /** How many elements equal the value. */
    public static <T> int count(T[] elements, T value) {
        return count(Arrays.asList(elements), value);
    }

    /** The same numbers as objects. */
    public static Integer[] boxIntArray(int[] numbers) {
        Integer[] boxed = new Integer[numbers.length];
        for (int index = 0; index < numbers.length; index++) {
            boxed[index] = numbers[index];
        }
        return boxed;
    }

    /**
     * The upper category that counts a face.
     *
     * @throws IllegalArgumentException if it is not a face, 1 to 6
     */
    public static Category intToUpperCategory(int face) {
        if (face < 1 || face > 6) {
            throw new IllegalArgumentException(face + " is not a face");
        }
        return Category.values()[face - 1];
    }

    /**
     * The face that an upper category counts, 1 to 6.
     *
     * @throws IllegalArgumentException if it is not an upper category
     */
    public static int upperCategoryToInt(Category category) {
        if (category == null || category.isLower()) {
            throw new IllegalArgumentException(category + " is not an upper category");
        }
        return category.ordinal() + 1;
    }
}
