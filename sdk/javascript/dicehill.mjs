/**
 * Bots for dicehill in JavaScript: speaks the arena's line protocol, so that an author writes decisions only.
 *
 * A bot is a class with a method `turn(turn)`, of which every game has an object of its own, or a plain
 * function from a turn to an answer. `yahtzee(bot)`, `liarsDice(bot)` and `play({ yahtzee, liarsDice })` read
 * requests from stdin until it ends. With `--transcript FILE` on the command line they step through a saved
 * game instead. `playTranscript` and `checkTranscript` do so for tests.
 *
 * What a program prints while it plays goes to stderr, the bot's log. The types are in `dicehill.d.mts`.
 */

import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { fileURLToPath } from 'node:url';

/** The categories in the order of the score card. */
export const CATEGORIES = Object.freeze([
  'ACES', 'TWOS', 'THREES', 'FOURS', 'FIVES', 'SIXES', 'THREE_OF_A_KIND', 'FOUR_OF_A_KIND', 'FULL_HOUSE',
  'SMALL_STRAIGHT', 'LARGE_STRAIGHT', 'YAHTZEE', 'CHANCE',
]);

/** Plays Yahtzee until stdin ends. With `import.meta` it plays only where that file is the program. */
export function yahtzee(bot, meta) {
  play({ yahtzee: bot }, meta);
}

/** Plays Liar's Dice until stdin ends. With `import.meta` it plays only where that file is the program. */
export function liarsDice(bot, meta) {
  play({ liarsDice: bot }, meta);
}

/** Plays the game that the arena names in its first message. Does not return when it plays. */
export function play(bots, meta) {
  const session = new Session(bots);
  if (meta !== undefined && !isProgram(meta)) return;
  const option = process.argv.indexOf('--transcript', 2);
  process.exit(option < 0 ? serve(session) : show(session, process.argv[option + 1]));
}

/** What the bot sees at its turn in Yahtzee. */
export class YahtzeeTurn {
  constructor(message) {
    this.id = message.id;
    this.game = message.game;
    this.round = message.round;
    this.stage = message.stage;
    this.dice = message.dice;
    this.card = message.card;
    this.legal = message.legal;
    this.upper = message.upper;
    this.upperBonus = message.upper_bonus;
    this.yahtzeeBonus = message.yahtzee_bonus;
    this.score = message.score;
    this.scores = message.scores;
  }

  /** Keeps the dice at these indexes, 0-4, and rolls the others. */
  keep(indexes) {
    const keep = [...indexes];
    const why = wrongKeep(this.stage, keep);
    if (why !== null) throw new RangeError(why);
    return { keep };
  }

  /** Keeps every die for which `wanted(die, index)` is true. */
  keepWhere(wanted) {
    const keep = [];
    this.dice.forEach((die, index) => {
      if (wanted(die, index)) keep.push(index);
    });
    return this.keep(keep);
  }

  /** Ends the turn by filling the box of `category`. */
  fill(category) {
    const why = wrongCategory(this.legal, category);
    if (why !== null) throw new RangeError(why);
    return { category: named(category) };
  }
}

/** What the bot sees at its turn in Liar's Dice. */
export class LiarsDiceTurn {
  constructor(message) {
    this.id = message.id;
    this.game = message.game;
    this.you = message.you;
    this.counts = message.counts;
    this.dice = message.dice;
    this.bids = message.bids.map(toBid);
    this.names = message.names;
    this.points = message.points;
  }

  /** The bid on the table, or null for a round's first action. */
  get lastBid() {
    return this.bids.length === 0 ? null : this.bids[this.bids.length - 1];
  }

  /** How many dice are on the table, one's own included. */
  get diceInPlay() {
    return this.counts.reduce((sum, count) => sum + count, 0);
  }

  /** The number of dice of the others. */
  get hiddenDice() {
    return this.diceInPlay - this.dice.length;
  }

  /** The seat that made `bids[index]`. */
  bidder(index) {
    const seats = this.counts.length;
    const back = (this.bids.length - index) % seats;
    return (this.you - back + seats) % seats;
  }

