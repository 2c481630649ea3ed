package dicehill.bridge;

import java.util.Arrays;

/** The table as the published {@code Controller} shows it: its state in the request being answered. */
public final class LiarsDiceTable {
    private static final int DICE_AT_START = 5;

    /** Volatile, because a bot may ask from another thread. */
    private static volatile LiarsDiceTable current = atStart(0, null);

    private final int players;
    private final int dice;
    private final String[] names;
    /** By seat; null before the first request. */
    private final long[] points;
    /** The seat and the class of the bot. */
    private final int you;
    private final Class<?> bot;

    private LiarsDiceTable(int dice, String[] names, int players, long[] points, int you, Class<?> bot) {
        this.players = players;
        this.dice = dice;
        this.names = names;
        this.points = points;
        this.you = you;
        this.bot = bot;
    }

    /** The table before the first request. */
    static LiarsDiceTable atStart(int players, Class<?> bot) {
        String[] names = new String[players];
        Arrays.fill(names, "");
        return new LiarsDiceTable(DICE_AT_START * players, names, players, null, 0, bot);
    }

    /** The table in a turn message. */
    static LiarsDiceTable of(Message turn, Class<?> bot) {
        int dice = 0;
        for (int count : turn.counts) {
            dice += count;
        }
        boolean isScored = turn.points != null && turn.you < turn.points.length;
        String[] names = turn.names == null ? new String[0] : turn.names;
        return new LiarsDiceTable(dice, names, turn.counts.length, isScored ? turn.points : null, turn.you, bot);
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

    /**
     * The points of a player: the original kept them by class. The arena knows the others by their names, which a
     * player's class or text has.
     *
     * @throws NullPointerException if no such player is in the game, as in the original
     */
    public long points(Object player) {
        if (player.getClass() == bot) {
            return points == null ? 0 : points[you];
        }
        for (int seat = 0; points != null && seat < Math.min(names.length, points.length); seat++) {
            if (names[seat].equals(player.getClass().getSimpleName()) || names[seat].equals(player.toString())) {
                return points[seat];
            }
        }
        throw new NullPointerException(player.getClass().getName() + " does not play");
    }
}
