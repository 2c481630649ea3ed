package dicehill.bridge;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Strings by their bytes. Bids and names come again and again, so the last string of each hash is kept; what
 * is kept is bounded by the number of slots.
 */
public final class Texts {
    private static final int SLOTS = 1024;
    private static final int LONGEST = 64;

    private final byte[][] keys = new byte[SLOTS][];
    private final String[] values = new String[SLOTS];

    /** The string that these bytes of UTF-8 are. */
    public String get(byte[] bytes, int from, int to) {
        int slot = hash(bytes, from, to);
        byte[] key = keys[slot];
        if (key != null && Arrays.equals(key, 0, key.length, bytes, from, to)) {
            return values[slot];
        }
        String value = new String(bytes, from, to - from, StandardCharsets.UTF_8);
        if (to - from <= LONGEST) {
            keys[slot] = Arrays.copyOfRange(bytes, from, to);
            values[slot] = value;
        }
        return value;
    }

    private static int hash(byte[] bytes, int from, int to) {
        int mixed = to - from;
        for (int index = from; index < to && index < from + LONGEST; index++) {
            mixed = mixed * 31 + bytes[index];
        }
        return (mixed ^ mixed >>> 15) & SLOTS - 1;
    }
}
