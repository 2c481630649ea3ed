// The conformance bot in JavaScript. sdk/conformance/README.md says what it does.
import { CATEGORIES, play, yahtzee } from '../dicehill.mjs';

const options = [...process.argv.slice(2), '--transcript'];
const actions = options.slice(0, options.indexOf('--transcript'));
let turnsOfAllGames = 0;

function nextAction() {
  turnsOfAllGames += 1;
  return actions[Math.min(turnsOfAllGames, actions.length) - 1].split(' ');
}

function fail(action) {
  if (actions[0] === action) throw new Error('as told');
}

function tell(kind, ...groups) {
  if (actions[0] === 'tell') console.log(`${kind} ${groups.join(' | ')}`);
}

const words = (values) => values.join(' ');
const bids = (all) => all.map(({ count, face }) => `${count} ${face}`).join(', ');
const boxes = (scores) => words(CATEGORIES.filter((name) => name in scores).map((name) => `${name} ${scores[name]}`));

/** What both games have in common. */
class Bot {
  turns = 0;

  start({ game, players, seed }) {
    fail('fail-start');
    tell('start', words([game, players, seed]));
  }

  turn(turn) {
    this.turns += 1;
    const [action, ...values] = nextAction();
    const numbers = values.map(Number);
    switch (action) {
      case 'keep':
        return turn.keep(numbers);
      case 'turns':
        return turn.keep(Array.from({ length: this.turns - 1 }, (_, index) => index));
      case 'category':
        return turn.fill(values[0]);
      case 'bid':
        return turn.bid(...numbers);
      case 'print':
        console.log('stray');
        break;
      case 'fail':
        throw new Error('as told');
      default:
    }
    return this.told(turn);
  }
}

class YahtzeeBot extends Bot {
  told(turn) {
    const sums = [turn.upper, turn.upperBonus, turn.yahtzeeBonus, turn.score];
    tell('turn', words([turn.id, turn.game, turn.round, turn.stage]), words(turn.dice), boxes(turn.card),
      boxes(turn.legal), words(sums), words(turn.scores));
    const best = (one, other) => (turn.legal[other] > turn.legal[one] ? other : one);
    return turn.fill(CATEGORIES.filter((name) => name in turn.legal).reduce(best));
  }

  end({ game, scores, score, won }) {
    fail('fail-end');
    tell('end', game, words(scores), words([score, won]));
  }
}

class LiarsDiceBot extends Bot {
  told(turn) {
    tell('turn', words([turn.id, turn.game, turn.you]), words(turn.counts), words(turn.dice), bids(turn.bids),
      words(turn.names), words(turn.points));
    tell('table', words([turn.diceInPlay, turn.hiddenDice]), words(turn.bids.map((_, index) => turn.bidder(index))),
      bids([1, 2, 3, 4, 5, 6].map((face) => turn.lowestBid(face))),
      words([2, 3].map((face) => turn.isHigher({ count: 4, face }))));
    return turn.liar();
  }

  round({ game, bids: made, hands, caller, bidder, held }) {
    fail('fail-round');
    tell('round', game, bids(made), hands.map(words).join('; '), words([caller, bidder, held]));
  }

  end({ game, winner, points, names }) {
    fail('fail-end');
    tell('end', game, winner ?? '-', words(points), words(names));
  }
}

if (actions[0] === 'one-game') yahtzee(YahtzeeBot);
else play({ yahtzee: YahtzeeBot, liarsDice: LiarsDiceBot }, import.meta);
