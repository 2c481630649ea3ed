// A bot in JavaScript that decides as little as the bare loop does: its time is that of the SDK and the arena.
import { play } from '../../../../../sdk/javascript/dicehill.mjs';

/** Keeps two dice, and fills the first legal box. */
function yahtzee(turn) {
  if (turn.stage < 2) return turn.keep([0, 1]);
  for (const category in turn.legal) return turn.fill(category);
}

play({ yahtzee });
