import dicehill.Bid;
import dicehill.Category;
import dicehill.Dicehill;
import dicehill.GameStart;
import dicehill.LiarsDiceAnswer;
import dicehill.LiarsDiceBot;
import dicehill.LiarsDiceEnd;
import dicehill.LiarsDiceRound;
import dicehill.LiarsDiceTurn;
import dicehill.YahtzeeAnswer;
import dicehill.YahtzeeBot;
import dicehill.YahtzeeEnd;
import dicehill.YahtzeeTurn;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The conformance bot in Java. {@code sdk/conformance/README.md} says what it does. */
public class Conformance {
    private static String[] actions;
    private static int turnsOfAllGames;
    int turns;

    public static void main(String[] arguments) {
        int own = Arrays.asList(arguments).indexOf("--transcript");
        actions = Arrays.copyOf(arguments, own < 0 ? arguments.length : own);
        Dicehill bots = new Dicehill().yahtzee(Yahtzee::new);
        if (!actions[0].equals("one-game")) {
            bots.liarsDice(LiarsDice::new);
        }
        bots.run(Arrays.copyOfRange(arguments, actions.length, arguments.length));
    }

    String[] next() {
        turns++;
        return actions[Math.min(turnsOfAllGames++, actions.length - 1)].split(" ");
    }

    static void fail(String action) {
        if (actions[0].equals(action)) {
            throw new IllegalStateException("as told");
        }
    }

    static void tell(String kind, Object... groups) {
        if (actions[0].equals("tell")) {
            System.out.println(kind + " " + Stream.of(groups).map(Object::toString).collect(Collectors.joining(" | ")));
        }
    }

    /** The actions that need no answer of their own. */
    static void otherAction(String action) {
        switch (action) {
            case "print" -> System.out.println("stray");
            case "fail" -> throw new IllegalStateException("as told");
            default -> { }
        }
    }

    static String joined(List<?> values, String between) {
        return values.stream().map(Object::toString).collect(Collectors.joining(between));
    }

    static String words(Object... values) {
        return joined(List.of(values), " ");
    }

    static int[] numbers(String[] words) {
        return Arrays.stream(words).skip(1).mapToInt(Integer::parseInt).toArray();
    }

    public void start(GameStart start) {
        fail("fail-start");
        tell("start", words(start.game(), start.players(), start.seed()));
    }

    /** Plays Yahtzee. */
    static final class Yahtzee extends Conformance implements YahtzeeBot {
        @Override
        public YahtzeeAnswer turn(YahtzeeTurn turn) {
            String[] action = next();
            switch (action[0]) {
                case "keep":
                    return turn.keep(numbers(action));
                case "turns":
                    return turn.keep(IntStream.range(0, turns - 1).toArray());
                case "category":
                    // The constant of ACES is all that an author can name.
                    return turn.fill(Category.valueOf(action[1].equals("ONES") ? "ACES" : action[1]));
                default:
                    otherAction(action[0]);
            }
            tell("turn", words(turn.id(), turn.game(), turn.round(), turn.stage()), joined(turn.dice(), " "),
                    boxes(turn.card()), boxes(turn.legal()),
                    words(turn.upper(), turn.upperBonus(), turn.yahtzeeBonus(), turn.score()),
                    joined(turn.scores(), " "));
            Category best = null;
            for (Category box : turn.legal().keySet()) {
                best = best == null || turn.legal().get(box) > turn.legal().get(best) ? box : best;
            }
            return turn.fill(best);
        }

        private static String boxes(Map<Category, Integer> scores) {
            return scores.entrySet().stream().map(box -> box.getKey() + " " + box.getValue())
                    .collect(Collectors.joining(" "));
        }

        @Override
        public void end(YahtzeeEnd end) {
            fail("fail-end");
            tell("end", end.game(), joined(end.scores(), " "), words(end.score(), end.won()));
        }
    }

    /** Plays Liar's Dice. */
    static final class LiarsDice extends Conformance implements LiarsDiceBot {
        @Override
        public LiarsDiceAnswer turn(LiarsDiceTurn turn) {
            String[] action = next();
            if (action[0].equals("bid")) {
                return turn.bid(numbers(action)[0], numbers(action)[1]);
            }
            otherAction(action[0]);
            tell("turn", words(turn.id(), turn.game(), turn.you()), joined(turn.counts(), " "),
                    joined(turn.dice(), " "), joined(turn.bids(), ", "), joined(turn.names(), " "),
                    joined(turn.points(), " "));
            List<Integer> bidders = IntStream.range(0, turn.bids().size()).map(turn::bidder).boxed().toList();
            List<Bid> lowest = IntStream.rangeClosed(1, 6).mapToObj(turn::lowestHigher).toList();
            tell("table", words(turn.diceInPlay(), turn.hiddenDice()), joined(bidders, " "), joined(lowest, ", "),
                    words(turn.isHigher(new Bid(4, 2)), turn.isHigher(new Bid(4, 3))));
            return turn.liar();
        }

        @Override
        public void round(LiarsDiceRound round) {
            fail("fail-round");
            List<String> hands = round.hands().stream().map(hand -> joined(hand, " ")).toList();
            tell("round", round.game(), joined(round.bids(), ", "), joined(hands, "; "),
                    words(round.caller(), round.bidder(), round.held()));
        }

        @Override
        public void end(LiarsDiceEnd end) {
            fail("fail-end");
            tell("end", end.game(), end.winner() == null ? "-" : end.winner(), joined(end.points(), " "),
                    joined(end.names(), " "));
        }
    }
}
