/** Types of dicehill.mjs, with ranges and orders. The behaviour is documented there. */

export type Category =
  | 'ACES' | 'TWOS' | 'THREES' | 'FOURS' | 'FIVES' | 'SIXES' | 'THREE_OF_A_KIND' | 'FOUR_OF_A_KIND' | 'FULL_HOUSE'
  | 'SMALL_STRAIGHT' | 'LARGE_STRAIGHT' | 'YAHTZEE' | 'CHANCE';

export type Face = 1 | 2 | 3 | 4 | 5 | 6;

/** The categories in the order of the score card. */
export const CATEGORIES: readonly Category[];

/** The first message: the arena and the run. */
export interface Hello {
  readonly type: 'hello';
  readonly protocol: number;
  readonly game: 'yahtzee' | 'liars-dice';
  /** `official`, or the name of an original controller's rules. */
  readonly rules: string;
  /** `game`: no game may know of another. `set`: one process serves the whole run. */
  readonly memory: 'game' | 'set';
  readonly name: string;
  readonly limits: { readonly start_ms: number; readonly move_ms: number; readonly memory_mb: number };
}

/** A game begins. */
export interface Start {
  readonly type: 'start';
  readonly game: number;
  readonly players: number;
  /** The bot's own seed for this game, 16 hexadecimal digits; it reveals no die. */
  readonly seed: string;
}

/** Either indexes 0-4 of dice to keep, only at stages 0 and 1, or a category of `legal`. */
export type YahtzeeAnswer =
  | { readonly keep: Iterable<number>; readonly category?: undefined }
  | { readonly category: Category; readonly keep?: undefined };

/** A Yahtzee game is over. */
export interface YahtzeeEnd {
  readonly type: 'end';
  readonly game: number;
  /** Those of all players, ascending. */
  readonly scores: readonly number[];
  /** The bot's own. */
  readonly score: number;
  readonly won: boolean;
}

/** What the bot sees at its turn in Yahtzee. */
export class YahtzeeTurn {
  private constructor(message: never);
  /** The request's number. */
  readonly id: number;
  /** The game's number. */
  readonly game: number;
  /** 1-13. */
  readonly round: number;
  /** 0-2: the number of rerolls in this round. */
  readonly stage: 0 | 1 | 2;
  /** Five dice: newly rolled dice first, then the kept ones in the order in which they were named. */
  readonly dice: readonly Face[];
  /** The filled boxes. */
  readonly card: { readonly [category in Category]?: number };
  /** The categories that may be filled now, each with the score that its box would get. */
  readonly legal: { readonly [category in Category]?: number };
  /** The sum of the upper boxes. */
  readonly upper: number;
  /** 0 or 35. */
  readonly upperBonus: number;
  /** 100 for each. */
  readonly yahtzeeBonus: number;
  /** The bot's own total so far. */
  readonly score: number;
  /** The current totals of all players, ascending. */
  readonly scores: readonly number[];

  /** Keeps the dice at these indexes and rolls the others. Throws a RangeError if that is illegal. */
  keep(indexes: Iterable<number>): YahtzeeAnswer;
  /** Keeps every die for which `wanted` is true. Throws a RangeError at stage 2. */
  keepWhere(wanted: (die: Face, index: number) => boolean): YahtzeeAnswer;
  /** Ends the turn by filling a box. Throws a RangeError if that is illegal. */
  fill(category: Category): YahtzeeAnswer;
}

/** Each object of such a class plays one game. */
export interface YahtzeeBot {
  turn(turn: YahtzeeTurn): YahtzeeAnswer;
  start?(start: Start): void;
  end?(end: YahtzeeEnd): void;
}

/** A class, whose constructor gets the hello if there was one, or a function. */
export type YahtzeePlayer = (new (hello?: Hello) => YahtzeeBot) | ((turn: YahtzeeTurn) => YahtzeeAnswer);

/** A count, 1 to 1,000,000, and a face. Bids rise by count first, then by face. */
export interface Bid {
  readonly count: number;
  readonly face: number;
}

/** `COUNT FACE` or `Liar!`. */
export interface LiarsDiceAnswer {
  readonly bid: string;
}