  /** Whether a bid may follow the one on the table. */
  isHigher({ count, face }) {
    const last = this.lastBid;
    return last === null || count > last.count || (count === last.count && face > last.face);
  }

  /** The lowest bid on `face` that may follow the one on the table. */
  lowestBid(face) {
    const last = this.lastBid;
    if (last === null) return { count: 1, face };
    return { count: face > last.face ? last.count : last.count + 1, face };
  }

  /** Bids: `bid(4, 3)` or `bid({ count: 4, face: 3 })`. Whether it is legal is left to the arena. */
  bid(count, face) {
    return typeof count === 'object' ? { bid: `${count.count} ${count.face}` } : { bid: `${count} ${face}` };
  }

  /** Calls the last bidder a liar. */
  liar() {
    return { bid: 'Liar!' };
  }
}

/** Plays every turn of a transcript and prints the bot's answers, next to the recorded answers if there are any. */
export function playTranscript(bots, text) {
  const steps = transcriptSteps(new Session(bots), text, (error) => {
    throw error;
  });
  return [...steps];
}

/** The bot's illegal answers to the turns of a transcript, a sentence each. */
export function checkTranscript(bots, text) {
  const steps = playTranscript(bots, text);
  if (steps.length === 0) throw new Error('the transcript has no turn');
  const illegal = steps.filter((step) => step.illegal !== null);
  return illegal.map((step) => `line ${step.line}: game ${step.game}, request ${step.id}: ${step.illegal}`);
}

// ---- Answers ----

const ZERO = '0'.charCodeAt(0);

/** An answer as a line. An answer of another form than the game's is an error of the author's. */
function yahtzeeLine(id, answer) {
  const { keep, category } = asObject(answer);
  if (keep !== undefined && category === undefined) {
    return `{"id":${id},"keep":${JSON.stringify([...keep])}}\n`;
  }
  if (typeof category === 'string' && keep === undefined) {
    return `{"id":${id},"category":${JSON.stringify(named(category))}}\n`;
  }
  throw noAnswer(answer, '{ keep: [indexes] } or { category: NAME }');
}

function liarsDiceLine(id, answer) {
  const { bid } = asObject(answer);
  if (typeof bid === 'string') return `{"id":${id},"bid":${JSON.stringify(bid)}}\n`;
  throw noAnswer(answer, "{ bid: 'COUNT FACE' } or { bid: 'Liar!' }");
}

function asObject(answer) {
  return typeof answer === 'object' && answer !== null ? answer : {};
}

function noAnswer(answer, form) {
  const what = answer instanceof Promise ? 'a Promise (a bot decides synchronously)' : printed(answer);
  return new TypeError(`turn returned ${what}, not ${form}`);
}

function printed(value) {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return String(value);
  }
}

/** Why a keep is illegal, or null. */
function wrongKeep(stage, keep) {
  if (stage === 2) return 'a keep at stage 2';
  const outside = keep.find((index) => !Number.isInteger(index) || index < 0 || index > 4);
  if (keep.some((index) => index === outside)) return `keep index ${outside} is not 0-4`;
  const repeated = keep.find((index, place) => keep.indexOf(index) !== place);
  return repeated === undefined ? null : `keep index ${repeated} is repeated`;
}

/** A category by the scorecard's name for it. ONES is another name of ACES. */
function named(category) {
  return category === 'ONES' ? 'ACES' : category;
}

/** Why a category is illegal, or null. */
function wrongCategory(legal, category) {
  return Object.hasOwn(legal, named(category)) ? null : `category ${category} is not legal now`;
}

function wrongYahtzeeAnswer(message, { keep, category }) {
  return keep === undefined ? wrongCategory(message.legal, category) : wrongKeep(message.stage, keep);
}

