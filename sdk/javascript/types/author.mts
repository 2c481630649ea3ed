// Checked by the test of the types: what authors write must compile, and what the arena would refuse must not.
import { checkTranscript, play, playTranscript, yahtzee } from '../dicehill.mjs';
import type { Hello, LiarsDiceAnswer, LiarsDiceTurn, Round, Start, YahtzeeAnswer, YahtzeeBot, YahtzeeTurn } from '../dicehill.mjs';

class Careful implements YahtzeeBot {
  readonly memory: string;
  seed = '';

  constructor(hello?: Hello) {
    this.memory = hello?.memory ?? 'game';
  }

  start(start: Start): void {
    this.seed = start.seed;
  }

  turn(turn: YahtzeeTurn): YahtzeeAnswer {
    const chance: number | undefined = turn.legal.CHANCE;
    if (turn.stage === 2) return turn.fill(chance === undefined ? 'ACES' : 'CHANCE');
    return turn.keepWhere((die, index) => die === 6 && index < 5);
  }
}

class Listening {
  held = 0;

  round(round: Round): void {
    this.held += round.held ? 1 : 0;
  }

  turn(turn: LiarsDiceTurn): LiarsDiceAnswer {
    const last = turn.lastBid;
    if (last === null) return turn.bid(1, turn.dice[0] ?? 6);
    const raise = turn.lowestBid(last.face);
    return turn.isHigher(raise) && turn.bidder(0) !== turn.you ? turn.bid(raise) : turn.liar();
  }
}

play({ yahtzee: Careful, liarsDice: Listening }, import.meta);
yahtzee((turn) => ({ keep: turn.dice.map((_, index) => index) }));
yahtzee(() => ({ category: 'FULL_HOUSE' }));
const wrong: string[] = checkTranscript({ yahtzee: Careful }, '');
const same: (boolean | null)[] = playTranscript({ liarsDice: Listening }, '').map((step) => step.same);
export { same, wrong };

// @ts-expect-error There is no such category.
yahtzee((turn) => turn.fill('BOAT'));
// @ts-expect-error An answer is either a keep or a category.
yahtzee(() => ({ keep: [0], category: 'ACES' }));
// @ts-expect-error A bot decides synchronously.
yahtzee(async (turn) => turn.keep([]));
// @ts-expect-error A class needs a method turn.
yahtzee(class {});
// @ts-expect-error The turn belongs to the arena.
yahtzee((turn) => turn.keep([(turn.score = 0)]));
// @ts-expect-error Bids come from the turn, with a count and a face.
play({ liarsDice: (turn) => turn.bid(3) });
// @ts-expect-error The name of the game in JavaScript is liarsDice.
play({ 'liars-dice': Listening });
