package mego.yahtzee;

/** A Yahtzee player that fills its first free box each time, and attacks at its first turn. */
public class Attacker extends Player {
    public Attacker(ControllerInterface game) {
        super(game);
    }

    @Override
    public TurnChoice turn(int[] dice, int stage) {
        Attacks.carryOut(game, game.getScoreCard(this));
        return new TurnChoice(game.getScoreCard(this).getFreeCategories()[0]);
    }
}
