/**
 * A port of the house bot {@code pirate}, fifth of the Liar's Dice challenge: it stays with its most frequent face
 * and expects a quarter of the hidden dice to count.
 */
public class Pirate extends Player {
    @Override
    public String bid(int yourId, int[] diceEachPlayerHas, int[] yourDice, String[] bids) {
        int[] held = held(yourDice);
        int best = best(held);
        if (bids.length == 0) {
            return (1 + held[best]) + " " + best;
        }
        String last = bids[bids.length - 1];
        int count = Integer.parseInt(last.split(" ")[0]);
        int face = Integer.parseInt(last.split(" ")[1]);
        if (held[face] > count) {
            return (held[face] + 2) + " " + face;
        }
        int hidden = Controller.diceInPlay() - yourDice.length;
        if (count > hidden + held[face]) {
            return "Liar!";
        }
        for (int extra = 1; extra <= hidden / 4; extra++) {
            String raise = (held[best] + extra) + " " + best;
            if (Controller.isGreaterThan(raise, last)) {
                return raise;
            }
        }
        return "Liar!";
    }

    /** The number of own dice that count for each face: ones count for all. */
    private static int[] held(int[] dice) {
        int[] held = new int[7];
        for (int die : dice) {
            if (die == 1) {
                for (int face = 1; face <= 6; face++) {
                    held[face]++;
                }
            } else {
                held[die]++;
            }
        }
        return held;
    }

    private static int best(int[] held) {
        int best = 1;
        for (int face = 2; face <= 6; face++) {
            if (held[face] > held[best]) {
                best = face;
            }
        }
        return best;
    }
}
