// The page writes the vectors byte for byte, and what it writes reads back the same.

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import '../referral-bridge.js';
import { vectors } from './vectors.mjs';

const { payload, link } = globalThis.ReferralBridge;
const { encode, stamp } = vectors('encode');

const NOW = 1795224750690;
const PAGE = 'https://apps.apple.com/us/app/trestle/id1300230302';

const jsonOf = ed => Buffer.from(ed, 'base64url').toString();
const read = ed => {
  const { timestamp, referrer, ...parameters } = JSON.parse(jsonOf(ed));
  return { timestamp, referrer, parameters };
};

describe('vectors', () => {
  assert.ok(encode.length && stamp.length);

  for (const { timestamp, referrer, parameters, json, ed } of encode) {
    test(`payload of ${JSON.stringify(referrer)} at ${timestamp}`, () => {
      assert.equal(payload({ timestamp, referrer, ...parameters }), ed);
      assert.equal(payload({ ...parameters, referrer, timestamp }), ed, 'in any order');
      assert.equal(jsonOf(ed), json);
    });
  }

  for (const { page, ed, link: expected } of stamp) {
    test(`ed on ${page}`, () => assert.equal(link(page, ed), expected));
  }
});

describe('payload', () => {
  test('sorts names that an object would put in another order', () => {
    assert.equal(
      jsonOf(payload({ b: '1', 10: '2', 9: '3', '': '4', referrer: 'r', timestamp: NOW })),
      `{"timestamp":${NOW},"referrer":"r","":"4","10":"2","9":"3","b":"1"}`,
    );
  });

  test('treats __proto__ as a name like any other', () => {
    const tap = JSON.parse(`{"__proto__":"x","constructor":"y","timestamp":${NOW},"referrer":"r"}`);
    assert.equal(jsonOf(payload(tap)), `{"timestamp":${NOW},"referrer":"r","__proto__":"x","constructor":"y"}`);
  });

  for (const [lone, whole] of [
    ['\ud800', '\ufffd'],
    ['a\udfffb', 'a\ufffdb'],
    ['\udc00\ud800', '\ufffd\ufffd'],
    ['\ud83d\ude00\ud83d', '😀\ufffd'],
    ['\\\ud800', '\\\ufffd'],
  ]) {
    test(`a lone surrogate becomes U+FFFD: ${JSON.stringify(lone)}`, () => {
      assert.deepEqual(read(payload({ timestamp: NOW, referrer: lone, k: lone, [lone]: 'v' })), {
        timestamp: NOW, referrer: whole, parameters: { k: whole, [whole]: 'v' },
      });
    });
  }

  test('keeps text that looks like an escape', () => {
    assert.equal(read(payload({ timestamp: NOW, referrer: '\\ud800 \\\\udfff' })).referrer, '\\ud800 \\\\udfff');
  });

  test('keeps the fraction of a time', () => {
    assert.equal(read(payload({ timestamp: NOW + 0.5, referrer: 'r' })).timestamp, NOW + 0.5);
  });

  for (const refused of ['', undefined, null]) {
    test(`rejects the referrer ${JSON.stringify(refused)}`, () => assert.throws(() => payload({ timestamp: NOW, referrer: refused }), Error));
  }

  for (const value of [undefined, () => 'x', Symbol('x'), 7, 0, NaN, true, null, ['x'], ['x', { a: 1 }], { a: 1 }, {}, [], new Date(NOW)]) {
    test(`rejects a parameter that isn't a string: ${JSON.stringify(value) ?? typeof value}`, () => {
      assert.throws(() => payload({ timestamp: NOW, referrer: 'r', k: value }), Error);
      assert.throws(() => payload({ timestamp: NOW, referrer: 'r', a: 'x', k: value, z: 'y' }), Error, 'between others');
      assert.throws(() => payload({ timestamp: NOW, referrer: value }), Error, 'as the referrer');
    });
  }

  test('accepts any string, also one that looks like JSON', () => {
    for (const text of ['{"a":1}', ',"a":1', '"', '\\"', '":1,"', ':}', '\u2028\u2029', '"timestamp":1']) {
      assert.deepEqual(read(payload({ timestamp: NOW, referrer: text, [text]: text })), { timestamp: NOW, referrer: text, parameters: { [text]: text } });
    }
  });

  test('writes a time as a number', () => {
    for (const timestamp of [`${NOW}`, new Date(NOW)]) assert.equal(read(payload({ timestamp, referrer: 'r' })).timestamp, NOW);
  });

  test('accepts a time from 10^11 to below 10^16', () => {
    for (const timestamp of [1e11, 1e16 - 2]) assert.equal(read(payload({ timestamp, referrer: 'r' })).timestamp, timestamp);
    for (const timestamp of [1e11 - 1, 1e16, 0, -NOW, NaN, Infinity, null, undefined, 'soon']) {
      assert.throws(() => payload({ timestamp, referrer: 'r' }), Error, `${timestamp}`);
    }
  });

  test('accepts 8,192 bytes and rejects one more', () => {
    const frame = jsonOf(payload({ timestamp: NOW, referrer: 'é' })).length - 1;
    for (const filler of ['a', 'é', '😀', '\n', '\u0001']) {
      const each = Buffer.byteLength(JSON.stringify(filler)) - 2;
      const fits = filler.repeat(Math.floor((8192 - frame) / each));
      const full = fits + 'a'.repeat(8192 - frame - each * (fits.length / filler.length));
      assert.equal(Buffer.byteLength(jsonOf(payload({ timestamp: NOW, referrer: full }))), 8192);
      assert.throws(() => payload({ timestamp: NOW, referrer: full + 'a' }), Error);
    }
  });

  test('rejects 300 kB', () => {
    assert.throws(() => payload({ timestamp: NOW, referrer: 'r', k: 'x'.repeat(300_000) }), Error);
  });
});

