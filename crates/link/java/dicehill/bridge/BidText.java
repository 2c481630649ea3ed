package dicehill.bridge;

/**
 * Reads bids as leniently as the original controller, which took two numbers with {@link java.util.Scanner} and ignored
 * the rest of the text.
 */
final class BidText {
    private BidText() {}

    /** The bid as "COUNT FACE" in plain digits; any text that does not begin with two numbers as it is. */
    static String normal(String bid) {
        if (isNormal(bid)) {
            return bid;
        }
        String[] words = words(bid);
        Integer count = words.length < 2 ? null : number(words[0]);
        Integer face = words.length < 2 ? null : number(words[1]);
        return count == null || face == null ? bid : count + " " + face;
    }

    /** Whether it is a number, one blank and a face, as almost every bid. */
    private static boolean isNormal(String bid) {
        int last = bid.length() - 1;
        if (last < 2 || !isDigit(bid.charAt(last)) || bid.charAt(last - 1) != ' ' || bid.charAt(0) == '0') {
            return false;
        }
        for (int index = 0; index < last - 1; index++) {
            if (!isDigit(bid.charAt(index))) {
                return false;
            }
        }
        return true;
    }

    /** The text's words, separated by white space. */
    private static String[] words(String text) {
        StringBuilder plain = new StringBuilder();
        for (int index = 0; index < text.length(); index++) {
            char next = text.charAt(index);
            plain.append(Character.isWhitespace(next) ? ' ' : next);
        }
        return plain.toString().trim().split(" +", 3);
    }

    /** An integer with an optional sign, and with commas only between groups of three digits; null for anything else. */
    private static Integer number(String word) {
        String plain = word.matches("[-+]?\\d{1,3}(,\\d{3})+") ? word.replace(",", "") : word;
        try {
            return Integer.valueOf(plain);
        } catch (NumberFormatException e) {
            return null;
        }
    }

    private static boolean isDigit(char character) {
        return character >= '0' && character <= '9';
    }
}
