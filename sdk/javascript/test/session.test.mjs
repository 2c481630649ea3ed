// The protocol as a bot's process speaks it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

import { READY, STEADY, WAYS, hello, liarsDiceTurn, program, run, start, values, yahtzeeEnd, yahtzeeTurn } from './program.mjs';

const SIXES = 'yahtzee((turn) => turn.keepWhere((die) => die === 6));';

test('a game of each kind is answered', (t) => {
  const yahtzee = [hello('yahtzee'), start(7), yahtzeeTurn(901, 7), yahtzeeEnd(7), { type: 'bye' }];
  const played = run(t, STEADY, yahtzee);
  assert.deepEqual(played, { ...played, stderr: '', status: 0, answers: [READY, { id: 901, keep: [3, 4] }] });
  const liar = run(t, STEADY, [hello('liars-dice'), start(3), liarsDiceTurn(12, 3)]);
  assert.deepEqual(liar, { ...liar, stderr: '', status: 0, answers: [READY, { id: 12, bid: '5 2' }] });
});

test('under memory set one request is in flight', (t) => {
  const { answers } = run(t, STEADY, [hello('yahtzee', 'set')]);
  assert.deepEqual(answers, [{ type: 'ready', inflight: 1 }]);
});

for (const way of Object.keys(WAYS)) {
  test(`64 requests of several games in one write are all answered, by ${way}`, (t) => {
    const ids = Array.from({ length: 64 }, (_, index) => 2 ** 53 - 1 - 977 * index);
    const turns = ids.map((id, index) => yahtzeeTurn(id, 2 ** 40 + (index % 5), { stage: index % 3 }));
    const { answers, status } = run(t, STEADY, [hello('yahtzee'), ...turns], { way });
    assert.equal(status, 0);
    assert.deepEqual(answers.slice(1).map((answer) => answer.id), ids);
    assert.deepEqual(answers[1].keep, [3, 4]);
    assert.deepEqual(answers[3].category, 'CHANCE');
  });
}

test('line ends with \\r, blank lines, unknown types and fields, and a last line without an end', (t) => {
  const lines = [
    `${JSON.stringify(hello('yahtzee'))}\r\n`,
    '\n',
    '\r\n',
    '  \n',
    { type: 'weather', id: 5 },
    { id: 6 },
    'null\n',
    { ...yahtzeeTurn(8, 1), mood: { good: [true, null] } },
    JSON.stringify(yahtzeeTurn(9, 1)),
  ];
  const { answers, stderr, status } = run(t, program(t, SIXES), lines);
  assert.deepEqual(answers, [READY, { id: 8, keep: [3, 4] }, { id: 9, keep: [3, 4] }]);
  assert.deepEqual([stderr, status], ['', 0]);
});

test('a turn without a hello or a start is answered, by functions and by classes', (t) => {
  const bot = program(t, 'yahtzee(class { turn(turn) { return turn.fill("CHANCE"); } });');
  assert.deepEqual(run(t, bot, [yahtzeeTurn(1, 1)]).answers, [{ id: 1, category: 'CHANCE' }]);
  assert.deepEqual(run(t, STEADY, [liarsDiceTurn(2, 1)]).answers, [{ id: 2, bid: '5 2' }]);
});

test('nothing on stdin is an orderly end, and so is bye with lines after it', (t) => {
  const nothing = run(t, STEADY, []);
  assert.deepEqual([nothing.stdout, nothing.stderr, nothing.status], ['', '', 0]);
  const after = run(t, STEADY, [hello('yahtzee'), { type: 'bye' }, yahtzeeTurn(1, 1)]);
  assert.deepEqual([after.answers, after.status], [[READY], 0]);
});

