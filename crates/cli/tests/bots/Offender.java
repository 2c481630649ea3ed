package mego.yahtzee;

/** A Yahtzee player that fills its first free box each time, and offends in one way. */
public class Offender extends Player {
    /** How; a test writes another word here. */
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
        return new TurnChoice(game.getScoreCard(this).getFreeCategories()[0]);
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
