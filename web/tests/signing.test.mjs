// ReferralReader judges signatures by the vectors and as the command does, and the page writes claims that verify.
// SEED chooses other random taps, and LONG_TESTS more of them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import vm from 'node:vm';

import '../referral-bridge.js';
import '../referral-reader.js';
import { samples } from './samples.mjs';
import { vectors } from './vectors.mjs';
import { skip, tool } from './tool.mjs';

const { payload, link } = globalThis.ReferralBridge;
const { judge, scan, judgeSigned, scanSigned, canJudgeSignatures, isSignature, isSigner } = globalThis.ReferralReader;
const read = path => readFileSync(new URL(path, import.meta.url), 'utf8');

const APP = '1300230302';
const NOW = 1795224750690;
const PAGE = `https://apps.apple.com/us/app/trestle/id${APP}`;
const VECTORS = vectors('signing');
const KEYS = Object.fromEntries(VECTORS.keys.map(({ name, public: signer, privatePEM }) => [name, { signer, key: createPrivateKey(privatePEM) }]));
const ANNA = KEYS.anna.signer;
const OPTIONS = { appID: APP, now: NOW, signers: [ANNA] };

const SENTENCES = {
  notSigned: 'The referral is not signed: it has no sig, or an empty one.',
  wrongSignature: 'No signer made the signature (sig) for this app, referrer and parameters, or sig or until is malformed.',
  campaignOver: 'The tap came at or after the end of its campaign (until).',
};

const base64 = bytes => Buffer.from(bytes).toString('base64');
const tapped = members => link(PAGE, payload({ timestamp: NOW - 1000, ...members }));
// Claims as the page writes a payload: without its time and its signature.
const claims = members => Buffer.from(payload({ timestamp: NOW, ...members }), 'base64url').toString().replace(/"timestamp":\d+,/, '');
const signed = ({ key = KEYS.anna.key, appID = APP, ...members } = {}) => {
  const text = { referrer: 'anna', pack: 'gold', ...members };
  const message = `ReferralBridge signed referral 1\n${appID}\n${claims(text)}`;
  return { ...text, sig: sign(null, Buffer.from(message), key).toString('base64url') };
};

test('signatures are checked as RFC 8032 and Project Wycheproof have them', async () => {
  const { cases } = JSON.parse(read('../../Tests/SigningTests/ed25519.json'));
  for (const { name, publicKey, message, signature, valid } of cases) {
    const [key, ...bytes] = [publicKey, signature, message].map(hex => Buffer.from(hex, 'hex'));
    assert.equal(await isSignature(...bytes, [key.toString('base64')]), valid, name);
  }
  assert.ok(cases.length > 150);
});

describe('what is signed', () => {
  for (const { name, appID, referrer, parameters, until, privateKey, message, sig } of VECTORS.sign) {
    test(name, async () => {
      const { key, signer } = KEYS[privateKey];
      assert.equal(base64(createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)), signer);
      const members = { ...parameters, ...until == null ? {} : { until: `${until}` }, referrer };
      assert.equal(`ReferralBridge signed referral 1\n${appID}\n${claims(members)}`, message);
      assert.equal(sign(null, Buffer.from(message), key).toString('base64url'), sig);

      // No tap is before 10^11.
      const timestamp = Math.max((until ?? NOW) - 1, 1e11);
      const address = link(`https://apps.apple.com/app/id${appID}`, payload({ ...members, sig, timestamp }));
      const judgment = await judgeSigned(address, { appID, now: timestamp, signers: [signer] });
      assert.equal(judgment.verdict, timestamp < (until ?? Infinity) ? 'found' : 'campaignOver', judgment.reason);
      assert.deepEqual(judgment.parameters, { ...parameters, ...until == null ? {} : { until: `${until}` }, sig });
    });
  }
});

