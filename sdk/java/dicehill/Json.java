package dicehill;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Just as much JSON as the protocol needs: objects, lists, strings, whole numbers, true, false and null. */
final class Json {
    private static final int DEPTH = 64;

    private final String text;
    private int at;

    private Json(String text) {
        this.text = text;
    }

    /** Reads one value: a Map, List, String, Long, Double, Boolean or null. */
    static Object parse(String text) {
        Json json = new Json(text);
        Object value = json.value(DEPTH);
        if (json.peek() != 0) {
            throw json.bad("the end");
        }
        return value;
    }

    /** The string, quoted and escaped. */
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        text.chars().forEach(next -> {
            if (next == '"' || next == '\\') {
                quoted.append('\\').append((char) next);
            } else if (next < ' ') {
                quoted.append(String.format("\\u%04x", next));
            } else {
                quoted.append((char) next);
            }
        });
        return quoted.append('"').toString();
    }

    private Object value(int depth) {
        if (depth == 0) {
            throw bad("less nesting");
        }
        return switch (peek()) {
            case '{' -> object(depth);
            case '[' -> list(depth);
            case '"' -> string();
            default -> word();
        };
    }

    private Map<String, Object> object(int depth) {
        Map<String, Object> fields = new LinkedHashMap<>();
        expect('{');
        while (!taken('}')) {
            separate(fields.isEmpty());
            String key = string();
            expect(':');
            fields.put(key, value(depth - 1));
        }
        return fields;
    }

    private List<Object> list(int depth) {
        List<Object> elements = new ArrayList<>();
        expect('[');
        while (!taken(']')) {
            separate(elements.isEmpty());
            elements.add(value(depth - 1));
        }
        return elements;
    }

    private String string() {
        expect('"');
        int end = at;
        while (end < text.length() && text.charAt(end) != '"' && text.charAt(end) != '\\') {
            end++;
        }
        if (end < text.length() && text.charAt(end) == '"') {
            String plain = text.substring(at, end);
            at = end + 1;
            return plain;
        }
        StringBuilder found = new StringBuilder(text.substring(at, end));
        at = end;
        while (next() != '"') {
            char letter = text.charAt(at - 1);
            found.append(letter == '\\' ? escaped() : letter);
        }
        return found.toString();
    }

    private char escaped() {
        char letter = next();
        if (letter == 'u' && at + 4 <= text.length()) {
            at += 4;
            return (char) Integer.parseInt(text.substring(at - 4, at), 16);
        }
        int index = "\"\\/bfnrt".indexOf(letter);
        if (index < 0) {
            throw bad("an escape");
        }
        return "\"\\/\b\f\n\r\t".charAt(index);
    }

    private Object word() {
        int from = at;
        while (at < text.length() && isInWord(text.charAt(at))) {
            at++;
        }
        String word = text.substring(from, at);
        return switch (word) {
            case "true" -> true;
            case "false" -> false;
            case "null" -> null;
            case "" -> throw bad("a value");
            default -> number(word);
        };
    }

    private Object number(String word) {
        try {
            boolean whole = word.indexOf('.') < 0 && word.indexOf('e') < 0 && word.indexOf('E') < 0;
            if (whole) {
                return Long.valueOf(word);
            }
            return Double.valueOf(word);
        } catch (NumberFormatException e) {
            throw bad("a number");
        }
    }

    /** The next character that is no blank, or 0 at the end. */
    private char peek() {
        while (at < text.length() && text.charAt(at) <= ' ') {
            at++;
        }
        return at < text.length() ? text.charAt(at) : 0;
    }

    private char next() {
        if (at == text.length()) {
            throw bad("more");
        }
        return text.charAt(at++);
    }

    private boolean taken(char closing) {
        boolean is = peek() == closing;
        at += is ? 1 : 0;
        return is;
    }

    private void separate(boolean isFirst) {
        if (!isFirst) {
            expect(',');
        }
    }

    private static boolean isInWord(char letter) {
        return letter >= '0' && letter <= '9' || letter >= 'a' && letter <= 'z' || letter == '-' || letter == '+'
                || letter == '.' || letter == 'E';
    }

    private void expect(char wanted) {
        if (peek() != wanted) {
            throw bad(String.valueOf(wanted));
        }
        at++;
    }

    private IllegalArgumentException bad(String wanted) {
        return new IllegalArgumentException("not JSON: at character " + at + " expected " + wanted);
    }
}
