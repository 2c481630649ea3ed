package dicehill.bridge;

/** Passes a request to a player of Liar's Dice, whose class is in the default package. */
public interface LiarsDiceCaller {
    /** The answer of the player. */
    String bid(Object player, int you, int[] counts, int[] dice, String[] bids);
}