describe('verdicts', () => {
  for (const { name, appID, now, additionalHosts, reportedTimestamp, windowMilliseconds, signers, strings, verdicts, found } of VECTORS.judge) {
    test(name, async () => {
      const window = windowMilliseconds == null ? undefined : windowMilliseconds / 1000;
      const options = { appID, now, window, reported: reportedTimestamp, hosts: additionalHosts, signers };
      const result = await scanSigned(strings, options);
      assert.deepEqual(result.judgments.map(judgment => judgment.verdict), verdicts);
      assert.equal(result.foundIndex, found?.index ?? null);
      const { referrer, timestamp, parameters } = result.found ?? {};
      assert.deepEqual(result.found && { index: result.foundIndex, referrer, timestamp, parameters }, found ?? null);
      for (const { verdict, reason } of result.judgments) {
        if (SENTENCES[verdict]) assert.equal(reason, SENTENCES[verdict]);
      }
      for (const [index, string] of strings.entries()) {
        const { verdict } = await judgeSigned(string, options);
        assert.equal(verdict, verdicts[index].replace('superseded', 'found'));
      }
    });
  }

  test('the same without a signature to look at', async () => {
    const { cases } = vectors('decode');
    for (const { name, appID, now, additionalHosts, reportedTimestamp, windowMilliseconds, strings } of cases) {
      const options = { appID, now, window: (windowMilliseconds ?? 300_000) / 1000, reported: reportedTimestamp, hosts: additionalHosts };
      const expected = scan(strings, options);
      assert.deepEqual(await scanSigned(strings, { ...options, signers: [] }), expected, name);
      const { judgments } = await scanSigned(strings, { ...options, signers: [ANNA] });
      const beforeTheTimes = new Set(['notALink', 'wrongApp', 'noPayload', 'malformedPayload', 'tooLong']);
      for (const [index, { verdict, ...rest }] of expected.judgments.entries()) {
        assert.equal(judgments[index].verdict, beforeTheTimes.has(verdict) ? verdict : 'notSigned', name);
        assert.deepEqual({ ...judgments[index], verdict: null, reason: null }, { ...rest, verdict: null, reason: null }, name);
      }
    }
  });

  test('one bit changed of sig or of the claims is never found', async () => {
    const { sig, ...members } = signed({ until: `${NOW + 1000}` });
    assert.equal((await judgeSigned(tapped({ ...members, sig }), OPTIONS)).verdict, 'found');
    const flipped = function* (text) {
      const bytes = Buffer.from(text);
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        bytes[bit >> 3] ^= 1 << (bit & 7);
        yield bytes;
        bytes[bit >> 3] ^= 1 << (bit & 7);
      }
    };
    const strings = [];
    for (const bytes of flipped(sig)) strings.push(tapped({ ...members, sig: bytes.toString('latin1') }));
    for (const bytes of flipped(Buffer.from(sig, 'base64url'))) strings.push(tapped({ ...members, sig: bytes.toString('base64url') }));
    const text = claims(members).slice(1);
    for (const bytes of flipped(text)) {
      const json = Buffer.concat([Buffer.from(`{"timestamp":${NOW - 1000},"sig":"${sig}",`), bytes]);
      strings.push(`${PAGE}?ed=${json.toString('base64url')}`);
    }
    assert.equal(strings.length, (86 + 64 + text.length) * 8);
    const { found, judgments } = await scanSigned(strings, OPTIONS);
    assert.equal(found?.payload, undefined);
    const counts = {};
    for (const { verdict } of judgments) counts[verdict] = (counts[verdict] ?? 0) + 1;
    assert.deepEqual(Object.keys(counts).sort(), ['malformedPayload', 'wrongSignature']);
    assert.ok(counts.wrongSignature > 1000 && counts.malformedPayload > 100, JSON.stringify(counts));
  });

  test('a signature is for the app that the address names, or else for the option\'s', async () => {
    const other = tapped(signed({ appID: '9' })).replace(`id${APP}`, 'id9');
    assert.equal((await judgeSigned(other, { ...OPTIONS, appID: undefined })).verdict, 'found');
    assert.equal((await judgeSigned(other.replace('id9', `id${APP}`), { ...OPTIONS, appID: undefined })).verdict, 'wrongSignature');
    const elsewhere = tapped(signed()).replace(PAGE, 'https://example.com/get');
    assert.equal((await judgeSigned(elsewhere, { ...OPTIONS, appID: Number(APP), hosts: ['example.com'] })).verdict, 'found');
    assert.equal((await judgeSigned(elsewhere, { ...OPTIONS, appID: undefined, hosts: ['example.com'] })).verdict, 'wrongSignature');
  });

  test('until is compared exactly', async () => {
    const tap = (timestamp, until) => link(PAGE, payload({ ...signed({ until }), timestamp }));
    const verdict = async (...given) => (await judgeSigned(tap(...given), { ...OPTIONS, window: Infinity, tolerance: Infinity })).verdict;
    assert.equal(await verdict(9007199254740992, '9007199254740993'), 'found');
    assert.equal(await verdict(9007199254740992, '9007199254740992'), 'campaignOver');
    assert.equal(await verdict(NOW + 0.5, `${NOW}`), 'campaignOver');
    assert.equal(await verdict(NOW + 0.5, `${NOW + 1}`), 'found');
    assert.equal(await verdict(9999999999999998, '9999999999999999'), 'found');
    assert.equal(await verdict(NOW, '99999999999999999'), 'wrongSignature');
  });

  test('parameters can have any name', async () => {
    for (const name of ['__proto__', 'toJSON', 'constructor', 'length', 'signers', '', 'Sig', '1']) {
      const members = Object.assign(Object.create(null), { [name]: 'x' });
      const tap = Object.assign(Object.create(null), { referrer: 'anna', [name]: 'x' });
      tap.sig = sign(null, Buffer.from(`ReferralBridge signed referral 1\n${APP}\n{"referrer":"anna",${JSON.stringify(name)}:"x"}`), KEYS.anna.key).toString('base64url');
      tap.timestamp = NOW;
      const judgment = await judgeSigned(link(PAGE, payload(tap)), OPTIONS);
      assert.equal(judgment.verdict, 'found', name);
      assert.equal(judgment.parameters[name], members[name]);
    }
  });
});

