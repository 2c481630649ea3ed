/** The reference bot under the published interface. */
public class SteadyLiar extends Player {
    @Override
    public String bid(int yourId, int[] diceEachPlayerHas, int[] yourDice, String[] bids) {
        int hidden = Controller.diceInPlay() - diceEachPlayerHas[yourId];
        int best = 2;
        for (int face = 3; face <= 6; face++) {
            best = own(yourDice, face) >= own(yourDice, best) ? face : best;
        }
        if (bids.length == 0) {
            return Math.max(1, own(yourDice, best)) + " " + best;
        }
        String last = bids[bids.length - 1];
        int blank = last.indexOf(' ');
        int count = Integer.parseInt(last.substring(0, blank));
        int face = Integer.parseInt(last.substring(blank + 1));
        int believed = own(yourDice, face) + hidden / (face == 1 ? 6 : 3);
        if (count > believed) {
            return "Liar!";
        }
        return (best > face ? count : count + 1) + " " + best;
    }

    private static int own(int[] dice, int face) {
        int own = 0;
        for (int die : dice) {
            own += die == face || die == 1 ? 1 : 0;
        }
        return own;
    }
}
