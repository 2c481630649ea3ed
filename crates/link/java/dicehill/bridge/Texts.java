package dicehill.bridge;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * A cache of strings by their bytes. Bids and names recur, so the last string of each hash is kept; the number
 * of slots bounds the size.
 */
public final class Texts {
    private static final int SLOTS = 1024;
    private static final int LONGEST = 64;

    private final byte[][] keys = new byte[SLOTS][];
    private final String[] values = new String[SLOTS];

    /** The string with these bytes in UTF-8. */
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
