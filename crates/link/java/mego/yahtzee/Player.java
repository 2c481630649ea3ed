package mego.yahtzee;

/** What an author extends to play Yahtzee. */
public abstract class Player {
    protected ControllerInterface game;

    public Player(ControllerInterface game) {
        this.game = game;
    }

    /** A name for the author's own use: the arena goes by the name that the hill file gives. */
    public String getName() {
        return getClass().getSimpleName();
    }

    /**
     * Decides what to do with a roll.
     *
     * @param dice five faces, 1 to 6, in the order shown; a copy
     * @param stage how many times dice have been rolled again this turn, 0 to 2; at 2 nothing can be kept
     */
    public abstract TurnChoice turn(int[] dice, int stage);
}
