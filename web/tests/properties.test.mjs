// Random referrals and addresses. A failure prints their seed.

import assert from 'node:assert/strict';
import { test } from 'node:test';

import '../referral-bridge.js';
import { samples } from './samples.mjs';

const { payload, link } = globalThis.ReferralBridge;

const SEED = Number(process.env.SEED ?? Date.now() % 2 ** 32);
const ROUNDS = samples(1000, 3000);

// mulberry32
const generator = seed => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const property = (name, check) => test(`${name} (SEED=${SEED})`, () => {
  const random = generator(SEED);
  const below = limit => Math.floor(random() * limit);
  const pick = list => list[below(list.length)];
  const many = (limit, make) => Array.from({ length: below(limit + 1) }, make);
  for (let round = 0; round < ROUNDS; round += 1) check({ below, pick, many });
});

const ALPHABETS = [
  'abcXYZ019',
  '+/=-_?&#%"\'\\<>`${}',
  '\b\t\n\f\r\0\u0001\u001f\u007f\u0085\u2028\u2029\ufeff',
  'éßčЖשلا日本語～',
  ['😀', '👩‍👩‍👧', '𝒳', '\u{10ffff}'],
  ['\ud800', '\udbff', '\udc00', '\udfff', '\ud83d', '\\ud800', '\\'],
];

const text = ({ pick, many }, limit) => many(limit, () => pick(pick(ALPHABETS))).join('');
const whole = string => string.replace(/[\ud800-\udfff]/gu, '\ufffd');

const referral = choose => ({
  referrer: text(choose, 12) || 'someone',
  timestamp: 1e11 + choose.below(2 ** 40),
  parameters: Object.fromEntries(choose.many(5, () => [text(choose, 4), text(choose, 12)])
    .filter(([name]) => !['timestamp', 'referrer'].includes(name))),
});

const json = ({ referrer, timestamp, parameters }) => {
  const members = Object.keys(parameters).sort().map(name => [name, parameters[name]]);
  return `{"timestamp":${timestamp},${[['referrer', referrer], ...members]
    .map(([name, value]) => `${JSON.stringify(whole(name))}:${JSON.stringify(whole(value))}`).join()}}`;
};

property('a payload is the canonical JSON in base64url', choose => {
  const tap = referral(choose);
  assert.equal(payload({ ...tap.parameters, timestamp: tap.timestamp, referrer: tap.referrer }), Buffer.from(json(tap)).toString('base64url'));
});

property('a payload reads back', choose => {
  const { referrer, timestamp, parameters } = referral(choose);
  const bytes = Buffer.from(payload({ ...parameters, timestamp, referrer }), 'base64url');
  const { timestamp: time, referrer: who, ...rest } = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  assert.equal(time, timestamp);
  assert.equal(who, whole(referrer));
  const written = Object.keys(parameters).sort().map(name => [whole(name), whole(parameters[name])]);
  assert.deepEqual(new Map(Object.entries(rest)), new Map(Object.entries(Object.fromEntries(written))));
});

property('a link keeps every other item, and the path and the fragment, byte for byte', choose => {
  const { pick, many } = choose;
  const items = many(6, () => pick(['', 'ed', 'ed=', 'ed=old', 'ed=a=b', 'bed=1', 'ED=1', 'edge', 'ct=a%20b', 'q=x+y?z', '=', '%65d=1', 'é=語']));
  const page = pick(['https://apps.apple.com/app/id1', 'https://apps.apple.com/us/app/a&ed=1/id1', '/get', '', 'itms-apps://x/id1']);
  const query = pick(['', '?']) && `?${items.join('&')}`;
  const fragment = pick(['', '#', '#top', '#?ed=1&', '#a#b']);
  const kept = query.slice(1).split('&').filter(item => item && item.split('=')[0] !== 'ed');
  assert.equal(link(page + query + fragment, 'AA-_'), `${page}?${[...kept, 'ed=AA-_'].join('&')}${fragment}`);
});
