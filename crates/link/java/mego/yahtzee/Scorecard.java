package mego.yahtzee;

import dicehill.bridge.RunRules;
import java.util.ArrayList;
import java.util.List;

/** A scorecard that a player can fill to simulate games. {@link ControllerInterface#getScoreCard} returns a copy. */
public class Scorecard implements ScorecardInterface {
    private static final int UPPER_GOAL = 63, UPPER_BONUS = 35, YAHTZEE_BONUS = 100;

    /** Bit i is set if the category at index i is filled. */
    private int filled;
    /** The sum of all boxes, without bonuses. */
    private int boxes;
    private int upper;
    private int upperBonus;
    private int yahtzeeBonus;
    private int yahtzeeBox;

    /** An empty card. */
    public Scorecard() {}

    /** A card with these boxes filled, bit i for the category at index i, and these sums. */
    protected Scorecard(int filled, int score, int upper, int upperBonus, int yahtzeeBonus, int yahtzeeBox) {
        this.filled = filled;
        this.boxes = score - upperBonus - yahtzeeBonus;
        this.upper = upper;
        this.upperBonus = upperBonus;
        this.yahtzeeBonus = yahtzeeBonus;
        this.yahtzeeBox = yahtzeeBox;
    }

    /** A copy of this card. */
    @Override
    public ScorecardInterface clone() {
        return new Scorecard(filled, getScore(), upper, upperBonus, yahtzeeBonus, yahtzeeBox);
    }

    @Override
    public Category[] getFreeCategories() {
        List<Category> free = new ArrayList<>();
        for (Category category : Category.values()) {
            if (!isFilled(category)) {
                free.add(category);
            }
        }
        return free.toArray(new Category[0]);
    }

    @Override
    public int getScore() {
        return boxes + upperBonus + yahtzeeBonus;
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

    /**
     * Fills a box with the dice, with bonuses and the joker rule of the run that is played.
     *
     * @throws IllegalArgumentException if the box is filled, or the joker rule forbids it; the card stays as it was
     */
    public void setScore(Category c, int[] dice) {
        boolean isJoker = isFilled(Category.YAHTZEE) && Category.YAHTZEE.matches(dice);
        if (isFilled(c) || isJoker && isForbidden(c, Util.intToUpperCategory(dice[0]))) {
            throw new IllegalArgumentException(c + " may not be filled");
        }
        int score = isJoker ? jokerScore(c, dice) : c.getScore(dice);
        filled |= 1 << c.ordinal();
        boxes += score;
        if (c == Category.YAHTZEE) {
            yahtzeeBox = score;
        }
        if (c.isUpper()) {
            upper += score;
        }
        if (upper >= UPPER_GOAL) {
            upperBonus = UPPER_BONUS;
        }
        if (isJoker && (yahtzeeBox > 0 || RunRules.zeroEarnsYahtzeeBonus())) {
            yahtzeeBonus += YAHTZEE_BONUS;
        }
    }

    private boolean isFilled(Category category) {
        return (filled & 1 << category.ordinal()) != 0;
    }

    /** Whether the joker rule forbids a box; {@code own} is the upper box of the face rolled. */
    private boolean isForbidden(Category category, Category own) {
        if (!isFilled(own)) {
            return category != own;
        }
        boolean isLowerFree = false;
        for (Category free : getFreeCategories()) {
            isLowerFree |= free.isLower();
        }
        return category.isUpper() && isLowerFree;
    }

    private static int jokerScore(Category category, int[] dice) {
        switch (category) {
            case FULL_HOUSE:
                return 25;
            case SMALL_STRAIGHT:
                return 30;
            case LARGE_STRAIGHT:
                return 40;
            default:
                return category.getScore(dice);
        }
    }
}
