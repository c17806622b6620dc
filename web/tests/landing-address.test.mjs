// Landing addresses as the builder writes them and a page reads them.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import '../shown-text.js';
import '../store-page.js';
import '../referral-bridge.js';
import '../builder/rows.js';
import '../landing-address.js';
import { tapped } from './tapped.mjs';

const { landingPage } = globalThis.LinkRows;
const SIG = `${'A-'.repeat(42)}_w`;

test('a referrer in the path is written and read', () => {
  const address = landingPage('https://example.com/for/*?a=1#top', 'via', ['open']);
  assert.equal(address('anna', { open: '/b' }), 'https://example.com/for/anna?a=1&open=%2Fb#top');
  for (const name of ['anna', 'zo\u00eb', 'a/b', 'a+b', 'a b', 'a&b=c', 'Acme Inc.', '...', '%41', '?', '#', '-']) {
    assert.equal(tapped({ from: '/for/*' }, address(name)).referrer, name, name);
  }
  for (const name of ['.', '..']) assert.throws(() => address(name));
});

test('a page reads the referrer of its path', () => {
  const read = (address, page) => tapped({ from: '/for/*', ...page }, `https://example.com${address}`);
  for (const [address, referrer] of Object.entries({
    '/for/anna': 'anna', '/for/anna/': 'anna', '/f%6fr/anna?via=bob': 'anna', '/for/a+b': 'a+b', '/for/a%2Fb': 'a/b', '/for/%zz': '%zz', '/for/%E9': '\ufffd',
  })) assert.equal(read(address)?.referrer, referrer, address);
  for (const address of ['/for', '/for/', '/for//', '/for/a/b', '/for/%2e', '/for/a//', '/other/anna', '/for?via=bob']) {
    assert.equal(read(address, { referrer: 'spring' }).referrer, 'spring', address);
    assert.equal(read(address), null, address);
  }
  assert.equal(read('/g%c3%a9t-anna', { from: '/g\u00e9t-*' }).referrer, 'anna');
  assert.deepEqual(read(`/for/anna?pack=gold&via=bob&sig=${SIG}&x=1`, { parameters: { pack: 'silver', y: '1' } }), { referrer: 'anna', parameters: { pack: 'gold', sig: SIG } });
  assert.deepEqual(read('/for/anna?open=/b&via=bob', { items: ['open', 'via'] }).parameters, { open: '/b' });
});
