package dicehill.bridge;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A fixed list of names, found by their bytes without making a string. */
public final class Names {
    private final byte[][] names;
    /** A hash table with open addressing: the index of the name plus one, or 0 if the slot is empty. */
    private final int[] slots;

    /** A list of names, which gives them their indexes. */
    public Names(String... list) {
        names = new byte[list.length][];
        slots = new int[Integer.highestOneBit(list.length) * 8];
        for (int index = 0; index < list.length; index++) {
            names[index] = list[index].getBytes(StandardCharsets.UTF_8);
            int slot = hash(names[index], 0, names[index].length);
            while (slots[slot] != 0) {
                slot = slot + 1 & slots.length - 1;
            }
            slots[slot] = index + 1;
        }
    }

    /** The index of the name with these bytes, or -1. */
    public int find(byte[] bytes, int from, int to) {
        if (from == to) {
            return -1;
        }
        int slot = hash(bytes, from, to);
        for (; slots[slot] != 0; slot = slot + 1 & slots.length - 1) {
            byte[] name = names[slots[slot] - 1];
            if (Arrays.equals(name, 0, name.length, bytes, from, to)) {
                return slots[slot] - 1;
            }
        }
        return -1;
    }

    private int hash(byte[] bytes, int from, int to) {
        int mixed = (bytes[from] * 31 + bytes[to - 1]) * 31 + bytes[from + to >> 1] + (to - from) * 7;
        return (mixed ^ mixed >> 7) & slots.length - 1;
    }
}
