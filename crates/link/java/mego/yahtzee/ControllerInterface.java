package mego.yahtzee;

/** What a player may ask the judge during its turn. */
public interface ControllerInterface {
    /**
     * A copy of the card of the player whose turn it is, a {@link Scorecard}, whichever player is passed: the cards of
     * other players are hidden.
     */
    ScorecardInterface getScoreCard(Player p);

    /** The scores of all players in ascending order, so that they do not show whose they are. */
    int[] getScores();
}
