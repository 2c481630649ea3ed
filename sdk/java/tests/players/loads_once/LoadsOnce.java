/** Has a table that takes long to make, and says when it makes it. */
public class LoadsOnce extends Player {
    private static final double[][] TABLE = made();

    private static double[][] made() {
        System.err.println("the table is made");
        double[][] table = new double[31][31];
        for (int count = 0; count < table.length; count++) {
            table[count][0] = 1;
        }
        return table;
    }

    @Override
    public String bid(int yourId, int[] diceEachPlayerHas, int[] yourDice, String[] bids) {
        return TABLE[yourDice.length][0] > 0 ? "5 5" : "Liar!";
    }
}