/** What a call revealed. */
export interface Round {
  readonly type: 'round';
  readonly game: number;
  /** Every bid of the round, oldest first. */
  readonly bids: readonly Bid[];
  /** The dice of all players, by the seats of the round. */
  readonly hands: readonly (readonly Face[])[];
  /** The seat that called. */
  readonly caller: number;
  /** The seat whose bid was called. */
  readonly bidder: number;
  /** Whether there were as many dice as bid. */
  readonly held: boolean;
}

/** A game of Liar's Dice is over. */
export interface LiarsDiceEnd {
  readonly type: 'end';
  readonly game: number;
  /** Null if the turn limit ended the game. */
  readonly winner: string | null;
  readonly points: readonly number[];
  readonly names: readonly string[];
}

/** What the bot sees at its turn in Liar's Dice. */
export class LiarsDiceTurn {
  private constructor(message: never);
  /** The request's number. */
  readonly id: number;
  /** The game's number. */
  readonly game: number;
  /** The bot's seat now; it shifts when a lower seat is eliminated. */
  readonly you: number;
  /** The number of dice of each seat. */
  readonly counts: readonly number[];
  /** The bot's own dice, in the order rolled. */
  readonly dice: readonly Face[];
  /** Every bid of this round, oldest first. */
  readonly bids: readonly Bid[];
  /** The players' names, by seat. */
  readonly names: readonly string[];
  /** The players' points so far, by seat. */
  readonly points: readonly number[];

  /** The bid on the table, or null for a round's first action. */
  readonly lastBid: Bid | null;
  /** The number of dice on the table, including the bot's own. */
  readonly diceInPlay: number;
  /** The number of dice of the others. */
  readonly hiddenDice: number;

  /** The seat that made `bids[index]`. */
  bidder(index: number): number;
  /** Whether a bid may follow the one on the table. */
  isHigher(bid: Bid): boolean;
  /** The lowest bid on `face` that may follow the one on the table. */
  lowestBid(face: number): Bid;
  /** Bids. The arena decides whether the bid is legal. */
  bid(count: number, face: number): LiarsDiceAnswer;
  bid(bid: Bid): LiarsDiceAnswer;
  /** Calls the last bidder a liar; illegal as a round's first action. */
  liar(): LiarsDiceAnswer;
}

/** Each object of such a class plays one game. The SDK requests `round` messages if the class has the method. */
export interface LiarsDiceBot {
  turn(turn: LiarsDiceTurn): LiarsDiceAnswer;
  start?(start: Start): void;
  round?(round: Round): void;
  end?(end: LiarsDiceEnd): void;
}

/** A class, whose constructor gets the hello if there was one, or a function. */
export type LiarsDicePlayer = (new (hello?: Hello) => LiarsDiceBot) | ((turn: LiarsDiceTurn) => LiarsDiceAnswer);

/** The program's bots, by game; at least one. */
export interface Bots {
  readonly yahtzee?: YahtzeePlayer;
  readonly liarsDice?: LiarsDicePlayer;
}

/** Plays Yahtzee until stdin ends, then ends the process. Given `import.meta`, plays only if that file is the program. */
export function yahtzee(bot: YahtzeePlayer, meta?: ImportMeta): void;
/** The same for Liar's Dice. */
export function liarsDice(bot: LiarsDicePlayer, meta?: ImportMeta): void;
/** The same for the game that the arena names in its first message. */
export function play(bots: Bots, meta?: ImportMeta): void;

/** A turn of a transcript and what the bot answered. */
export interface Step {
  /** The transcript's line, from 1. */
  readonly line: number;
  /** The request's number. */
  readonly id: number;
  readonly game: number;
  /** The turn as the transcript has it. */
  readonly message: Readonly<Record<string, unknown>>;
  /** The answer without its id. */
  readonly answer: Readonly<Record<string, unknown>>;
  /** The recorded answer without its id, or null if none is recorded. */
  readonly recorded: Readonly<Record<string, unknown>> | null;
  /** Whether the two are the same, or null if none is recorded. */
  readonly same: boolean | null;
  /** Why the answer is illegal in its position, or null. */
  readonly illegal: string | null;
}

/** Plays every turn of a transcript, in protocol JSON or with `> ` and `< ` before each line. Throws what the bot throws. */
export function playTranscript(bots: Bots, text: string): Step[];
/** The bot's illegal answers, a sentence each. Throws an Error if the transcript has no turn. */
export function checkTranscript(bots: Bots, text: string): string[];
