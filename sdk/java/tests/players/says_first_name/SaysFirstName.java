/** Bids what the first player is called. */
public class SaysFirstName extends Player {
    @Override
    public String bid(int yourId, int[] diceEachPlayerHas, int[] yourDice, String[] bids) {
        return Controller.playerNames()[0];
    }
}
