package mego.yahtzee;

/** A Yahtzee player that fills the first legal box, and misbehaves in one way. */
public class Offender extends Player {
    /** The misbehaviour; a test replaces this word. */
    private static final String HOW = "HOW";

    private int turns;

    public Offender(ControllerInterface game) {
        super(game);
        if (HOW.equals("throws-when-made")) {
            throw new IllegalStateException("not today");
        }
    }

    @Override
    public TurnChoice turn(int[] dice, int stage) {
        turns++;
        if (turns == 5) {
            offend();
        }
        return new TurnChoice(box(dice, game.getScoreCard(this).getFreeCategories()));
    }

    /** A Yahtzee fills the box of its face or else a lower one, according to the joker rule. */
    private static Category box(int[] dice, Category[] free) {
        Category first = free[0];
        if (!Category.YAHTZEE.matches(dice)) {
            return first;
        }
        Category best = null;
        for (Category box : free) {
            boolean ofItsFace = box.ordinal() == dice[0] - 1;
            if (ofItsFace || (best == null && box.isLower())) {
                best = box;
            }
        }
        return best == null ? first : best;
    }

    private static void offend() {
        switch (HOW) {
            case "throws":
                throw new IllegalStateException("a five scares me");
            case "exits":
                System.exit(7);
                break;
            case "halts":
                Runtime.getRuntime().halt(8);
                break;
            case "recurses":
                offend();
                break;
            case "loops":
                while (true) {
                    Thread.onSpinWait();
                }
            case "hoards":
                for (java.util.List<long[]> hoard = new java.util.ArrayList<>();; ) {
                    hoard.add(new long[1 << 17]);
                }
            case "hoards-outside-the-heap":
                for (java.util.List<Object> hoard = new java.util.ArrayList<>();; ) {
                    hoard.add(java.nio.ByteBuffer.allocateDirect(1 << 20));
                }
            case "leaves-a-thread":
                new Thread(() -> { while (true) Thread.onSpinWait(); }).start();
                break;
            case "prints":
                System.out.println("{\"id\":1,\"category\":\"ACES\"}");
                break;
            case "closes-the-output":
                System.out.close();
                break;
            default:
                break;
        }
    }
}