describe('signers', () => {
  const string = tapped(signed());

  test('are refused by the functions that don\'t wait', () => {
    for (const signers of [[ANNA], [''], [undefined], ANNA, new Set([ANNA]), true]) {
      assert.throws(() => judge(string, { ...OPTIONS, signers }), { name: 'TypeError', message: /ReferralReader\.judgeSigned/ });
      for (const strings of [[string], []]) {
        assert.throws(() => scan(strings, { ...OPTIONS, signers }), { name: 'TypeError', message: /ReferralReader\.scanSigned/ });
      }
    }
    for (const signers of [undefined, null, []]) {
      assert.equal(judge(string, { ...OPTIONS, signers }).verdict, 'found');
      assert.equal(scan([string], { ...OPTIONS, signers }).foundIndex, 0);
    }
  });

  test('are a list of 32 bytes each in base64', async () => {
    const lists = [
      undefined, null, ANNA, new Set([ANNA]), 'x', {}, 1,
      ...[undefined, '', 'x', ANNA.slice(0, -1), `${ANNA}=`, ` ${ANNA}`, `${ANNA}\n`, base64(Buffer.alloc(31)), base64(Buffer.alloc(33)),
        ANNA.replace(/.=$/, 'p='), ANNA.replace('+', '-'), Buffer.from(ANNA, 'base64')].map(wrong => [ANNA, wrong]),
    ];
    for (const signers of lists) {
      for (const judging of [judgeSigned(string, { ...OPTIONS, signers }), judgeSigned('x', { ...OPTIONS, signers }), scanSigned([], { ...OPTIONS, signers })]) {
        await assert.rejects(judging, { name: 'TypeError', message: 'The signers must be a list of public keys, each of them 32 bytes in base64, and no point of small order.' });
      }
    }
    await assert.rejects(judgeSigned(string), TypeError);
    await assert.rejects(scanSigned([string]), TypeError);
  });

  test('are no points of small order, for which anybody can sign', async () => {
    for (const point of VECTORS.smallOrder ?? []) {
      // Without the rule, this passes with every point of which the order divides 4.
      const sig = base64(Buffer.concat([Buffer.from([1]), Buffer.alloc(63)])).replaceAll('/', '_').replaceAll('+', '-').replace(/=+$/, '');
      const forged = tapped({ referrer: 'mallory', sig });
      for (const signers of [[point], [ANNA, point]]) {
        await assert.rejects(judgeSigned(forged, { ...OPTIONS, signers }), { name: 'TypeError', message: /no point of small order/ });
      }
      assert.equal(isSigner(point), false);
      for (let index = 0; index < 31; index += 1) {
        const other = Buffer.from(point, 'base64');
        other[index] ^= 0x10;
        assert.equal(isSigner(base64(other)), true, `${point}, ${index}`);
      }
    }
  });

  test('can be many, of whom one signed', async () => {
    const { publicKey, privateKey } = generateKeyPairSync('ed25519');
    const signer = base64(publicKey.export({ format: 'der', type: 'spki' }).subarray(-32));
    const own = tapped(signed({ key: privateKey }));
    assert.equal((await judgeSigned(own, OPTIONS)).verdict, 'wrongSignature');
    assert.equal((await judgeSigned(own, { ...OPTIONS, signers: [ANNA, signer] })).verdict, 'found');
    assert.equal((await judgeSigned(own, { ...OPTIONS, signers: [signer, ANNA] })).verdict, 'found');
    const noPoint = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAH8=';
    assert.equal((await judgeSigned(own, { ...OPTIONS, signers: [noPoint, signer] })).verdict, 'found');
    assert.equal((await judgeSigned(own, { ...OPTIONS, signers: [noPoint] })).verdict, 'wrongSignature');
  });
});

