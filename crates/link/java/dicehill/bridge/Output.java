package dicehill.bridge;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Collects answers, so that one write sends many of them to the arena.
 *
 * <p>Answers are not held back for long: while a slow bot works on the next request, the arena's clock for the
 * previous one keeps running.
 */
public final class Output {
    private static final long LONGEST_WAIT_NANOS = 1_000_000;
    private static final byte[] HEX = "0123456789abcdef".getBytes(StandardCharsets.US_ASCII);

    private final OutputStream out;
    private byte[] bytes = new byte[1 << 14];
    private int filled;
    private long waitingSince;

    public Output(OutputStream out) {
        this.out = out;
    }

    /** Starts to measure how long the answers from here on are held back. */
    public void startWaiting() {
        waitingSince = System.nanoTime();
    }

    /** Writes what was collected if it has been held back long enough. */
    public void flushIfDue() throws IOException {
        if (filled > 0 && System.nanoTime() - waitingSince > LONGEST_WAIT_NANOS) {
            flush();
            startWaiting();
        }
    }

    /** Writes what was collected. */
    public void flush() throws IOException {
        if (filled > 0) {
            out.write(bytes, 0, filled);
            filled = 0;
        }
    }

    /** How many bytes were collected. */
    int length() {
        return filled;
    }

    /** Drops what was collected after the first {@code length} bytes. */
    void cutTo(int length) {
        filled = length;
    }

    /** Appends bytes as they are. */
    public Output raw(byte[] added) {
        reserve(added.length);
        System.arraycopy(added, 0, bytes, filled, added.length);
        filled += added.length;
        return this;
    }

    public Output raw(char ascii) {
        reserve(1);
        bytes[filled++] = (byte) ascii;
        return this;
    }

    public Output number(long value) {
        reserve(20);
        if (value < 0) {
            return raw(Long.toString(value).getBytes(StandardCharsets.US_ASCII));
        }
        int digits = 1;
        for (long rest = value; rest > 9; rest /= 10) {
            digits++;
        }
        filled += digits;
        int at = filled;
        for (long rest = value; digits > 0; digits--, rest /= 10) {
            bytes[--at] = (byte) ('0' + rest % 10);
        }
        return this;
    }

    /** Appends a string, quoted and escaped. Half a surrogate pair becomes a question mark. */
    public Output text(String text) {
        raw('"');
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            if (next == '"' || next == '\\') {
                raw('\\').raw((char) next);
            } else if (next >= 0 && next < ' ') {
                reserve(6);
                raw('\\').raw('u').raw('0').raw('0').raw((char) HEX[next >> 4]).raw((char) HEX[next & 15]);
            } else {
                raw((char) next);
            }
        }
        return raw('"');
    }

    private void reserve(int needed) {
        if (bytes.length - filled < needed) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, filled + needed));
        }
    }
}