describe('link', () => {
  test('accepts 65,536 bytes and rejects one more', () => {
    for (const [letter, bytes] of [['a', 1], ['é', 2], ['語', 3], ['😀', 4]]) {
      const room = 65536 - Buffer.byteLength(`${PAGE}?x=&ed=AAAA`);
      const items = letter.repeat(Math.floor(room / bytes)) + 'a'.repeat(room % bytes);
      assert.equal(Buffer.byteLength(link(`${PAGE}?x=${items}`, 'AAAA')), 65536);
      assert.throws(() => link(`${PAGE}?x=${items}a`, 'AAAA'), Error);
    }
  });

  test('keeps everything but the query\'s ed', () => {
    for (const [address, expected] of [
      [`${PAGE}/&ed=1&&/x`, `${PAGE}/&ed=1&&/x?ed=E`],
      [`${PAGE}?a=b?ed=1`, `${PAGE}?a=b?ed=1&ed=E`],
      [`${PAGE}?=x&=&%65d=1`, `${PAGE}?=x&=&%65d=1&ed=E`],
      [`${PAGE}?&&&`, `${PAGE}?ed=E`],
      [`${PAGE}?&ed&a`, `${PAGE}?a&ed=E`],
      [`${PAGE}?ed=a=b?c#d`, `${PAGE}?ed=E#d`],
      [`${PAGE}?a=$&$1$$\`#$'`, `${PAGE}?a=$&$1$$\`&ed=E#$'`],
      [`${PAGE}#&ed=1&&`, `${PAGE}?ed=E#&ed=1&&`],
      [`${PAGE}?a\n=1&\ned=2&ed=\n3`, `${PAGE}?a\n=1&\ned=2&ed=E`],
    ]) assert.equal(link(address, 'E'), expected);
  });

  test('has one ed after two calls', () => {
    assert.equal(link(link(`${PAGE}?mt=8#top`, 'AAAA'), 'BBBB'), `${PAGE}?mt=8&ed=BBBB#top`);
  });
});
