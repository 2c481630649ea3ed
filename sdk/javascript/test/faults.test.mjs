// What authors' code may do wrong, and stray prints.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';

import { READY, WAYS, hello, liarsDiceTurn, program, run, start, yahtzeeTurn } from './program.mjs';

for (const way of Object.keys(WAYS)) {
  test(`stray prints go to stderr, by ${way}`, (t) => {
    const bot = program(t, `
      import fs, { writeSync } from 'node:fs';
      yahtzee((turn) => {
        console.log('one');
        process.stdout.write('two\\n');
        fs.writeSync(1, 'three\\n');
        writeSync(1, Buffer.from('four\\n'));
        fs.writeFileSync(1, 'five\\n');
        return turn.keep([]);
      });`);
    const { answers, stderr, status } = run(t, bot, [hello('yahtzee'), yahtzeeTurn(1, 1), yahtzeeTurn(2, 1)], { way });
    assert.deepEqual(answers, [READY, { id: 1, keep: [] }, { id: 2, keep: [] }]);
    assert.equal(stderr, 'one\ntwo\nthree\nfour\nfive\n'.repeat(2));
    assert.equal(status, 0);
  });

  test(`the line before the stack trace names game and request, by ${way}`, (t) => {
    const bot = program(t, `
      function decide(turn) { if (turn.id === 2) throw new RangeError('no such die'); return turn.keep([0]); }
      yahtzee(decide);`);
    const { answers, stderr, status } = run(t, bot, [yahtzeeTurn(1, 7), yahtzeeTurn(2, 7), yahtzeeTurn(3, 7)], { way });
    assert.deepEqual([answers[0], answers[2]], [{ id: 1, keep: [0] }, { id: 3, keep: [0] }]);
    assert.match(answers[1].error, /^RangeError: no such die at .*decide .*\(bot\.mjs:\d+:\d+\)$/);
    assert.match(stderr, /^dicehill: game 7, request 2: RangeError: no such die\nRangeError: no such die\n {4}at .*decide .*bot\.mjs:\d+:\d+\)\n$/);
    assert.equal(status, 0);
  });
}

test('what a child process prints goes to stderr', (t) => {
  const bot = program(t, `
    import { execFileSync } from 'node:child_process';
    yahtzee((turn) => { execFileSync('echo', ['child'], { stdio: 'inherit' }); return turn.keep([]); });`);
  const { answers, stderr } = run(t, bot, [yahtzeeTurn(1, 1)]);
  assert.deepEqual([answers, stderr], [[{ id: 1, keep: [] }], 'child\n']);
});

test('a log in a file keeps what both descriptors write', (t) => {
  const bot = program(t, 'yahtzee((turn) => { console.log("out"); console.error("err"); return turn.keep([]); });');
  const input = `${JSON.stringify(yahtzeeTurn(1, 1))}\n`.repeat(2);
  const script = `'${process.execPath}' '${bot}' 2>'${bot}.log' | cat; cat '${bot}.log' >&2`;
  const { stdout, stderr } = spawnSync('sh', ['-c', script], { input, encoding: 'utf8' });
  assert.equal(stderr, 'out\nerr\nout\nerr\n');
  assert.equal(stdout, '{"id":1,"keep":[]}\n'.repeat(2));
});

/** The first line of stderr when a bot fails at one of these messages; only in a turn it goes on. */
function complaint(t, source, messages) {
  const { answers, stderr, status } = run(t, program(t, source), messages);
  assert.equal(status, answers.some((answer) => 'error' in answer) ? 0 : 1, stderr);
  return stderr.split('\n')[0];
}

test('a constructor that fails is named as the start', (t) => {
  const bot = 'yahtzee(class { constructor() { throw new Error("x"); } turn() {} });';
  assert.equal(complaint(t, bot, [start(3)]), 'dicehill: game 3, start: Error: x');
});

test('an answer that is none is an error of the author', (t) => {
  const of = (source, turn) => complaint(t, source, [turn]);
  const keep = 'not { keep: [indexes] } or { category: NAME }';
  assert.equal(of('yahtzee(() => {})', yahtzeeTurn(5, 4)), `dicehill: game 4, request 5: TypeError: turn returned undefined, ${keep}`);
  assert.equal(of('yahtzee(async (turn) => turn.keep([]))', yahtzeeTurn(5, 4)),
    `dicehill: game 4, request 5: TypeError: turn returned a Promise (a bot decides synchronously), ${keep}`);
  assert.equal(of('yahtzee(() => ({ keep: [1], category: "ACES" }))', yahtzeeTurn(5, 4)),
    `dicehill: game 4, request 5: TypeError: turn returned {"keep":[1],"category":"ACES"}, ${keep}`);
  assert.match(of('liarsDice(() => "4 2")', liarsDiceTurn(5, 4)), /turn returned "4 2", not \{ bid/);
  assert.equal(of('yahtzee(() => { throw null; })', yahtzeeTurn(5, 4)), 'dicehill: game 4, request 5: threw null');
});

test('an illegal keep or category is found where it is made', (t) => {
  const of = (answer, more) => complaint(t, `yahtzee((turn) => turn.${answer});`, [yahtzeeTurn(5, 4, more)]);
  const where = 'dicehill: game 4, request 5: RangeError:';
  assert.equal(of('keep([0, 5])'), `${where} keep index 5 is not 0-4`);
  assert.equal(of('keep([undefined])'), `${where} keep index undefined is not 0-4`);
  assert.equal(of('keep([3, 3])'), `${where} keep index 3 is repeated`);
  assert.equal(of('keep([])', { stage: 2 }), `${where} a keep at stage 2`);
  assert.equal(of('fill("TWOS")'), `${where} category TWOS is not legal now`);
});

test('a game that the SDK does not know is named', (t) => {
  assert.equal(complaint(t, 'yahtzee((turn) => turn.keep([]));', [hello('pig')]),
    'dicehill: hello: Error: this version does not know the game "pig"');
});

test('a class without turn is refused before anything is played', (t) => {
  const { stderr, status } = run(t, program(t, 'class Mine {}\nyahtzee(Mine);'), []);
  assert.match(stderr, /TypeError: class Mine has no method turn\(turn\)/);
  assert.equal(status, 1);
});
