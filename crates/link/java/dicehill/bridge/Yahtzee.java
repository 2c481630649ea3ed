package dicehill.bridge;

import java.lang.reflect.Constructor;
import java.nio.charset.StandardCharsets;
import mego.yahtzee.Category;
import mego.yahtzee.ControllerInterface;
import mego.yahtzee.Player;
import mego.yahtzee.Scorecard;
import mego.yahtzee.ScorecardInterface;
import mego.yahtzee.TurnChoice;

/** Yahtzee under the published interface. */
final class Yahtzee implements PublishedGame {
    private static final byte[] KEEP = ",\"keep\":[".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] CATEGORY = ",\"category\":\"".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] NO_CHOICE = "null: the player returned no turn".getBytes(StandardCharsets.US_ASCII);
    private static final int LAST_STAGE = 2;
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
            judge.show(new Card(turn), turn.scores);
            TurnChoice choice = player.turn(turn.dice, turn.stage);
            Seat.startAnswer(out, turn.id);
            if (choice == null) {
                addNothing(turn.stage, out);
            } else {
                add(choice.getCategory(), choice.getDiceSaved(), out);
            }
        }

        private static void add(Category category, int[] diceSaved, Output out) {
            if (category == null) {
                addKeep(diceSaved, out);
            } else {
                out.raw(CATEGORY).raw(CATEGORIES[category.ordinal()]).raw('"').raw('}').raw('\n');
            }
        }

        /** The original controller rerolled all dice when it got no choice. Where that is illegal, the arena says so. */
        private static void addNothing(int stage, Output out) {
            if (RunRules.nullRerolls() && stage < LAST_STAGE) {
                addKeep(new int[0], out);
            } else {
                out.raw(CATEGORY).raw(NO_CHOICE).raw('"').raw('}').raw('\n');
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
            return card.clone();
        }

        @Override
        public int[] getScores() {
            return scores.clone();
        }
    }

    /** The card in a turn message. */
    private static final class Card extends Scorecard {
        Card(Message turn) {
            super(turn.filled, turn.score, turn.upper, turn.upperBonus, turn.yahtzeeBonus, turn.yahtzeeBox);
        }
    }
}
