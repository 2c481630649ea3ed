/** Bids as many sixes as it has been asked, and in how many games its class has been. */
public class Counter extends Player {
    private static int games;
    private int turns;

    public Counter() {
        games++;
    }

    @Override
    public String bid(int yourId, int[] diceEachPlayerHas, int[] yourDice, String[] bids) {
        return games + " " + ++turns;
    }
}
