// The starters work as `dicehill new` writes them: with a name filled in and the SDK beside them.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import { folder, run } from './program.mjs';

const here = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const named = (text) => text.replaceAll('__NAME__', 'Mine');

/** Writes the starter for `game` into a folder, which it returns. */
function starter(t, game) {
  const place = folder(t);
  for (const name of fs.readdirSync(here(`template/${game}`))) {
    const text = fs.readFileSync(here(`template/${game}/${name}`), 'utf8');
    fs.writeFileSync(path.join(place, named(name)), named(text));
  }
  for (const name of ['dicehill.mjs', 'dicehill.d.mts']) fs.copyFileSync(here(name), path.join(place, name));
  return place;
}

for (const game of ['yahtzee', 'liars-dice']) {
  test(`the starter for ${game} passes its own test`, (t) => {
    const cwd = starter(t, game);
    const env = { ...process.env };
    // Otherwise the inner run reports to the outer one instead of printing.
    delete env.NODE_TEST_CONTEXT;
    const { stdout, status } = spawnSync(process.execPath, ['--test', '--test-reporter=tap'], { cwd, env, encoding: 'utf8' });
    assert.equal(status, 0, stdout);
    assert.match(stdout, /^# pass 2$/m);
  });

  test(`the starter for ${game} plays`, (t) => {
    const place = starter(t, game);
    const toml = fs.readFileSync(path.join(place, 'bot.toml'), 'utf8');
    assert.match(toml, /^name = "Mine"\ngame = "[a-z-]+"\ncommand = \["node", "Mine\.mjs"\]\n$/);
    const lines = fs.readFileSync(path.join(place, 'positions.txt'), 'utf8').split('\n');
    const messages = lines.filter((line) => line.startsWith('{')).map((line) => `${line}\n`);
    const { answers, stderr, status } = run(t, path.join(place, 'Mine.mjs'), messages);
    assert.deepEqual([answers.length, stderr, status], [5, '', 0]);
  });
}
