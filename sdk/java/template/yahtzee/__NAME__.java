import dicehill.Category;
import dicehill.Dicehill;
import dicehill.YahtzeeAnswer;
import dicehill.YahtzeeBot;
import dicehill.YahtzeeTurn;
import java.util.Comparator;
import java.util.List;

/** A player of Yahtzee. Every game gets an object of its own, so a field remembers one game and no other. */
public final class __NAME__ implements YahtzeeBot {
    /** Boxes that are worth taking as soon as the dice fit, best first. */
    private static final List<Category> AT_ONCE = List.of(Category.YAHTZEE, Category.LARGE_STRAIGHT, Category.FULL_HOUSE);

    public static void main(String[] arguments) {
        new Dicehill().yahtzee(__NAME__::new).run(arguments);
    }

    @Override
    public YahtzeeAnswer turn(YahtzeeTurn turn) {
        // legal holds the boxes that may be filled now, and what each would add.
        for (Category category : AT_ONCE) {
            if (turn.legal().getOrDefault(category, 0) > 0) {
                return turn.fill(category);
            }
        }
        if (turn.mayKeep()) {
            int face = mostFrequent(turn);
            return turn.keepIf(die -> die == face);
        }
        return turn.fill(best(turn));
    }

    /** The face that most dice show; of two such, the higher one. */
    private static int mostFrequent(YahtzeeTurn turn) {
        return turn.dice().stream()
                .max(Comparator.comparing(turn::times).thenComparing(Comparator.naturalOrder()))
                .get();
    }

    /** The box that adds most. Chance always fits, so it can wait: it counts for ten less. */
    private static Category best(YahtzeeTurn turn) {
        return turn.legal().keySet().stream()
                .max(Comparator.comparing(box -> turn.legal().get(box) - (box == Category.CHANCE ? 10 : 0)))
                .get();
    }
}
