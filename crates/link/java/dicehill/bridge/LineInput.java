package dicehill.bridge;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Reads lines in blocks as large as the pipe returns. A line stays in {@code bytes()[from()..to())} until the
 * next {@link #fill}.
 */
public final class LineInput {
    private static final int LONGEST = 1 << 20;

    private final InputStream in;
    private byte[] bytes = new byte[1 << 16];
    private int filled;
    private int next;
    private int from;
    private int to;
    private boolean ended;

    public LineInput(InputStream in) {
        this.in = in;
    }

    /** Waits for more input; false at its end. */
    public boolean fill() throws IOException {
        if (ended) {
            return false;
        }
        makeRoom();
        int count = in.read(bytes, filled, bytes.length - filled);
        if (count < 0) {
            ended = true;
            return next < filled;
        }
        filled += count;
        return true;
    }

    /** Whether there is another complete line in the buffer. The end of the input also ends a line. */
    public boolean nextLine() {
        int newline = next;
        while (newline < filled && bytes[newline] != '\n') {
            newline++;
        }
        if (newline == filled && !(ended && next < filled)) {
            return false;
        }
        from = next;
        to = newline > from && bytes[newline - 1] == '\r' ? newline - 1 : newline;
        next = Math.min(newline + 1, filled);
        return true;
    }

    public byte[] bytes() {
        return bytes;
    }

    public int from() {
        return from;
    }

    public int to() {
        return to;
    }

    /** Moves the incomplete line to the front, and enlarges the buffer if the line fills it. */
    private void makeRoom() throws IOException {
        System.arraycopy(bytes, next, bytes, 0, filled - next);
        filled -= next;
        next = 0;
        if (filled == LONGEST) {
            throw new IOException("a line is longer than " + LONGEST + " bytes");
        }
        if (filled == bytes.length) {
            bytes = Arrays.copyOf(bytes, 2 * filled);
        }
    }
}
