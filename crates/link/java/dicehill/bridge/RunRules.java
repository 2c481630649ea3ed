package dicehill.bridge;

/** The rules of the run, as far as the published classes depend on them. */
public final class RunRules {
    /** The rules of the original controller of Yahtzee. */
    private static final String ORIGINAL_YAHTZEE = "mego-2016";

    /** Volatile, because a bot may simulate in another thread. */
    private static volatile boolean isOriginalYahtzee;

    private RunRules() {}

    /** Sets the rules that the arena names; null leaves the official ones. */
    static void set(String rules) {
        isOriginalYahtzee = ORIGINAL_YAHTZEE.equals(rules);
    }

    /** Whether a Yahtzee earns the bonus although the Yahtzee box holds 0. */
    public static boolean zeroEarnsYahtzeeBonus() {
        return isOriginalYahtzee;
    }

    /** Whether a turn without a choice rerolls all five dice. */
    static boolean nullRerolls() {
        return isOriginalYahtzee;
    }
}
