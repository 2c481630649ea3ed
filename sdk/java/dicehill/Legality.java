package dicehill;

import java.util.HashSet;
import java.util.List;
import java.util.Map;

/** What the arena would say to an answer. */
final class Legality {
    private static final int HIGHEST_COUNT = 1_000_000;

    private Legality() {}

    /** What is wrong with the answer to a turn, or null. */
    static String wrong(Message request, Map<?, ?> answer) {
        return request.isLiarsDice()
                ? wrong(request.liarsDiceTurn(), (String) answer.get("bid"))
                : wrong(request.yahtzeeTurn(), answer);
    }

    private static String wrong(YahtzeeTurn turn, Map<?, ?> answer) {
        if (answer.get("keep") instanceof List<?> indexes) {
            return wrongKeep(turn, indexes);
        }
        Category category = Category.valueOf((String) answer.get("category"));
        return turn.legal().containsKey(category) ? null : category + " may not be filled";
    }

    private static String wrongKeep(YahtzeeTurn turn, List<?> indexes) {
        if (!turn.mayKeep()) {
            return "nothing can be kept after the last roll";
        }
        if (new HashSet<>(indexes).size() < indexes.size()) {
            return "a keep index is repeated in " + indexes;
        }
        boolean inRange = indexes.stream().allMatch(index -> (Long) index >= 0 && (Long) index < turn.dice().size());
        return inRange ? null : "a keep index is not 0-4 in " + indexes;
    }

    private static String wrong(LiarsDiceTurn turn, String said) {
        if (said.equals("Liar!")) {
            return turn.bids().isEmpty() ? "there is no bid to call" : null;
        }
        Bid bid = Bid.parse(said);
        if (bid.face() < 1 || bid.face() > 6 || bid.count() < 1 || bid.count() > HIGHEST_COUNT) {
            return said + " is not a bid";
        }
        return turn.isHigher(bid) ? null : said + " is not above " + turn.lastBid().get();
    }
}
