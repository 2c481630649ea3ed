// @ts-check
import { liarsDice } from './dicehill.mjs';

/** Every game has an object of its own; what a game has to remember is kept in fields. */
export class __NAME__ {
  /**
   * Called whenever it is this player's turn to bid or to call.
   * @param {import('./dicehill.mjs').LiarsDiceTurn} turn
   */
  turn(turn) {
    // My own dice of a face, ones being wild, and a third of the dice that I cannot see.
    const own = (/** @type {number} */ face) =>
      turn.dice.filter((die) => die === face || (die === 1 && face > 1)).length;
    const expected = (/** @type {number} */ face) => own(face) + turn.hiddenDice / (face === 1 ? 6 : 3);

    const best = [6, 5, 4, 3, 2].reduce((most, next) => (own(next) > own(most) ? next : most));
    const last = turn.lastBid;
    if (last === null) return turn.bid(Math.max(1, own(best)), best);

    // Call a doubtful bid, unless a raise on my best face is to be believed.
    const raise = turn.lowestBid(best);
    const doubtful = last.count > expected(last.face) && raise.count > expected(best);
    return doubtful ? turn.liar() : turn.bid(raise);
  }
}

// Plays when this file is the program, and does nothing when a test imports it.
liarsDice(__NAME__, import.meta);
