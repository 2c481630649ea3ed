package dicehill.bridge;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads one JSON text in place, front to back, and creates only the objects that are asked for.
 *
 * <p>The caller drives it: {@code open('{')}, then {@link #more} and {@link #key} until the object is closed.
 * What is not JSON, nests deeper than {@link #DEPTH} or has another type than expected is a {@link BadLine}.
 */
public final class JsonReader {
    private static final int DEPTH = 64;
    private static final int NUMBERS = 4096;

    private byte[] bytes = new byte[0];
    private int position;
    private int end;
    private boolean first;

    /** The string read last, without its quotes; not decoded yet if it contains a backslash. */
    private int textFrom;
    private int textTo;
    private boolean escaped;

    private final long[] numbers = new long[NUMBERS];

    /** Starts to read the bytes in {@code from..to}, which must not change meanwhile. */
    public void read(byte[] line, int from, int to) {
        bytes = line;
        position = from;
        end = to;
    }

    /** Enters an object or an array. */
    public void open(char bracket) {
        expect(bracket);
        first = true;
    }

    /** Whether there is another element; if not, reads the closing bracket. */
    public boolean more(char closing) {
        boolean isFirst = first;
        first = false;
        if (peek() == closing) {
            position++;
            return false;
        }
        if (!isFirst) {
            expect(',');
        }
        return true;
    }

    /** The index of the next key among the names, or -1 if it is not among them. */
    public int key(Names names) {
        int name = name(names);
        expect(':');
        return name;
    }

    /** The index of the next string among the names, or -1 if it is not among them. */
    public int name(Names names) {
        span();
        if (escaped) {
            byte[] decoded = decode().getBytes(StandardCharsets.UTF_8);
            return names.find(decoded, 0, decoded.length);
        }
        return names.find(bytes, textFrom, textTo);
    }

    /** The next string. */
    public String text(Texts texts) {
        span();
        return escaped ? decode() : texts.get(bytes, textFrom, textTo);
    }

    /** Whether the next value is a string. */
    public boolean isText() {
        return peek() == '"';
    }

    /** Whether the next value is a number. */
    public boolean isNumber() {
        int next = peek();
        return next == '-' || isDigit((byte) next);
    }

    /** The next number, which must be an integer. */
    public long integer() {
        boolean negative = peek() == '-';
        if (negative) {
            position++;
        }
        int digits = position;
        long value = 0;
        while (position < end && isDigit(bytes[position])) {
            value = value * 10 + (bytes[position++] - '0');
        }
        if (position == digits || position - digits > 18 || isFraction()) {
            throw bad("not an integer");
        }
        return negative ? -value : value;
    }

    /** The next number, which must be an integer of 32 bits. */
    public int small() {
        return checked(integer());
    }

    /** The next array, whose elements must be integers of 32 bits. */
    public int[] smalls() {
        int count = numbers();
        int[] smalls = new int[count];
        for (int index = 0; index < count; index++) {
            smalls[index] = checked(numbers[index]);
        }
        return smalls;
    }

    /** The next array, whose elements must be integers. */
    public long[] integers() {
        return Arrays.copyOf(numbers, numbers());
    }

    /** The next array, whose elements must be strings. */
    public String[] texts(Texts texts) {
        String[] found = new String[8];
        int count = 0;
        open('[');
        while (more(']')) {
            if (count == found.length) {
                found = Arrays.copyOf(found, 2 * count);
            }
            found[count++] = text(texts);
        }
        return Arrays.copyOf(found, count);
    }

    /** Skips the next value. */
    public void skip() {
        skip(DEPTH);
    }

    /** Checks that nothing follows. */
    public void close() {
        if (peek() != 0) {
            throw bad("more than one value");
        }
    }

    private void skip(int depth) {
        if (depth == 0) {
            throw bad("nested too deep");
        }
        switch (peek()) {
            case '"':
                span();
                break;
            case '{':
                skipObject(depth);
                break;
            case '[':
                open('[');
                while (more(']')) {
                    skip(depth - 1);
                }
                break;
            default:
                skipWord();
        }
    }

    private void skipObject(int depth) {
        open('{');
        while (more('}')) {
            span();
            expect(':');
            skip(depth - 1);
        }
    }

    /** Skips a number, true, false or null, without checking it further. */
    private void skipWord() {
        int from = position;
        while (position < end && isInWord(bytes[position])) {
            position++;
        }
        if (position == from) {
            throw bad("not a value");
        }
    }

    private int numbers() {
        int count = 0;
        open('[');
        while (more(']')) {
            if (count == NUMBERS) {
                throw bad("too many numbers");
            }
            numbers[count++] = integer();
        }
        return count;
    }

    /** Finds the bounds of the next string. */
    private void span() {
        expect('"');
        textFrom = position;
        escaped = false;
        while (position < end) {
            byte next = bytes[position++];
            if (next == '"') {
                textTo = position - 1;
                return;
            }
            if (next == '\\') {
                escaped = true;
                position++;
            }
        }
        throw bad("a string without an end");
    }

    private String decode() {
        String raw = new String(bytes, textFrom, textTo - textFrom, StandardCharsets.UTF_8);
        StringBuilder decoded = new StringBuilder(raw.length());
        for (int index = 0; index < raw.length(); index++) {
            char next = raw.charAt(index);
            if (next != '\\') {
                decoded.append(next);
            } else if (raw.charAt(++index) == 'u') {
                decoded.append(codeUnit(raw, index + 1));
                index += 4;
            } else {
                decoded.append(unescaped(raw.charAt(index)));
            }
        }
        return decoded.toString();
    }

    private char codeUnit(String raw, int from) {
        try {
            return (char) Integer.parseInt(raw.substring(from, from + 4), 16);
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
            throw bad("a bad \\u");
        }
    }

    private char unescaped(char letter) {
        int index = "\"\\/bfnrt".indexOf(letter);
        if (index < 0) {
            throw bad("a bad escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(index);
    }

    /** The next byte that is not white space, or 0 at the end. */
    private int peek() {
        while (position < end) {
            byte next = bytes[position];
            if (next > ' ' || next < 0) {
                return next;
            }
            position++;
        }
        return 0;
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw bad("expected " + wanted);
        }
        position++;
    }

    private boolean isFraction() {
        return position < end && (bytes[position] == '.' || (bytes[position] | 0x20) == 'e');
    }

    private int checked(long value) {
        if (value != (int) value) {
            throw bad("too large a number");
        }
        return (int) value;
    }

    private static boolean isDigit(byte next) {
        return next >= '0' && next <= '9';
    }

    private static boolean isInWord(byte next) {
        return isDigit(next) || next >= 'a' && next <= 'z' || next == '-' || next == '+' || next == '.' || next == 'E';
    }

    private BadLine bad(String what) {
        return new BadLine(what);
    }
}
