// Landing addresses as the builder writes them, a page reads them, and the builder finds them in pasted text, by the vectors.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import '../shown-text.js';
import '../store-page.js';
import '../referral-bridge.js';
import '../landing-address.js';
import '../builder/web-address.js';
import '../builder/rows.js';
import '../builder/pasted.js';
import { effort } from './effort.mjs';
import { tapped } from './tapped.mjs';
import { vectors } from './vectors.mjs';

const { landingPage } = globalThis.LinkRows;
const { find, matches } = globalThis.PastedText;
const { pages, refusedPages, pasted, sorted, path } = vectors('ways');

test('a referrer in the path is written', () => {
  for (const { referrer, parameters, address } of path.written) {
    const write = () => landingPage(path.page, 'via', path.items)(referrer, parameters);
    if (address == null) assert.throws(write, referrer);
    else assert.equal(write(), address);
  }
  assert.equal(landingPage('https://example.com/for/*?a=1&via=x#top', 'via', ['open'])('anna', { open: '/b' }), 'https://example.com/for/anna?a=1&open=%2Fb#top');
});

describe('a page reads the referrer in its path', () => {
  const page = { from: '/for/*', ...path };
  for (const { address, referrer, parameters } of path.read) {
    test(address, () => assert.deepEqual(tapped({ ...page, referrer: undefined }, address), referrer && { referrer, parameters }));
  }

  test('its own referrer is for other paths', () => assert.equal(tapped({ ...page, referrer: 'spring' }, 'https://example.com/for/?via=ben').referrer, 'spring'));
  test('its path may have letters beyond ASCII', () => assert.equal(tapped({ from: '/g\u00e9t-*' }, 'https://example.com/g%c3%a9t-anna').referrer, 'anna'));
});

describe('an address is a page\u2019s in any spelling', () => {
  for (const { name, page, address, matches: expected } of pages) test(name, () => assert.equal(matches(page, address), expected));
});

test('a page has a host of which no browser makes another name', () => {
  for (const address of refusedPages) assert.equal(globalThis.WebAddress.site(address), null, address);
});

test('an address beyond ASCII is written in its one spelling, and another one stays as it is', () => {
  assert.equal(landingPage('HTTPS://B\u00fccher.example:443/g\u00e9t%2dx?\u00e9=%c3#\u00e9')('zo\u00eb'),
    'https://xn--bcher-kva.example/g%C3%A9t-x?%C3%A9=%C3&via=zo%C3%AB#%C3%A9');
  assert.equal(landingPage('HTTPS://Example.com:443/%67et')('anna'), 'HTTPS://Example.com:443/%67et?via=anna');
});

describe('a pasted text names the referrer, or its address was cut', () => {
  for (const { text, referrer = null, cut = false } of pasted) {
    test(JSON.stringify(text), () => {
      const found = find(text, { page: 'https://example.com/get', from: 'via', handedOn: ['open'] });
      assert.deepEqual([found?.referrer ?? null, found?.isCut ?? false], [referrer, cut]);
    });
  }

  test('it says which items of a signed address do not count', () => {
    for (const { text, note } of sorted) assert.equal(find(text, { page: 'https://example.com/get', from: 'via', handedOn: ['open'] }).note, note);
  });

  test('characters without a shape are no letters, and a letter before a host makes it another one', () => {
    const options = { page: 'https://example.com/get', from: 'via' };
    assert.equal(find('https://example.com/get?via=anna\ufe0f', options).referrer, 'anna');
    assert.equal(find('_example.com/get?via=anna', options).referrer, 'anna');
    assert.equal(find('\u00fcexample.com/get?via=anna', options), null);
    assert.equal(find('\u2764\ufe0fexample.com/get?via=anna', options).referrer, 'anna');
  });

  test('in time in proportion', () => {
    for (const piece of ['.', 'a', '(', '\u00ad', '=', '?', '://', 'https://example.com/get?via=', 'a b ', 'a\u00ad', '-\n']) {
      const work = effort(() => find(piece.repeat(200_000 / piece.length), { page: 'https://example.com/get', from: 'via' }));
      assert.ok(work < 100, `${piece} ${work}`);
    }
  });
});
