package dicehill;

import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/** What the arena says in one line, and its fields as the records that bots see. */
final class Message {
    private final Map<?, ?> fields;

    private Message(Map<?, ?> fields) {
        this.fields = fields;
    }

    /** Reads a line. */
    static Message parse(String line) {
        if (Json.parse(line) instanceof Map<?, ?> fields) {
            return new Message(fields);
        }
        throw new IllegalArgumentException("not an object");
    }

    /** The message's type, "" if it has none. */
    String type() {
        return fields.get("type") instanceof String type ? type : "";
    }

    /** Whether it speaks of Liar's Dice; a hello says so, and a turn, a round or an end shows it. */
    boolean isLiarsDice() {
        return "liars-dice".equals(fields.get("game")) || fields.containsKey("bids") || fields.containsKey("points");
    }

    boolean has(String name) {
        return fields.get(name) != null;
    }

    long number(String name) {
        if (fields.get(name) instanceof Long number) {
            return number;
        }
        throw new IllegalArgumentException(type() + " without the number " + name);
    }

    String text(String name) {
        return fields.get(name) instanceof String text ? text : null;
    }

    GameStart start() {
        return new GameStart(number("game"), small("players"), has("seed") ? text("seed") : "0");
    }

    YahtzeeTurn yahtzeeTurn() {
        return new YahtzeeTurn(number("id"), number("game"), small("round"), small("stage"), smalls(list("dice")),
                boxes("card"), boxes("legal"), small("upper"), small("upper_bonus"), small("yahtzee_bonus"),
                small("score"), smalls(list("scores")));
    }

    YahtzeeEnd yahtzeeEnd() {
        return new YahtzeeEnd(number("game"), smalls(list("scores")), small("score"), truth("won"));
    }

    LiarsDiceTurn liarsDiceTurn() {
        return new LiarsDiceTurn(number("id"), number("game"), small("you"), smalls(list("counts")),
                smalls(list("dice")), bids(), texts("names"), points());
    }

    LiarsDiceRound liarsDiceRound() {
        List<List<Integer>> hands = list("hands").stream().map(hand -> smalls((List<?>) hand)).toList();
        return new LiarsDiceRound(number("game"), bids(), hands, small("caller"), small("bidder"), truth("held"));
    }

    LiarsDiceEnd liarsDiceEnd() {
        return new LiarsDiceEnd(number("game"), text("winner"), points(), texts("names"));
    }

    private int small(String name) {
        return Math.toIntExact(number(name));
    }

    private boolean truth(String name) {
        return Boolean.TRUE.equals(fields.get(name));
    }

    private List<?> list(String name) {
        if (fields.get(name) instanceof List<?> list) {
            return list;
        }
        throw new IllegalArgumentException(type() + " without the list " + name);
    }

    private List<String> texts(String name) {
        return list(name).stream().map(String.class::cast).toList();
    }

    private List<Bid> bids() {
        return texts("bids").stream().map(Bid::parse).toList();
    }

    private List<Long> points() {
        return list("points").stream().map(Long.class::cast).toList();
    }

    private static List<Integer> smalls(List<?> numbers) {
        Integer[] smalls = new Integer[numbers.size()];
        for (int index = 0; index < smalls.length; index++) {
            smalls[index] = Math.toIntExact((Long) numbers.get(index));
        }
        return List.of(smalls);
    }

    private Map<Category, Integer> boxes(String name) {
        Map<Category, Integer> boxes = new EnumMap<>(Category.class);
        if (fields.get(name) instanceof Map<?, ?> named) {
            named.forEach((box, score) -> boxes.put(Category.valueOf((String) box), Math.toIntExact((Long) score)));
        }
        return Collections.unmodifiableMap(boxes);
    }
}
