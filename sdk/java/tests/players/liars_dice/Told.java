import java.util.Arrays;

/** Says what the published Controller tells it, and spoils every array it can reach. */
public class Told extends Player {
    private final String atFirst = Controller.numPlayers() + "," + Controller.diceInPlay();

    @Override
    public String bid(int yourId, int[] diceEachPlayerHas, int[] yourDice, String[] bids) {
        Controller.playerNames()[0] = "spoilt";
        Arrays.fill(diceEachPlayerHas, 99);
        String last = bids.length == 0 ? "1 1" : bids[bids.length - 1];
        Arrays.fill(bids, null);
        return String.join("|", atFirst, "" + Controller.getScore(this), "" + Controller.diceInPlay(),
                "" + Controller.numPlayers(), Arrays.toString(Controller.playerNames()), "" + Controller.valueOf(last),
                "" + Controller.isGreaterThan("4 1", last), "\"\\\n\u00e9");
    }
}
