package mego.yahtzee;

/** A decision about a roll: keep some dice and roll the others, or fill a box. */
public class TurnChoice {
    private final int[] diceSaved;
    private final Category category;

    /**
     * Keeps the dice at these indexes, 0 to 4. The next roll shows them last, in this order.
     *
     * @throws IllegalArgumentException if an index is out of range or repeated
     */
    public TurnChoice(int[] diceIndexes) {
        int seen = 0;
        for (int index : diceIndexes) {
            if (index < 0 || index > 4) {
                throw new IllegalArgumentException("dice index " + index + " is not 0-4");
            }
            if ((seen & 1 << index) != 0) {
                throw new IllegalArgumentException("dice index " + index + " is repeated");
            }
            seen |= 1 << index;
        }
        diceSaved = diceIndexes.clone();
        category = null;
    }

    /** Fills the box with the dice shown; null keeps nothing, as in the original. */
    public TurnChoice(Category categoryChosen) {
        diceSaved = new int[0];
        category = categoryChosen;
    }

    /** The indexes of the dice to keep; empty if a box is filled. */
    public int[] getDiceSaved() {
        return diceSaved.clone();
    }

    /** The box to fill, or null if dice are kept. */
    public Category getCategory() {
        return category;
    }
}
