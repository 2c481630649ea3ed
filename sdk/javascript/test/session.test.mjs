// The protocol as a bot's process speaks it.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from 'node:test';

import { STEADY, hello, liarsDiceTurn, program, run, start, values, yahtzeeTurn } from './program.mjs';

test('64 requests of several games in one write are all answered, by sockets', (t) => {
  const ids = Array.from({ length: 64 }, (_, index) => 2 ** 53 - 1 - 977 * index);
  const turns = ids.map((id, index) => yahtzeeTurn(id, 2 ** 40 + (index % 5), { stage: index % 3 }));
  const { answers, status } = run(t, STEADY, [hello('yahtzee'), ...turns], { way: 'sockets' });
  assert.equal(status, 0);
  assert.deepEqual(answers.slice(1).map((answer) => answer.id), ids);
  assert.deepEqual(answers[1].keep, [3, 4]);
  assert.deepEqual(answers[3].category, 'CHANCE');
});

test('JSON that is no object is ignored', (t) => {
  const { answers, stderr, status } = run(t, STEADY, ['null\n', yahtzeeTurn(8, 1)]);
  assert.deepEqual([answers, stderr, status], [[{ id: 8, keep: [3, 4] }], '', 0]);
});

test('a turn without a hello or a start is answered, by functions and by classes', (t) => {
  const bot = program(t, 'yahtzee(class { turn(turn) { return turn.fill("CHANCE"); } });');
  assert.deepEqual(run(t, bot, [yahtzeeTurn(1, 1)]).answers, [{ id: 1, category: 'CHANCE' }]);
  assert.deepEqual(run(t, STEADY, [liarsDiceTurn(2, 1)]).answers, [{ id: 2, bid: '5 2' }]);
});

test('the constructor gets the hello', (t) => {
  const bot = program(t, `
    yahtzee(class {
      constructor(hello) { this.memory = hello.memory; }
      turn(turn) { console.error(this.memory); return turn.keep([]); }
    });`);
  assert.equal(run(t, bot, [hello('yahtzee'), start(7), yahtzeeTurn(1, 7)]).stderr, 'game\n');
});

test('a line longer than any buffer is read, by sockets', (t) => {
  const long = { ...yahtzeeTurn(1, 1), filling: 'é'.repeat(700_000) };
  const { answers } = run(t, STEADY, [long, yahtzeeTurn(2, 1)], { way: 'sockets' });
  assert.deepEqual(answers.map(({ id }) => id), [1, 2]);
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
