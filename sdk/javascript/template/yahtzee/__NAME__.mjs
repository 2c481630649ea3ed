// @ts-check
import { yahtzee } from './dicehill.mjs';

/**
 * What a box usually brings. A score is worth what it lies above that.
 * @type {Record<import('./dicehill.mjs').Category, number>}
 */
const PAR = {
  ACES: 2, TWOS: 5, THREES: 8, FOURS: 12, FIVES: 15, SIXES: 19, THREE_OF_A_KIND: 22, FOUR_OF_A_KIND: 13,
  FULL_HOUSE: 22, SMALL_STRAIGHT: 29, LARGE_STRAIGHT: 32, YAHTZEE: 16, CHANCE: 22,
};

/** Every game has an object of its own; what a game has to remember is kept in fields. */
export class __NAME__ {
  /**
   * Called three times a round at most: after the first roll and after each keep.
   * @param {import('./dicehill.mjs').YahtzeeTurn} turn
   */
  turn(turn) {
    const best = bestCategory(turn.legal);
    // At stage 2 a category must be named; a made straight, full house or Yahtzee is taken earlier.
    const made = (turn.legal[best] ?? 0) >= 25 && !['THREE_OF_A_KIND', 'FOUR_OF_A_KIND', 'CHANCE'].includes(best);
    if (turn.stage === 2 || made) return turn.fill(best);

    // Otherwise keep the face that shows most often, the higher one of two.
    const often = (/** @type {number} */ face) => turn.dice.filter((die) => die === face).length;
    const face = [6, 5, 4, 3, 2, 1].reduce((most, next) => (often(next) > often(most) ? next : most));
    return turn.keepWhere((die) => die === face);
  }
}

/** @param {import('./dicehill.mjs').YahtzeeTurn['legal']} legal */
function bestCategory(legal) {
  const names = /** @type {import('./dicehill.mjs').Category[]} */ (Object.keys(legal));
  const gain = (/** @type {import('./dicehill.mjs').Category} */ name) => (legal[name] ?? 0) - PAR[name];
  return names.reduce((best, next) => (gain(next) > gain(best) ? next : best));
}

// Plays when this file is the program, and does nothing when a test imports it.
yahtzee(__NAME__, import.meta);
