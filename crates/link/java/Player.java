/** The class that an author extends to play Liar's Dice. A new object is created for every game. */
public abstract class Player {
    public Player() {}

    /** A name for the author's own use: the arena uses the name in the hill file. */
    public String toString() {
        return getClass().getSimpleName();
    }

    /**
     * Decides on a bid or a call. All arrays are copies.
     *
     * @param yourId the player's seat among those still in the game, from 0
     * @param diceEachPlayerHas how many dice each seat has
     * @param yourDice the player's own dice, in the order rolled
     * @param bids this round's bids, each "COUNT FACE", oldest first; the one at length - k was made by the
     *     seat k before this one
     * @return a higher bid, "COUNT FACE", or "Liar!"
     */
    public abstract String bid(int yourId, int[] diceEachPlayerHas, int[] yourDice, String[] bids);
}
