package mego.yahtzee;

/** What a player may ask the judge, at the moment of its turn. */
public interface ControllerInterface {
    /**
     * The card of the player whose turn it is. Nobody can see another's card, so it does not matter which
     * player is passed.
     */
    ScorecardInterface getScoreCard(Player p);

    /** The totals of all players, in ascending order: they do not tell who holds which. */
    int[] getScores();
}
