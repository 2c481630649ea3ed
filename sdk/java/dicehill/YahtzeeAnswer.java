package dicehill;

import java.util.List;
import java.util.Objects;

/** What a bot does with a roll. {@link YahtzeeTurn} makes them. */
public sealed interface YahtzeeAnswer {
    /** Keeps the dice at these indexes, 0 to 4, and rolls the others. */
    record Keep(List<Integer> indexes) implements YahtzeeAnswer {
        public Keep {
            indexes = List.copyOf(indexes);
        }
    }

    /** Fills a box with the dice as they lie. */
    record Fill(Category category) implements YahtzeeAnswer {
        public Fill {
            Objects.requireNonNull(category, "a category");
        }
    }
}
