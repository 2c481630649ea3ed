// Run with: node --test
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

import { checkTranscript, playTranscript } from './dicehill.mjs';
import { __NAME__ } from './__NAME__.mjs';

const positions = readFileSync(new URL('positions.txt', import.meta.url), 'utf8');

test('every answer is legal', () => {
  assert.deepEqual(checkTranscript({ liarsDice: __NAME__ }, positions), []);
});

test('an absurd bid is called', () => {
  const last = playTranscript({ liarsDice: __NAME__ }, positions).at(-1);
  assert.deepEqual(last.answer, { bid: 'Liar!' });
});