describe('a platform', () => {
  const load = globals => {
    const page = vm.createContext({ TextDecoder, TextEncoder, Uint8Array, atob, btoa, ...globals });
    for (const file of ['../store-page.js', '../referral-reader.js']) vm.runInContext(read(file), page);
    return page.ReferralReader;
  };
  const counted = (changes = {}) => {
    const calls = { importKey: 0, verify: 0 };
    const { subtle } = crypto;
    const count = name => (...given) => (calls[name] += 1, (changes[name] ?? subtle[name].bind(subtle))(...given));
    return { calls, crypto: { subtle: { importKey: count('importKey'), verify: count('verify') } } };
  };
  const no = error => () => { throw error; };
  const string = tapped(signed());

  test('can judge signatures here', async () => {
    assert.equal(await canJudgeSignatures(), true);
  });

  for (const [name, globals] of [
    ['without crypto', {}],
    ['without crypto.subtle, as on http', { crypto: {} }],
    ['without Ed25519', { crypto: { subtle: { importKey: async () => { throw new DOMException('no', 'NotSupportedError'); } } } }],
    ['that throws', { crypto: { subtle: { importKey: no(TypeError('no')) } } }],
  ]) {
    test(`${name} says so, and passes nothing`, async () => {
      const reader = load(globals);
      assert.equal(await reader.canJudgeSignatures(), false);
      const message = 'No signature can be judged here, because the platform has no Ed25519 in crypto.subtle, or the page is not on https.';
      for (const given of [string, 'see you at eight']) {
        await assert.rejects(reader.judgeSigned(given, OPTIONS), { name: 'Error', message });
        await assert.rejects(reader.judgeSigned(given, OPTIONS), { name: 'Error', message }, 'the second time too');
        await assert.rejects(reader.scanSigned([given], OPTIONS), { name: 'Error', message });
      }
      assert.equal((await reader.judgeSigned(string, { ...OPTIONS, signers: [] })).verdict, 'found');
      assert.equal(reader.judge(string, { appID: APP, now: NOW }).verdict, 'found');
    });
  }

  for (const [name, changes] of [
    ['refuses bytes that are no point when it imports them', { importKey: async (format, bytes, ...rest) => {
      if (bytes[31] == 0x7f) throw new DOMException('no', 'DataError');
      return crypto.subtle.importKey(format, bytes, ...rest);
    } }],
    ['refuses them when it verifies', { verify: async (algorithm, key, ...rest) => {
      if (Buffer.from(await crypto.subtle.exportKey('raw', key)).at(31) == 0x7f) throw new DOMException('no', 'OperationError');
      return crypto.subtle.verify(algorithm, key, ...rest);
    }, importKey: (format, bytes, algorithm, _, usages) => crypto.subtle.importKey(format, bytes, algorithm, true, usages) }],
  ]) {
    test(`that ${name} judges by the other signers`, async () => {
      const reader = load(counted(changes));
      const noPoint = 'AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAH8=';
      assert.equal((await reader.judgeSigned(string, { ...OPTIONS, signers: [noPoint, ANNA] })).verdict, 'found');
      assert.equal((await reader.judgeSigned(string, { ...OPTIONS, signers: [noPoint] })).verdict, 'wrongSignature');
    });
  }

  test('that takes a signature with the order added is not asked', async () => {
    const [string] = VECTORS.judge.find(({ name }) => name == 'S + L').strings;
    const { calls, crypto } = counted({ verify: async () => true });
    const reader = load({ crypto });
    assert.equal((await reader.judgeSigned(string, OPTIONS)).verdict, 'wrongSignature');
    assert.equal((await reader.judgeSigned(tapped(signed()), OPTIONS)).verdict, 'found');
    assert.equal(calls.verify, 1);
    const largest = Buffer.alloc(64);
    for (const [last, expected] of [['ec', 'found'], ['ed', 'wrongSignature']]) {
      Buffer.from(`${last}d3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010`, 'hex').copy(largest, 32);
      assert.equal((await reader.judgeSigned(tapped({ referrer: 'anna', sig: largest.toString('base64url') }), OPTIONS)).verdict, expected);
    }
  });

  test('imports each key once, and verifies only signatures of the right form', async () => {
    const { calls, crypto } = counted();
    const reader = load({ crypto });
    const strings = [...Array(50).fill(string), tapped({ referrer: 'x' }), tapped({ ...signed(), sig: 'x' }), 'see you at eight'];
    const { judgments } = await reader.scanSigned(strings, { ...OPTIONS, signers: [KEYS.ben.signer, ANNA] });
    assert.equal(judgments.filter(({ verdict }) => verdict == 'superseded').length, 49);
    assert.deepEqual(calls, { importKey: 2, verify: 100 });
  });
});

