// A bot in JavaScript that thinks as little as the bare loop does: what it takes is the kit's and the arena's.
import { play } from '../../../../../sdk/javascript/dicehill.mjs';

/** Rolls all but two dice again, and fills the first box that it may. */
function yahtzee(turn) {
  if (turn.stage < 2) return turn.keep([0, 1]);
  for (const category in turn.legal) return turn.fill(category);
}

play({ yahtzee });
