package dicehill.bridge;

import java.util.Arrays;

/** The table as the published {@code Controller} shows it: its state in the request being answered. */
public final class LiarsDiceTable {
    private static final int DICE_AT_START = 5;

    /** Volatile, because a bot may ask from another thread. */
    private static volatile LiarsDiceTable current = atStart(0);

    private final int players;
    private final int dice;
    private final String[] names;
    private final long points;

    private LiarsDiceTable(int players, int dice, String[] names, long points) {
        this.players = players;
        this.dice = dice;
        this.names = names;
        this.points = points;
    }

    /** The table before the first request. */
    static LiarsDiceTable atStart(int players) {
        String[] names = new String[players];
        Arrays.fill(names, "");
        return new LiarsDiceTable(players, DICE_AT_START * players, names, 0);
    }

    /** The table in a turn message. */
    static LiarsDiceTable of(Message turn) {
        int dice = 0;
        for (int count : turn.counts) {
            dice += count;
        }
        boolean scored = turn.points != null && turn.you < turn.points.length;
        String[] names = turn.names == null ? new String[0] : turn.names;
        return new LiarsDiceTable(turn.counts.length, dice, names, scored ? turn.points[turn.you] : 0);
    }

    static void show(LiarsDiceTable table) {
        current = table;
    }

    /** The table of the request being answered. */
    public static LiarsDiceTable current() {
        return current;
    }

    /** How many players are still in the game. */
    public int players() {
        return players;
    }

    /** How many dice are on the table, including hidden ones. */
    public int dice() {
        return dice;
    }

    /** The players' names by seat; a copy. */
    public String[] names() {
        return names.clone();
    }

    /** The bot's own points. */
    public long points() {
        return points;
    }
}
