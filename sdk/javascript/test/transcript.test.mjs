// Saved games: the golden transcripts, --transcript, and what tests of authors use.
import assert from 'node:assert/strict';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';

import { liarsDice, yahtzee } from '../examples/steady.mjs';
import { checkTranscript, playTranscript } from '../dicehill.mjs';
import { folder, hello, liarsDiceTurn, program, run, yahtzeeTurn } from './program.mjs';

const steady = { yahtzee, liarsDice };
const golden = (name) => new URL(`../../../protocol/transcripts/${name}.txt`, import.meta.url);
const GOLDEN = ['yahtzee', 'liars-dice'];
const lines = (...messages) => messages.map((message) => JSON.stringify(message)).join('\n');

for (const name of GOLDEN) {
  test(`steady answers the golden transcript of ${name} as recorded, and legally`, () => {
    const text = fs.readFileSync(golden(name), 'utf8');
    const steps = playTranscript(steady, text);
    assert.ok(steps.length >= 20, `${steps.length} turns`);
    for (const { line, answer, recorded } of steps) assert.deepEqual(answer, recorded, `line ${line}`);
    assert.deepEqual(checkTranscript(steady, text), []);
  });
}

/** The reports of `checkTranscript` for one turn, answered by `bot`. */
function reports(bots, turn) {
  return checkTranscript(bots, lines(turn)).map((report) => report.replace('line 1: game 4, request 5: ', ''));
}

test('illegal Yahtzee answers are found', () => {
  const of = (answer, more) => reports({ yahtzee: () => answer }, yahtzeeTurn(5, 4, more))[0];
  assert.equal(of({ keep: [4, 0] }), undefined);
  assert.equal(of({ category: 'CHANCE' }), undefined);
  assert.equal(of({ category: 'ONES' }), undefined);
  assert.equal(of({ keep: [0] }, { stage: 2 }), 'a keep at stage 2');
  assert.equal(of({ keep: [0, -1] }), 'keep index -1 is not 0-4');
  assert.equal(of({ keep: [1.5] }), 'keep index 1.5 is not 0-4');
  assert.equal(of({ keep: [2, 1, 2] }), 'keep index 2 is repeated');
  assert.equal(of({ category: 'YAHTZEE' }), 'category YAHTZEE is not legal now');
  assert.equal(of({ category: 'toString' }), 'category toString is not legal now');
});

test('illegal bids are found', () => {
  const of = (bid, more) => reports({ liarsDice: () => ({ bid }) }, liarsDiceTurn(5, 4, more))[0];
  for (const bid of ['4 3', '5 1', ' 4  6 ', '1000000 6', 'Liar!', ' Liar! ']) assert.equal(of(bid), undefined, bid);
  assert.equal(of('4 2'), '4 2 is not above 4 2');
  assert.equal(of('3 6'), '3 6 is not above 4 2');
  assert.equal(of('0 1', { bids: [] }), 'count 0 is not 1-1000000');
  assert.equal(of('1000001 1'), 'count 1000001 is not 1-1000000');
  assert.equal(of('5 7'), 'face 7 is not 1-6');
  assert.equal(of('five sixes'), '"five sixes" is not "COUNT FACE"');
  assert.equal(of('liar!'), '"liar!" is not "COUNT FACE"');
  assert.equal(of('Liar!', { bids: [] }), "Liar! as a round's first action");
});

test('the conveniences of a turn of Liar\'s Dice', () => {
  const seen = [];
  const look = (turn) => seen.push(turn) && turn.liar();
  playTranscript({ liarsDice: look }, lines(
    liarsDiceTurn(1, 1),
    liarsDiceTurn(2, 1, { bids: ['1 2', '2 2', '3 2', '4 2', '12 5'] }),
    liarsDiceTurn(3, 1, { bids: [] }),
  ));
  const [turn, long, first] = seen;
  assert.deepEqual(turn.bids, [{ count: 3, face: 6 }, { count: 4, face: 2 }]);
  assert.deepEqual([turn.lastBid, turn.diceInPlay, turn.hiddenDice], [{ count: 4, face: 2 }, 15, 11]);
  assert.deepEqual([0, 1].map((index) => turn.bidder(index)), [2, 0]);
  assert.deepEqual([0, 1, 2, 3, 4].map((index) => long.bidder(index)), [2, 0, 1, 2, 0]);
  assert.deepEqual([1, 2, 3].map((face) => turn.lowestBid(face).count), [5, 5, 4]);
  assert.deepEqual([turn.isHigher({ count: 4, face: 3 }), turn.isHigher({ count: 4, face: 2 }), turn.isHigher({ count: 3, face: 6 })],
    [true, false, false]);
  assert.deepEqual([turn.bid(4, 3), turn.bid(turn.lowestBid(1)), turn.liar()], [{ bid: '4 3' }, { bid: '5 1' }, { bid: 'Liar!' }]);
  assert.deepEqual(long.lastBid, { count: 12, face: 5 });
  assert.deepEqual([first.lastBid, first.lowestBid(4), first.isHigher({ count: 1, face: 1 })], [null, { count: 1, face: 4 }, true]);
});

