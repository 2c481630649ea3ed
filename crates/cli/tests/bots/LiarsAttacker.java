/** A player of Liar's Dice that raises by one die, up to a third of all dice, and attacks at its first turn. */
public class LiarsAttacker extends Player {
    @Override
    public String bid(int yourId, int[] diceEachPlayerHas, int[] yourDice, String[] bids) {
        Attacks.carryOut(this);
        if (bids.length == 0) {
            return "1 " + yourDice[0];
        }
        int all = 0;
        for (int count : diceEachPlayerHas) {
            all += count;
        }
        String[] last = bids[bids.length - 1].split(" ");
        int count = Integer.parseInt(last[0]);
        return count <= all / 3 ? (count + 1) + " " + last[1] : "Liar!";
    }
}