function wrongBid(message, { bid }) {
  const text = bid.trim();
  const last = message.bids.at(-1);
  if (text === 'Liar!') return last === undefined ? 'Liar! as a round\'s first action' : null;
  if (!/^\d+ +\d+$/.test(text)) return `${JSON.stringify(bid)} is not "COUNT FACE"`;
  const [count, face] = text.split(/ +/).map(Number);
  if (count < 1 || count > 1_000_000) return `count ${count} is not 1-1000000`;
  if (face < 1 || face > 6) return `face ${face} is not 1-6`;
  const higher = new LiarsDiceTurn(message).isHigher({ count, face });
  return higher ? null : `${text} is not above ${last}`;
}

/** A bid as the arena writes it, "4 2". Digit by digit, because turns have many bids and `Number` is slow. */
function toBid(text) {
  const blank = text.length - 2;
  let count = 0;
  for (let place = 0; place < blank; place += 1) count = 10 * count + text.charCodeAt(place) - ZERO;
  return { count, face: text.charCodeAt(blank + 1) - ZERO };
}

// ---- The two games, as far as the protocol differs ----

const YAHTZEE = {
  name: 'yahtzee',
  bot: 'yahtzee',
  Turn: YahtzeeTurn,
  line: yahtzeeLine,
  wrong: wrongYahtzeeAnswer,
  situation: (turn) =>
    `round ${turn.round}, stage ${turn.stage}, dice ${turn.dice.join(' ')}, score ${turn.score}`,
  action: ({ keep, category }) => (keep === undefined ? named(category) : ['keep', ...keep].join(' ')),
};

const LIARS_DICE = {
  name: 'liars-dice',
  bot: 'liarsDice',
  Turn: LiarsDiceTurn,
  line: liarsDiceLine,
  wrong: wrongBid,
  situation: (turn) =>
    `seat ${turn.you}, counts ${turn.counts.join(' ')}, dice ${turn.dice.join(' ')}, ` +
    `bids ${turn.bids.length === 0 ? 'none' : turn.bids.join(', ')}`,
  action: ({ bid }) => bid.trim().replace(/ +/, ' '),
};

/** The game of a turn; its own fields tell, so that a turn without a hello is understood. */
function gameOf(message) {
  return message.legal === undefined ? LIARS_DICE : YAHTZEE;
}

// ---- The session: messages in, answers out, no clock and no file ----

class Session {
  /** Where the author's code is at work, for the message if it throws. */
  place = '';
  /** Whether the arena has said bye. */
  over = false;
  #bots;
  #hello = null;
  #seats = new Map();

  constructor(bots) {
    for (const bot of Object.values(bots)) requireBot(bot);
    this.#bots = bots;
  }

  /** Takes a message; returns the line that answers it, or an empty text. */
  receive(message) {
    switch (message?.type) {
      case 'turn':
        return this.#turn(message);
      case 'hello':
        return this.#welcome(message);
      case 'start':
        this.place = `game ${message.game}, start`;
        this.#seat(message.game, gameNamed(this.#hello?.game)).start?.(message);
        return '';
      case 'round':
        this.place = `game ${message.game}, round`;
        this.#seats.get(message.game)?.round?.({ ...message, bids: message.bids.map(toBid) });
        return '';
      case 'end':
        this.place = `game ${message.game}, end`;
        this.#seats.get(message.game)?.end?.(message);
        this.#seats.delete(message.game);
        return '';
      case 'error':
        log(`the arena says: ${message.why}${message.id === undefined ? '' : ` (request ${message.id})`}`);
        return '';
      case 'bye':
        this.over = true;
        return '';
      default:
        return '';
    }
  }

