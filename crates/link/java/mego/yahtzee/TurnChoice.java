package mego.yahtzee;

/** What a player does with a roll: keeps some dice and rolls the others, or fills a box. */
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

    /**
     * Fills the box with the dice as they lie.
     *
     * @throws IllegalArgumentException if there is no category
     */
    public TurnChoice(Category categoryChosen) {
        if (categoryChosen == null) {
            throw new IllegalArgumentException("no category");
        }
        diceSaved = null;
        category = categoryChosen;
    }

    /** The indexes that are kept, or null if a box is filled. */
    public int[] getDiceSaved() {
        return diceSaved == null ? null : diceSaved.clone();
    }

    /** The box that is filled, or null if dice are kept. */
    public Category getCategory() {
        return category;
    }
}
