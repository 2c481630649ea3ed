// The reference bot of all SDKs, for both games: plain rules, no memory, no chance.
// @ts-check
import { CATEGORIES, play } from '../dicehill.mjs';

/**
 * Keeps the most frequent face and fills the box that scores most.
 * @param {import('../dicehill.mjs').YahtzeeTurn} turn
 */
export function yahtzee(turn) {
  const often = (/** @type {number} */ face) => turn.dice.filter((die) => die === face).length;
  const best = mostOf([1, 2, 3, 4, 5, 6], often);
  if (turn.stage < 2 && often(best) < 5) return turn.keepWhere((die) => die === best);
  const open = CATEGORIES.filter((category) => category in turn.legal);
  // Of equal scores the first category wins, so the order is turned round.
  return turn.fill(mostOf(open.reverse(), (category) => turn.legal[category] ?? 0));
}

/**
 * Believes a third of the hidden dice to show any face, ones being wild, and bids on its own best face.
 * @param {import('../dicehill.mjs').LiarsDiceTurn} turn
 */
export function liarsDice(turn) {
  const own = (/** @type {number} */ face) =>
    turn.dice.filter((die) => die === face || (die === 1 && face > 1)).length;
  const best = mostOf([2, 3, 4, 5, 6], own);
  const last = turn.lastBid;
  if (last === null) return turn.bid(Math.max(1, own(best)), best);
  const believed = own(last.face) + Math.floor(turn.hiddenDice / (last.face === 1 ? 6 : 3));
  return last.count > believed ? turn.liar() : turn.bid(turn.lowestBid(best));
}

/**
 * The one with the largest value; of equal ones the last.
 * @template T
 * @param {T[]} all
 * @param {(one: T) => number} value
 */
function mostOf(all, value) {
  return all.reduce((best, next) => (value(next) >= value(best) ? next : best));
}

play({ yahtzee, liarsDice }, import.meta);