test('every game has an object of its own, made at its start and dropped after its end', (t) => {
  const bot = program(t, `
    let made = 0;
    yahtzee(class {
      constructor(hello) { this.number = ++made; this.memory = hello.memory; }
      start({ seed, players }) { console.error('start', this.number, this.memory, seed, players); }
      turn(turn) { this.turns = (this.turns ?? 0) + 1; return turn.keep(Array(this.turns).fill().map((_, i) => i)); }
      end({ score, won }) { console.error('end', this.number, score, won); }
    });`);
  const messages = [hello('yahtzee'), start(7), start(9), yahtzeeTurn(1, 7), yahtzeeTurn(2, 9), yahtzeeTurn(3, 7),
    yahtzeeEnd(7), yahtzeeTurn(4, 7)];
  const { answers, stderr } = run(t, bot, messages);
  assert.deepEqual(answers.slice(1).map(({ keep }) => keep.length), [1, 1, 2, 1]);
  assert.equal(stderr, 'start 1 game 9f3c00a1b2c3d4e5 3\nstart 2 game 9f3c00a1b2c3d4e5 3\nend 1 210 false\n');
});

test('a bot with a method round is told what calls revealed', (t) => {
  const bot = program(t, `
    liarsDice(class {
      held = 0;
      round({ bids, hands, held }) { this.held += held ? 1 : 0; console.error(JSON.stringify([bids[1], hands[0]])); }
      turn(turn) { return turn.bid(9 + this.held, 6); }
    });`);
  const round = { type: 'round', game: 3, bids: ['3 6', '4 2'], hands: [[1, 2], [6]], caller: 0, bidder: 1, held: true };
  const { answers, stderr } = run(t, bot, [hello('liars-dice'), start(3), round, liarsDiceTurn(1, 3)]);
  assert.deepEqual(answers, [{ ...READY, events: ['round'] }, { id: 1, bid: '10 6' }]);
  assert.equal(stderr, '[{"count":4,"face":2},[1,2]]\n');
});

test('what the arena says is shown', (t) => {
  const error = { type: 'error', id: 901, why: 'keep index 5 is not 0-4' };
  const { stderr, status } = run(t, STEADY, [hello('yahtzee'), error, { type: 'error', why: 'out of memory' }]);
  assert.equal(stderr, 'dicehill: the arena says: keep index 5 is not 0-4 (request 901)\ndicehill: the arena says: out of memory\n');
  assert.equal(status, 0);
});

test('a line longer than any buffer is read', (t) => {
  const long = { ...yahtzeeTurn(1, 1), filling: 'é'.repeat(700_000) };
  for (const way of Object.keys(WAYS)) {
    assert.deepEqual(run(t, program(t, SIXES), [long, yahtzeeTurn(2, 1)], { way }).answers.map(({ id }) => id), [1, 2]);
  }
});

test('answers come while stdin stays open, also in pieces, and stdin may not block', async (t) => {
  // Python makes stdin non-blocking for its child, which node itself cannot.
  const script = 'import os, sys; os.set_blocking(0, False); os.execvp(sys.argv[1], sys.argv[1:])';
  const child = spawn('python3', ['-c', script, process.execPath, STEADY], { stdio: ['pipe', 'pipe', 'inherit'] });
  t.after(() => child.kill());
  const line = `${JSON.stringify(yahtzeeTurn(1, 1))}\n`;
  for (const piece of [line.slice(0, 40), line.slice(40)]) {
    child.stdin.write(piece);
    await new Promise((resolve) => setTimeout(resolve, 30));
  }
  const [first] = await once(child.stdout, 'data');
  assert.deepEqual(values(first.toString()), [{ id: 1, keep: [3, 4] }]);
  child.stdin.end();
  assert.deepEqual(await once(child, 'exit'), [0, null]);
});

test('an arena that reads late gets every answer, also from a stdout that does not block', (t) => {
  const turns = Array.from({ length: 6000 }, (_, id) => yahtzeeTurn(id, 1));
  const reader = 'import os, sys, time, subprocess; r, w = os.pipe(); os.set_blocking(w, False)\n'
    + 'bot = subprocess.Popen(sys.argv[1:], stdout=w); os.close(w); time.sleep(0.5)\n'
    + 'lines = os.fdopen(r).read().splitlines(); print("x" if bot.wait() else len(lines), file=sys.stderr)';
  const source = `import { spawnSync } from 'node:child_process';
    const input = ${JSON.stringify(turns.map((turn) => JSON.stringify(turn)).join('\n'))};
    const run = spawnSync('python3', ['-c', ${JSON.stringify(reader)}, process.execPath, ${JSON.stringify(STEADY)}], { input });
    console.error(String(run.stderr).trim());`;
  assert.equal(run(t, program(t, source), []).stderr, '6000\n');
});
