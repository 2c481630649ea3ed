package mego.yahtzee;

/** A player's card, as it stood when the turn was asked for. */
public interface ScorecardInterface {
    /** The boxes that are still empty, in the order of the card. */
    Category[] getFreeCategories();

    /** Everything so far, bonuses included. */
    int getScore();

    /** 100 for each further Yahtzee so far. */
    int getYahtzeeBonus();

    /** 35 as soon as the upper boxes hold 63, else 0. */
    int getUpperBonus();

    /** The sum of the upper boxes, without their bonus. */
    int getUpperScore();
}