test('a turn of Yahtzee has everything under its own name', () => {
  let seen;
  const message = yahtzeeTurn(5, 4, { upper_bonus: 35, yahtzee_bonus: 100 });
  const [step] = playTranscript({ yahtzee: (turn) => (seen = turn).keepWhere((die, index) => die === 1 && index > 0) }, lines(message));
  const { upper_bonus: upperBonus, yahtzee_bonus: yahtzeeBonus, type, ...same } = message;
  assert.deepEqual({ ...seen }, { ...same, upperBonus, yahtzeeBonus });
  assert.deepEqual(step, { line: 1, id: 5, game: 4, message, answer: { keep: [1] }, recorded: null, same: null, illegal: null });
});

test('a transcript without a turn, or with a broken line, tests nothing and says so', () => {
  assert.throws(() => checkTranscript(steady, '# nothing\n'), /the transcript has no turn/);
  assert.throws(() => checkTranscript(steady, `${lines(yahtzeeTurn(1, 1))}\n{"type":`), /line 2 of the transcript/);
});

test('what a bot throws comes out of playTranscript', () => {
  const bot = () => {
    throw new RangeError('mine');
  };
  assert.throws(() => playTranscript({ yahtzee: bot }, lines(yahtzeeTurn(1, 1))), /^RangeError: mine$/);
});

test('--transcript shows each turn, its answer and the recorded one', (t) => {
  const file = path.join(folder(t), 'game.txt');
  fs.writeFileSync(file, [
    '# A comment, then a blank line.',
    '',
    `> ${lines(hello('yahtzee'))}`,
    `> ${lines(yahtzeeTurn(1, 7))}`,
    `> ${lines(yahtzeeTurn(2, 7))}\r`,
    '< {"id":2,"category":"CHANCE"}',
    '< {"keep":[3,4],"id":1}',
    lines(yahtzeeTurn(3, 7, { stage: 2 })),
  ].join('\n'));
  const bot = program(t, 'yahtzee((turn) => { console.log("print", turn.id); return { keep: [3, 4] }; });');
  const { stdout, stderr, status } = run(t, bot, [], { options: ['--transcript', file] });
  const shown = (id, stage) => `print ${id}\ngame 7, request ${id}: round 11, stage ${stage}, dice 1 1 4 6 6, score 119 -> keep 3 4`;
  assert.deepEqual([stderr, status], ['', 0]);
  assert.equal(stdout, `${shown(1, 1)} (as recorded)\n${shown(2, 1)} (recorded: CHANCE)\n`
    + `${shown(3, 2)} ILLEGAL: a keep at stage 2\n3 turns, 1 answers as recorded, 1 illegal\n`);
});

test('--transcript tells of an error as a game does, and needs a file', (t) => {
  const file = path.join(folder(t), 'game.txt');
  fs.writeFileSync(file, lines(liarsDiceTurn(1, 7), liarsDiceTurn(2, 7)));
  const bot = program(t, 'liarsDice((turn) => { if (turn.id === 2) throw new Error("mine"); return turn.liar(); });');
  const { stdout, stderr, status } = run(t, bot, [], { options: ['--transcript', file] });
  assert.match(stdout, /^game 7, request 1: seat 1, counts 6 4 5, dice 1 2 2 3, bids 3 6, 4 2 -> Liar!\n1 turns/);
  assert.match(stderr, /^dicehill: game 7, request 2: Error: mine\nError: mine\n/);
  assert.equal(status, 1);
  assert.equal(run(t, bot, [], { options: ['--transcript'] }).status, 2);
});
