package dicehill.bridge;

import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import mego.yahtzee.Category;
import mego.yahtzee.ControllerInterface;
import mego.yahtzee.Player;
import mego.yahtzee.ScorecardInterface;
import mego.yahtzee.TurnChoice;

/** Yahtzee under the published interface. */
final class Yahtzee implements PublishedGame {
    private static final byte[] KEEP = ",\"keep\":[".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CATEGORY = ",\"category\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[][] CATEGORIES = new byte[Category.values().length][];

    static {
        for (Category category : Category.values()) {
            CATEGORIES[category.ordinal()] = category.name().getBytes(StandardCharsets.US_ASCII);
        }
    }

    @Override
    public String name() {
        return "yahtzee";
    }

    @Override
    public String playerClass() {
        return "mego.yahtzee.Player";
    }

    @Override
    public boolean playerOutlivesGames() {
        return true;
    }

    @Override
    public Constructor<?> constructor(Class<?> bot) throws NoSuchMethodException {
        return bot.getDeclaredConstructor(ControllerInterface.class);
    }

    @Override
    public Seat sit(Constructor<?> constructor, int players) throws ReflectiveOperationException {
        Judge judge = new Judge(new int[players]);
        return new YahtzeeSeat(judge, (Player) constructor.newInstance(judge));
    }

    private static final class YahtzeeSeat implements Seat {
        private final Judge judge;
        private final Player player;

        YahtzeeSeat(Judge judge, Player player) {
            this.judge = judge;
            this.player = player;
        }

        @Override
        public void answer(Message turn, Output out) {
            turn.requireTurn(true);
            judge.show(new Scorecard(turn), turn.scores);
            TurnChoice choice = player.turn(turn.dice, turn.stage);
            if (choice == null) {
                throw new NullPointerException("turn returned null");
            }
            Seat.startAnswer(out, turn.id);
            Category category = choice.getCategory();
            if (category == null) {
                addKeep(choice.getDiceSaved(), out);
            } else {
                out.raw(CATEGORY).raw(CATEGORIES[category.ordinal()]).raw('"').raw('}').raw('\n');
            }
        }

        private static void addKeep(int[] indexes, Output out) {
            out.raw(KEEP);
            for (int place = 0; place < indexes.length; place++) {
                if (place > 0) {
                    out.raw(',');
                }
                out.number(indexes[place]);
            }
            out.raw(']').raw('}').raw('\n');
        }
    }

    /** What the player sees of its game. It may ask from another thread. */
    private static final class Judge implements ControllerInterface {
        private volatile Scorecard card = new Scorecard();
        private volatile int[] scores;

        Judge(int[] scores) {
            this.scores = scores;
        }

        void show(Scorecard card, int[] scores) {
            this.card = card;
            this.scores = scores;
        }

        @Override
        public ScorecardInterface getScoreCard(Player p) {
            return card;
        }

        @Override
        public int[] getScores() {
            return scores.clone();
        }
    }

    /** An immutable card: every turn creates another one. */
    private static final class Scorecard implements ScorecardInterface {
        private static final Category[] ALL = Category.values();

        private final int filled;
        private final int score;
        private final int yahtzeeBonus;
        private final int upperBonus;
        private final int upper;

        /** An empty card. */
        Scorecard() {
            filled = 0;
            score = 0;
            yahtzeeBonus = 0;
            upperBonus = 0;
            upper = 0;
        }

        /** The card in a turn message. */
        Scorecard(Message turn) {
            filled = turn.filled;
            score = turn.score;
            yahtzeeBonus = turn.yahtzeeBonus;
            upperBonus = turn.upperBonus;
            upper = turn.upper;
        }

        @Override
        public Category[] getFreeCategories() {
            Category[] free = new Category[ALL.length - Integer.bitCount(filled)];
            int count = 0;
            for (Category category : ALL) {
                if ((filled & 1 << category.ordinal()) == 0) {
                    free[count++] = category;
                }
            }
            return free;
        }

        @Override
        public int getScore() {
            return score;
        }

        @Override
        public int getYahtzeeBonus() {
            return yahtzeeBonus;
        }

        @Override
        public int getUpperBonus() {
            return upperBonus;
        }

        @Override
        public int getUpperScore() {
            return upper;
        }
    }
}
