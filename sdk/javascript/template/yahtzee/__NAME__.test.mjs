// Run with: node --test
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { checkTranscript, playTranscript } from './dicehill.mjs';
import { __NAME__ } from './__NAME__.mjs';

const positions = readFileSync(new URL('positions.txt', import.meta.url), 'utf8');

test('every answer is legal', () => {
  assert.deepEqual(checkTranscript({ yahtzee: __NAME__ }, positions), []);
});

test('a large straight is taken at once', () => {
  const [first] = playTranscript({ yahtzee: __NAME__ }, positions);
  assert.deepEqual(first.answer, { category: 'LARGE_STRAIGHT' });
});
