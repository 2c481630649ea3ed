package mego.yahtzee;

/** The class that an author extends to play Yahtzee. */
public abstract class Player {
    protected ControllerInterface game;

    public Player(ControllerInterface game) {
        this.game = game;
    }

    /** A name for the author's own use: the arena uses the name in the hill file. */
    public String getName() {
        return getClass().getSimpleName();
    }

    /**
     * Decides what to do with a roll.
     *
     * @param dice five faces, 1 to 6, in the order shown; a copy
     * @param stage how many times dice have been rerolled this turn, 0 to 2; at 2 a box must be filled
     */
    public abstract TurnChoice turn(int[] dice, int stage);
}
