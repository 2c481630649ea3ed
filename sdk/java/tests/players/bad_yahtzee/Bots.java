package mego.yahtzee;

import java.util.ArrayList;
import java.util.List;

/** Players that do what players should not. */
final class Bots {
    private Bots() {}
}

/** Answers at once with Chance; the others differ in one thing each. */
abstract class Chance extends Player {
    Chance(ControllerInterface game) {
        super(game);
    }

    @Override
    public TurnChoice turn(int[] dice, int stage) {
        act(dice);
        return new TurnChoice(Category.CHANCE);
    }

    abstract void act(int[] dice);
}

class Throws extends Chance {
    Throws(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        if (dice[0] == 6) {
            throw new IllegalStateException("a six scares me");
        }
    }
}

class ThrowsWhenMade extends Chance {
    ThrowsWhenMade(ControllerInterface game) {
        super(game);
        throw new IllegalStateException("not today");
    }

    @Override
    void act(int[] dice) {}
}

class AnswersNull extends Player {
    AnswersNull(ControllerInterface game) {
        super(game);
    }

    @Override
    public TurnChoice turn(int[] dice, int stage) {
        return null;
    }
}

class KeepsTwice extends Chance {
    KeepsTwice(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        new TurnChoice(new int[] {3, 3});
    }
}

class KeepsSixth extends Chance {
    KeepsSixth(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        new TurnChoice(new int[] {5});
    }
}

class Recurses extends Chance {
    Recurses(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        act(dice);
        dice[0]++;
    }
}

class Hoards extends Chance {
    private final List<long[]> hoard = new ArrayList<>();

    Hoards(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        while (true) {
            hoard.add(new long[1 << 16]);
        }
    }
}

class Exits extends Chance {
    Exits(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        System.exit(0);
    }
}

class Prints extends Chance {
    Prints(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        System.out.println("{\"id\":1,\"keep\":[]}");
        System.out.print("without an end");
    }
}

class ReadsInput extends Chance {
    ReadsInput(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        try {
            System.err.println("read " + System.in.read());
        } catch (java.io.IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}

class LeavesThreads extends Chance {
    LeavesThreads(ControllerInterface game) {
        super(game);
        new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException e) {
                    // Nothing ends this thread.
                }
            }
        }).start();
    }

    @Override
    void act(int[] dice) {}
}

/** Tells its log what the judge says, and spoils what it got. */
class Asks extends Chance {
    Asks(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        game.getScores()[0] = -1;
        ScorecardInterface card = game.getScoreCard(this);
        card.getFreeCategories()[0] = null;
        System.err.println(java.util.Arrays.toString(game.getScores()) + card.getScore() + "," + card.getYahtzeeBonus()
                + "," + card.getUpperBonus() + "," + card.getUpperScore()
                + java.util.Arrays.toString(card.getFreeCategories()));
    }
}

class ThrowsWhenLoaded extends Chance {
    static final int NOTHING = 0;
    static final int TABLE = 1 / Integer.parseInt("0");

    ThrowsWhenLoaded(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {}
}

class ThrowsUnprintable extends Chance {
    private static final class Unprintable extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public String toString() {
            throw this;
        }
    }

    ThrowsUnprintable(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        throw new Unprintable();
    }
}

class HoardsOutsideTheHeap extends Chance {
    private final List<java.nio.ByteBuffer> hoard = new ArrayList<>();

    HoardsOutsideTheHeap(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        while (true) {
            hoard.add(java.nio.ByteBuffer.allocateDirect(1 << 20));
        }
    }
}

class ChoosesNothing extends Player {
    ChoosesNothing(ControllerInterface game) {
        super(game);
    }

    @Override
    public TurnChoice turn(int[] dice, int stage) {
        TurnChoice choice = new TurnChoice((Category) null);
        if (choice.getDiceSaved().length + new TurnChoice(Category.ACES).getDiceSaved().length > 0) {
            throw new IllegalStateException("dice are saved");
        }
        return choice;
    }
}

/** Fills its card with five fours, and tells its log what it gets. */
class Simulates extends Chance {
    Simulates(ControllerInterface game) {
        super(game);
    }

    @Override
    void act(int[] dice) {
        Scorecard card = (Scorecard) game.getScoreCard(this);
        for (Category illegal : new Category[] {Category.SIXES, Category.FOURS}) {
            try {
                card.setScore(illegal, dice);
            } catch (IllegalArgumentException e) {
                System.err.println(illegal + " refused");
            }
        }
        card.setScore(Category.FULL_HOUSE, dice);
        System.err.println(card.getScore() + " " + card.getYahtzeeBonus() + " " + card.getUpperBonus() + " "
                + card.getUpperScore());
        System.err.println("free " + card.clone().getFreeCategories().length);
        ScorecardInterface fresh = game.getScoreCard(this);
        System.err.println("untouched " + fresh.getScore() + " " + fresh.getFreeCategories().length);
        Scorecard empty = new Scorecard();
        for (int face = 1; face <= 6; face++) {
            empty.setScore(Util.intToUpperCategory(face), new int[] {face, face, face, 7 - face, 7 - face});
        }
        System.err.println(empty.getUpperScore() + " " + empty.getUpperBonus() + " " + empty.getScore());
    }
}

class SlowWhenMade extends Chance {
    SlowWhenMade(ControllerInterface game) {
        super(game);
        try {
            Thread.sleep(400);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    void act(int[] dice) {}
}

class PrintsWhenMade extends Chance {
    PrintsWhenMade(ControllerInterface game) {
        super(game);
        System.out.println("made");
    }

    @Override
    void act(int[] dice) {}
}
