// The declarations agree with the code.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

import * as sdk from '../dicehill.mjs';

const here = (name) => fileURLToPath(new URL(`../${name}`, import.meta.url));
const declared = fs.readFileSync(here('dicehill.d.mts'), 'utf8');

test('what is exported is declared, and the other way round', () => {
  const names = [...declared.matchAll(/^export (?:class|const|function) (\w+)/gm)].map(([, name]) => name);
  assert.deepEqual([...new Set(names)].sort(), Object.keys(sdk).sort());
});

for (const name of ['YahtzeeTurn', 'LiarsDiceTurn']) {
  test(`what a ${name} has is declared, and the other way round`, () => {
    const body = declared.split(`export class ${name} {`)[1].split('\n}')[0];
    const names = [...body.matchAll(/^ {2}(?:readonly )?(\w+)[(:]/gm)].map(([, member]) => member);
    const message = { bids: [] };
    const members = [...Object.keys(new sdk[name](message)), ...Object.getOwnPropertyNames(sdk[name].prototype)];
    assert.deepEqual([...new Set(names)].sort(), members.filter((member) => member !== 'constructor').sort());
  });
}

// The compiler is a tool of developers (`npm install` in this folder), or the one on the path; nobody else needs it.
const local = here('node_modules/.bin/tsc');
const tsc = fs.existsSync(local) ? local : 'tsc';
const found = spawnSync(tsc, ['--version']).status === 0;
const OPTIONS = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'nodenext', '--types', ''];

function compiles(...words) {
  const { stdout, status } = spawnSync(tsc, [...OPTIONS, ...words], { encoding: 'utf8' });
  assert.equal(status, 0, stdout);
}

test('authors\' TypeScript compiles, and mistakes do not', { skip: !found && 'tsc is not installed' }, () => {
  compiles(here('types/author.mts'));
});

test('the example passes checkJs', { skip: !found && 'tsc is not installed' }, () => {
  compiles('--allowJs', '--checkJs', here('examples/steady.mjs'));
});