  #turn(message) {
    const game = gameOf(message);
    this.place = message;
    const seat = this.#seats.get(message.game) ?? this.#seat(message.game, game);
    return game.line(message.id, seat.turn(new game.Turn(message)));
  }

  /** The line that reports what a turn threw: its game fails, and the others go on. */
  failed({ id, game }, thrown) {
    this.#seats.delete(game);
    return `${JSON.stringify({ id, error: errorText(thrown) })}\n`;
  }

  #welcome(hello) {
    this.place = 'hello';
    this.#hello = hello;
    const bot = this.#bot(gameNamed(hello.game));
    const ready = { type: 'ready', inflight: hello.memory === 'set' ? 1 : 64 };
    if (typeof bot.prototype?.round === 'function') ready.events = ['round'];
    return `${JSON.stringify(ready)}\n`;
  }

  /** The author's object for a game, made when the game is first heard of. */
  #seat(number, game) {
    const bot = this.#bot(game);
    const seat = isClass(bot) ? new bot(this.#hello ?? undefined) : { turn: bot };
    this.#seats.set(number, seat);
    return seat;
  }

  #bot(game) {
    // A start before any hello does not name its game; a program with one bot plays that one.
    const bot = game === null ? Object.values(this.#bots)[0] : this.#bots[game.bot];
    if (bot === undefined) throw new Error(`this program has no bot for ${game.name}`);
    return bot;
  }
}

/** The game of that name, or null where no name was heard. */
function gameNamed(name) {
  if (name === undefined) return null;
  const game = [YAHTZEE, LIARS_DICE].find((known) => known.name === name);
  if (game === undefined) throw new Error(`this version does not know the game ${printed(name)}`);
  return game;
}

function isClass(bot) {
  return typeof bot.prototype?.turn === 'function';
}

function requireBot(bot) {
  if (typeof bot !== 'function') throw new TypeError(`a bot is a class or a function, not ${printed(bot)}`);
  const source = Function.prototype.toString.call(bot);
  if (source.startsWith('class') && !isClass(bot)) throw new TypeError(`class ${bot.name} has no method turn(turn)`);
}

// ---- Playing: stdin, stdout, stderr ----

/** Answers requests until the arena says bye or stdin ends; returns the exit code. */
function serve(session) {
  const out = keepStdout();
  const input = new Input();
  let lines;
  while (!session.over && (lines = input.lines()) !== null) {
    if (!answerAll(session, lines, out)) return 1;
  }
  return 0;
}

/**
 * Answers a batch of lines with one write. What the author's code throws in a turn ends that game alone. False when it threw in a
 * hook; what it answered before is sent.
 */
function answerAll(session, lines, out) {
  let answers = '';
  let error = null;
  for (const line of lines) {
    if (session.over || line === '' || line === '\r') continue;
    const message = parsed(line);
    try {
      answers += session.receive(message);
    } catch (thrown) {
      if (message.type === 'turn') {
        reportThrown(session, thrown);
        answers += session.failed(message, thrown);
        continue;
      }
      error = { thrown };
      break;
    }
  }
  if (answers !== '') writeAll(out, answers);
  if (error !== null) reportThrown(session, error.thrown);
  return error === null;
}

/** A line as a value; null, which is ignored, where it is no JSON. */
function parsed(line) {
  try {
    return JSON.parse(line);
  } catch {
    if (line.trim() !== '') log(`not a line of the protocol: ${line.slice(0, 200)}`);
    return null;
  }
}

function reportThrown(session, thrown) {
  const { place } = session;
  const where = typeof place === 'string' ? place : `game ${place.game}, request ${place.id}`;
  log(`${where}: ${thrownText(thrown)}`);
  if (thrown instanceof Error) writeAll(2, `${authorsStack(thrown)}\n`);
}

function thrownText(thrown) {
  return thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : `threw ${printed(thrown)}`;
}

