package mego.yahtzee;

/** A player's scorecard at the time of the request. */
public interface ScorecardInterface {
    /** The empty boxes, in the order of the card. */
    Category[] getFreeCategories();

    /** The score so far, with bonuses. */
    int getScore();

    /** 100 for each Yahtzee after the first. */
    int getYahtzeeBonus();

    /** 35 once the upper boxes sum to 63, else 0. */
    int getUpperBonus();

    /** The sum of the upper boxes, without their bonus. */
    int getUpperScore();
}
