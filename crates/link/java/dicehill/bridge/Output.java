package dicehill.bridge;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Answers on their way to the arena, gathered so that many leave with one write.
 *
 * <p>An answer does not wait for long, though: while a slow bot thinks about the next request, the arena's
 * clock for the one before it would go on.
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

    /** Says that the answers gathered from here on have waited for nothing yet. */
    public void startWaiting() {
        waitingSince = System.nanoTime();
    }

    /** Writes what is there if it has waited long enough. */
    public void flushIfDue() throws IOException {
        if (filled > 0 && System.nanoTime() - waitingSince > LONGEST_WAIT_NANOS) {
            flush();
            startWaiting();
        }
    }

    /** Writes what is there. */
    public void flush() throws IOException {
        if (filled > 0) {
            out.write(bytes, 0, filled);
            filled = 0;
        }
    }

    /** Adds bytes that stand for themselves. */
    public Output raw(byte[] added) {
        room(added.length);
        System.arraycopy(added, 0, bytes, filled, added.length);
        filled += added.length;
        return this;
    }

    public Output raw(char ascii) {
        room(1);
        bytes[filled++] = (byte) ascii;
        return this;
    }

    public Output number(long value) {
        room(20);
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

    /** Adds a string, quoted and escaped. Half a surrogate pair becomes a question mark. */
    public Output text(String text) {
        raw('"');
        for (byte next : text.getBytes(StandardCharsets.UTF_8)) {
            if (next == '"' || next == '\\') {
                raw('\\').raw((char) next);
            } else if (next >= 0 && next < ' ') {
                room(6);
                raw('\\').raw('u').raw('0').raw('0').raw((char) HEX[next >> 4]).raw((char) HEX[next & 15]);
            } else {
                raw((char) next);
            }
        }
        return raw('"');
    }

    private void room(int needed) {
        if (bytes.length - filled < needed) {
            bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, filled + needed));
        }
    }
}