/** What was thrown and the innermost places that it came through, for the board. */
function errorText(thrown) {
  const text = thrownText(thrown).slice(0, 300);
  // How deep a recursion gets depends on the machine.
  if (!(thrown instanceof Error) || /call stack/.test(thrown.message)) return text;
  const frames = authorsStack(thrown).split('\n').filter((line) => /^ {4}at /.test(line)).slice(0, 3);
  const places = frames.map((line) => line.slice(7).replace(/(file:\/\/)?\/[^()]*\//, ''));
  return places.length === 0 ? text : `${text} at ${places.join(', ')}`;
}

/** The stack without the frames that lead from here to the author's code: the arena shows only the last lines. */
function authorsStack({ stack }) {
  const lines = String(stack).split('\n');
  const ours = lines.findIndex((line) => /#turn |#seat |\.receive /.test(line) && line.includes(import.meta.url));
  return (ours < 0 ? lines : lines.slice(0, ours)).join('\n');
}

function log(text) {
  writeAll(2, `dicehill: ${text}\n`);
}

/** Stdin as batches of whole lines. */
class Input {
  #buffer = Buffer.allocUnsafeSlow(256 * 1024);
  #filled = 0;
  #ended = false;

  /** The lines that have come, at least one, or null after the end. */
  lines() {
    while (!this.#ended) {
      const from = this.#filled;
      const read = readSome(this.#buffer, from);
      this.#filled += read;
      this.#ended = read === 0;
      // Only what is new can hold the newline that ends the batch.
      const newline = this.#ended ? this.#filled - 1 : this.#buffer.lastIndexOf(10, this.#filled - 1);
      if (newline >= (this.#ended ? 0 : from)) return this.#take(newline + 1);
      if (this.#filled === this.#buffer.length) this.#grow();
    }
    return null;
  }

  #take(end) {
    const text = this.#buffer.toString('utf8', 0, end);
    this.#buffer.copyWithin(0, end, this.#filled);
    this.#filled -= end;
    return text.split('\n');
  }

  #grow() {
    const larger = Buffer.allocUnsafeSlow(this.#buffer.length * 2);
    this.#buffer.copy(larger);
    this.#buffer = larger;
  }
}

// Kept before anything is diverted; a program may replace them.
const { readSync, writeSync } = fs;

/** Reads what there is, waiting for at least a byte; 0 at the end. */
function readSome(buffer, from) {
  for (let pause = new Pause(); ; pause.wait()) {
    try {
      return readSync(0, buffer, from, buffer.length - from, null);
    } catch (error) {
      // Windows reports the end of a pipe as an error.
      if (error.code === 'EOF') return 0;
      if (error.code !== 'EAGAIN' && error.code !== 'EINTR') throw error;
    }
  }
}

function writeAll(fd, text) {
  const bytes = Buffer.from(text);
  const pause = new Pause();
  for (let sent = 0; sent < bytes.length; ) {
    try {
      sent += writeSync(fd, bytes, sent);
    } catch (error) {
      // The reader is gone: the same as the end of stdin.
      if (error.code === 'EPIPE') process.exit(0);
      if (error.code !== 'EAGAIN' && error.code !== 'EINTR') throw error;
      pause.wait();
    }
  }
}

/** Waits between attempts on a descriptor that does not block: node has no synchronous poll. */
class Pause {
  static #never = new Int32Array(new SharedArrayBuffer(4));
  #milliseconds = 0.05;

  wait() {
    Atomics.wait(Pause.#never, 0, 0, this.#milliseconds);
    this.#milliseconds = Math.min(this.#milliseconds * 2, 2);
  }
}

/**
 * Keeps the real stdout for answers and turns descriptor 1 to stderr, so that neither a stray print nor a child
 * process can break the protocol. Node cannot duplicate a descriptor, but it can open a pipe or file again
 * by its name under /proc/self/fd or /dev/fd, and the system gives the lowest free number, which is 1 once 1 is closed.
 */
function keepStdout() {
  // A file opened again would not share its position with other writers.
  if (fs.fstatSync(1).isFile()) return divertPrints();
  const folder = process.platform === 'linux' ? '/proc/self/fd' : '/dev/fd';
  let out;
  try {
    // Fails before anything is changed where one of them is a socket, which cannot be opened by name.
    fs.closeSync(fs.openSync(`${folder}/2`, 'a'));
    out = fs.openSync(`${folder}/1`, 'a');
  } catch {
    return divertPrints();
  }
  fs.closeSync(1);
  fs.openSync(`${folder}/2`, 'a');
  return appendingStderr(folder, out);
}

/** In a file, two descriptors that each know their own place would overwrite one another; both then append. */
function appendingStderr(folder, out) {
  if (fs.fstatSync(2).isFile()) {
    fs.closeSync(2);
    fs.openSync(`${folder}/1`, 'a');
  }
  return out;
}

/** The same within this process alone: what writes to stdout or to descriptor 1 writes to stderr. */
function divertPrints() {
  const names = ['write', 'writeSync', 'writev', 'writevSync', 'writeFile', 'writeFileSync', 'appendFile', 'appendFileSync'];
  for (const name of names) {
    const original = fs[name];
    fs[name] = (target, ...rest) => original(target === 1 ? 2 : target, ...rest);
  }
  syncBuiltinESMExports();
  process.stdout.write = process.stderr.write.bind(process.stderr);
  return 1;
}

function isProgram(meta) {
  if (typeof meta.main === 'boolean') return meta.main;
  const program = process.argv[1];
  return program !== undefined && fs.realpathSync(program) === fs.realpathSync(fileURLToPath(meta.url));
}

// ---- Transcripts ----

/** Steps through a transcript and prints each turn with its answer; returns the exit code. */
function show(session, file) {
  if (file === undefined) {
    log('--transcript needs a file');
    return 2;
  }
  let failed = false;
  const steps = transcriptSteps(session, fs.readFileSync(file, 'utf8'), (thrown) => {
    reportThrown(session, thrown);
    failed = true;
  });
  const counts = { turns: 0, same: 0, illegal: 0 };
  for (const step of steps) {
    writeAll(1, `${stepLine(step)}\n`);
    counts.turns += 1;
    counts.same += step.same === true ? 1 : 0;
    counts.illegal += step.illegal === null ? 0 : 1;
  }
  writeAll(1, `${counts.turns} turns, ${counts.same} answers as recorded, ${counts.illegal} illegal\n`);
  return failed ? 1 : 0;
}

function stepLine(step) {
  const { situation, action } = gameOf(step.message);
  const recorded = { true: ' (as recorded)', false: ` (recorded: ${step.recorded && action(step.recorded)})`, null: '' };
  const illegal = step.illegal === null ? '' : ` ILLEGAL: ${step.illegal}`;
  return `game ${step.game}, request ${step.id}: ${situation(step.message)} -> ${action(step.answer)}${recorded[step.same]}${illegal}`;
}

/** Hands the messages of a transcript to the bot and yields its answers; stops after what it throws. */
function* transcriptSteps(session, text, onThrow) {
  const { messages, recorded } = readTranscript(text);
  for (const { line, message } of messages) {
    let answer;
    try {
      answer = session.receive(message);
    } catch (thrown) {
      return onThrow(thrown);
    }
    if (message.type === 'turn') yield step(line, message, JSON.parse(answer), recorded.get(message.id));
  }
}

function step(line, message, { id, ...answer }, recordedLine) {
  const { action, wrong } = gameOf(message);
  const recorded = recordedLine === undefined ? null : withoutId(recordedLine);
  const same = recorded === null ? null : action(recorded) === action(answer);
  return { line, id, game: message.game, message, answer, recorded, same, illegal: wrong(message, answer) };
}

function withoutId({ id, ...answer }) {
  return answer;
}

/** Lines to the bot start with `> ` or with nothing, recorded answers with `< `, comments with `#`. */
function readTranscript(text) {
  const messages = [];
  const recorded = new Map();
  text.split('\n').forEach((raw, index) => {
    const line = raw.trim();
    if (line === '' || line.startsWith('#')) return;
    const message = transcriptLine(line, index + 1);
    if (!line.startsWith('<')) messages.push({ line: index + 1, message });
    else if (message.id !== undefined) recorded.set(message.id, message);
  });
  return { messages, recorded };
}

function transcriptLine(line, number) {
  try {
    return JSON.parse(line.replace(/^[<>]/, ''));
  } catch (error) {
    throw new SyntaxError(`line ${number} of the transcript: ${error.message}`);
  }
}
