// The same fixed answers through the SDK.
import { play } from '../dicehill.mjs';

play({ yahtzee: () => ({ keep: [0, 1] }), liarsDice: () => ({ bid: '4 2' }) });
