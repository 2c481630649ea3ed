import dicehill.bridge.LiarsDiceTable;

/**
 * What a player may ask about the game of Liar's Dice that it is asked to act in. Between the start of a game
 * and its first bid the names are empty and the points unknown.
 */
public class Controller {
    private Controller() {}

    /**
     * The points so far of this player, or of the one in the game whose name is the class or the text of the object.
     *
     * @throws NullPointerException if no such player is in the game
     */
    public static long getScore(Player player) {
        return LiarsDiceTable.current().points(player);
    }

    /** How many dice are on the table, including hidden ones. */
    public static int diceInPlay() {
        return LiarsDiceTable.current().dice();
    }

    /** How many players are still in the game. */
    public static int numPlayers() {
        return LiarsDiceTable.current().players();
    }

    /** The names of the players still in the game, by seat. */
    public static String[] playerNames() {
        return LiarsDiceTable.current().names();
    }

    /**
     * A number that is higher for a higher bid: 6 x count + face.
     *
     * @throws IllegalArgumentException if it does not begin with "COUNT FACE"
     */
    public static int valueOf(String bid) {
        String[] parts = bid.trim().split("\\s+");
        if (parts.length < 2) {
            throw new IllegalArgumentException("not a bid: " + bid);
        }
        return 6 * Integer.parseInt(parts[0]) + Integer.parseInt(parts[1]);
    }

    /** Whether the first bid is above the second. */
    public static boolean isGreaterThan(String bid, String other) {
        return valueOf(bid) > valueOf(other);
    }
}
