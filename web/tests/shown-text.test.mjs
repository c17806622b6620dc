// Text from outside, which the library shows by the same cases.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import '../shown-text.js';
import { vectors } from './vectors.mjs';

const { shownText } = globalThis;

test('what a browser would act on is an escape, and a longer text is shortened', () => {
  for (const { text, shown } of vectors('shown')) assert.equal(shownText(text), shown);
});

test('half of a surrogate pair stays, and a pair is never cut', () => {
  assert.equal(shownText('\ud800'), '\ud800');
  assert.equal(shownText(`a${'😀'.repeat(500)}`, 3), 'a😀😀…');
});
