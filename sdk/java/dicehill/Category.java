package dicehill;

/** The thirteen boxes of a Yahtzee card, in the order of the card. */
public enum Category {
    ACES, TWOS, THREES, FOURS, FIVES, SIXES,
    THREE_OF_A_KIND, FOUR_OF_A_KIND, FULL_HOUSE, SMALL_STRAIGHT, LARGE_STRAIGHT, YAHTZEE, CHANCE;

    /** Whether this is one of the six boxes that count one face. */
    public boolean isUpper() {
        return ordinal() < 6;
    }

    /** The upper box that counts a face, 1 to 6. */
    public static Category ofFace(int face) {
        if (face < 1 || face > 6) {
            throw new IllegalArgumentException(face + " is not a face");
        }
        return values()[face - 1];
    }
}