const SEED = Number(process.env.SEED ?? 20261121);
const TAPS = samples(500, 2000);

// mulberry32
const generator = seed => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

test(`${TAPS} random taps get the command's verdicts and reasons (SEED=${SEED})`, { skip }, async () => {
  const random = generator(SEED);
  const below = limit => Math.floor(random() * limit);
  const pick = list => list[below(list.length)];
  const often = (usual, ...others) => below(6) ? usual : pick(others);
  const text = () => Array.from({ length: below(5) }, () => pick([
    'a', 'B', '9', '0', '"', '\\', '/', '\t', '\0', '\u001f', '\u007f', '\u2028', 'é', 'e\u0301', '語', '😀', '～', '\ud800', '\ufeff', '<',
  ])).join('');
  const changed = bytes => {
    bytes[below(bytes.length)] ^= 1 << below(8);
    return bytes;
  };
  const tap = () => {
    const names = Array.from({ length: below(4) }, () => pick([text(), text(), 'pack', '12', '2', 'toString', 'length']));
    const members = Object.fromEntries(names.filter(name => !['sig', 'until'].includes(name)).map(name => [name, text()]));
    const timestamp = NOW - 1000 + pick([0, 0, 0, 2_000, 100_000, -400_000]);
    if (below(2)) {
      members.until = often(`${timestamp + pick([-1, 0, 1, 1000])}`, '', 'soon', `0${NOW}`, '99999999999', '100000000000', '9999999999999999',
        '10000000000000000', `${NOW}.0`, ` ${NOW}`, '１２３４５６７８９０１２');
    }
    const appID = often(APP, '9');
    const { sig, ...rest } = signed({ ...members, referrer: text() || 'anna', key: pick([KEYS.anna.key, KEYS.ben.key]), appID });
    const bytes = Buffer.from(sig, 'base64url');
    const made = often(sig, '', `${sig}A`, `${sig}==`, sig.slice(1), changed(bytes).toString('base64url'), Buffer.from(sig, 'base64url').toString('base64'));
    const json = Buffer.from(payload({ ...rest, ...below(10) ? { sig: made } : {}, timestamp }), 'base64url');
    const written = often(json, changed(Buffer.from(json)), Buffer.from(json.toString().replace('"pack":"gold"', '"pack":1')),
      Buffer.from(json.toString().replace('{', '{"n":1,"o":{"sig":"x"},')));
    return `${often(PAGE, `https://example.com/id${APP}`, 'https://example.com/')}?ed=${written.toString('base64url')}`;
  };
  const strings = Array.from({ length: TAPS }, tap);
  for (const signers of [[ANNA], [KEYS.ben.signer, ANNA]]) {
    const { stdout, stderr } = spawnSync(tool, [
      'decode', '--json', '--app-id', APP, '--now', `${NOW}`, '--host', 'example.com', ...signers.flatMap(signer => ['--signer', signer]),
    ], { input: `${strings.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1e8 });
    assert.ok(stdout, stderr);
    const { judgments } = await scanSigned(strings, { ...OPTIONS, hosts: ['example.com'], signers });
    const counts = {};
    const { verdicts } = JSON.parse(stdout);
    for (const [index, { verdict, reason, payload: json }] of judgments.entries()) {
      counts[verdict] = (counts[verdict] ?? 0) + 1;
      assert.deepEqual({ index, verdict, reason }, verdicts[index], `SEED=${SEED}, string ${index}: ${strings[index]}\n${json}`);
    }
    for (const verdict of ['malformedPayload', ...Object.keys(SENTENCES), 'fromTheFuture', 'expired', 'superseded', 'found']) {
      assert.ok(counts[verdict], `${verdict}: ${JSON.stringify(counts)}`);
    }
  }
});
