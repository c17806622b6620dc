// ReferralReader gives the verdicts of the vectors, and the command's verdicts and reasons.
// SEED chooses other random strings, and LONG_TESTS more of them.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import vm from 'node:vm';

import '../referral-reader.js';
import { effort } from './effort.mjs';
import { samples } from './samples.mjs';
import { vectors } from './vectors.mjs';
import { skip, tool } from './tool.mjs';

const { judge, scan } = globalThis.ReferralReader;
const read = path => readFileSync(new URL(path, import.meta.url), 'utf8');

const FILES = ['../store-page.js', '../referral-reader.js'];

const APP = '1300230302';
const NOW = 1795224750690;
const PAGE = `https://apps.apple.com/us/app/trestle/id${APP}`;
const OPTIONS = { appID: APP, now: NOW };
const JSON_OF_A_TAP = `{"timestamp":${NOW - 1000},"referrer":"spring"}`;

const encoded = json => Buffer.from(json).toString('base64url');
const link = (json = JSON_OF_A_TAP) => `${PAGE}?ed=${encoded(json)}`;
const tapped = age => link(`{"timestamp":${NOW - age},"referrer":"spring"}`);
const verdict = (string, options) => judge(string, { ...OPTIONS, ...options }).verdict;
const reason = (string, options) => judge(string, { ...OPTIONS, ...options }).reason;

const SENTENCES = {
  scheme: 'It does not begin with https://, http://, itms-apps:// or another scheme of the App Store.',
  long: 'The address is longer than 65,536 bytes.',
  user: "There is a user name (an @) in front of the address's host.",
  host: "The host is not the App Store's, apps.apple.com or itunes.apple.com.",
  noApp: 'The address names no app: neither /id and 1 to 19 digits in its path nor an item id in its query.',
  otherApp: 'The address is that of another app.',
  nothing: 'The address carries no referral: it has no query item ed, or an empty one.',
  percent: 'The payload (ed) contains a percent sign without two hexadecimal digits after it.',
  base64: 'The payload (ed) is not base64: a character, its length, its padding or its last bits are wrong.',
  longPayload: 'The payload is longer than 8,192 bytes.',
  utf8: 'The payload is not UTF-8, or begins with a byte order mark.',
  json: 'The payload is not a JSON object.',
  nesting: 'The payload is nested more than 64 deep.',
  surrogate: 'The payload contains half of a surrogate pair.',
  referrer: 'The referrer is missing, empty or not a string.',
  timestamp: 'The timestamp is missing, not a number or out of range (Unix milliseconds from 10^11 to below 10^16).',
  found: 'The tap was 1 s ago.',
};

describe('vectors', () => {
  for (const { name, appID, now, additionalHosts, reportedTimestamp, windowMilliseconds, strings, verdicts, found }
    of vectors('decode').cases) {
    test(name, () => {
      const window = windowMilliseconds == null ? undefined : windowMilliseconds / 1000;
      const result = scan(strings, { appID, now, window, reported: reportedTimestamp, hosts: additionalHosts });
      assert.deepEqual(result.judgments.map(judgment => judgment.verdict), verdicts);
      assert.equal(result.foundIndex, found?.index ?? null);
      const { referrer, timestamp, parameters } = result.found ?? {};
      assert.deepEqual(result.found && { index: result.foundIndex, referrer, timestamp, parameters }, found ?? null);
    });
  }

  for (const { timestamp, referrer, parameters, json, ed } of vectors('encode').encode) {
    test(`reads back ${json}`, () => {
      const judgment = judge(`${PAGE}?ed=${ed}`, { ...OPTIONS, now: timestamp + 5 });
      assert.deepEqual(judgment, {
        verdict: 'found', reason: 'The tap was 5 ms ago.', address: `${PAGE}?ed=${ed}`, appID: APP,
        referrer, timestamp, parameters, payload: json, age: 5,
      });
    });
  }
});

describe('the judgment on a rejected string has', () => {
  const nothing = { address: null, appID: null, referrer: null, timestamp: null, parameters: null, payload: null, age: null };

  test('nothing of a string that isn\'t a link', () => {
    assert.deepEqual(judge('see you at eight', OPTIONS), { verdict: 'notALink', reason: SENTENCES.scheme, ...nothing });
  });

  test('the address and its app without a payload', () => {
    assert.deepEqual(judge(' https://apps.apple.com/id9?ed=A \n', OPTIONS), {
      verdict: 'wrongApp', reason: SENTENCES.otherApp, ...nothing, address: 'https://apps.apple.com/id9?ed=A', appID: '9',
    });
    const address = 'https://example.com/?ed=A';
    assert.deepEqual(judge(address, { ...OPTIONS, hosts: ['example.com'] }), {
      verdict: 'malformedPayload', reason: SENTENCES.base64, ...nothing, address,
    });
  });

  test('the payload if it is valid UTF-8', () => {
    for (const payload of ['not JSON', '{"timestamp":1', '{"referrer":""}', '\0', '{"a":"\\ud800"}']) {
      assert.deepEqual(judge(link(payload), OPTIONS), {
        ...judge(link(payload), OPTIONS), verdict: 'malformedPayload', ...nothing, address: link(payload), appID: APP, payload,
      });
    }
  });

  test('everything of a valid tap', () => {
    for (const age of [-40_000, -1, 0, 299_999, 1e9]) {
      const { verdict: _, reason: __, ...rest } = judge(tapped(age), OPTIONS);
      assert.deepEqual(rest, {
        address: tapped(age), appID: APP, referrer: 'spring', timestamp: NOW - age, parameters: {},
        payload: `{"timestamp":${NOW - age},"referrer":"spring"}`, age,
      });
    }
  });
});

// The rules of an address are decided by the vectors, and by the command, further below.
describe('the address', () => {
  const ed = `ed=${encoded(JSON_OF_A_TAP)}`;

  test('loses the white space around it, and nothing else', () => {
    assert.equal(judge(` \t\n\v\f\r${link()}\r\f\v\n\t `, OPTIONS).address, link());
    assert.equal(judge(`${link()}#\u00a0 `, OPTIONS).address, `${link()}#\u00a0`);
    assert.equal(judge(`${link()}#\ud800 `, OPTIONS).address, `${link()}#\ufffd`, 'as it is in UTF-8');
  });

  test('can be on an additional host, without subdomains, in either ASCII case', () => {
    const hosts = ['Example.com', 'k.example'];
    assert.equal(reason(`https://eXample.COM:8/id${APP}?${ed}`, { hosts }), SENTENCES.found);
    assert.equal(reason(`https://K.example/id${APP}?${ed}`, { hosts }), SENTENCES.found);
    assert.equal(reason(`https://\u212a.example/id${APP}?${ed}`, { hosts }), SENTENCES.host);
    assert.equal(reason(`https://www.example.com/id${APP}?${ed}`, { hosts }), SENTENCES.host);
    assert.equal(reason(link(), { hosts }), SENTENCES.found);
  });

  test('can be any app\'s without the option, which can be a number', () => {
    assert.equal(verdict('https://apps.apple.com/id9?ed=A', { appID: undefined }), 'malformedPayload');
    assert.equal(verdict(link(), { appID: Number(APP) }), 'found');
    assert.equal(verdict(`https://apps.apple.com/id09?${ed}`, { appID: 9 }), 'wrongApp');
  });
});

// Each rule, and the strings made of these texts that fall to it first.
const falls = (name, make, rules, options) => test(name, () => {
  for (const [rule, texts] of Object.entries(rules)) {
    for (const text of texts) assert.equal(reason(make(text), options), SENTENCES[rule], JSON.stringify(text.slice(0, 200)));
  }
});

describe('the payload', () => {
  const standard = Buffer.from(`{"timestamp":${NOW - 1000},"referrer":"~~~???>>>ûûû÷"}`).toString('base64');

  test('of the next test has every kind of digit', () => assert.match(standard, /^(?=.*\+)(?=.*\/).*=$/));

  falls('is read in both alphabets, escaped or not, padded or not', text => `${PAGE}?ed=${text}`, {
    found: [
      standard, standard.replace(/\+/g, '-'), standard.replace(/\//g, '_'), standard.replace(/\+/g, ' '), standard.replace(/\+/g, '%20'),
      standard.replace(/=/g, ''), standard.replace(/=/g, '%3d'), encodeURIComponent(standard),
      standard.replace(/[^]/g, letter => `%${letter.charCodeAt().toString(16)}`),
      standard.replace(/[^]/g, letter => `%${letter.charCodeAt().toString(16).toUpperCase()}`),
    ],
  });

  falls('is no base64 with another character, a wrong length, padding or last bits', text => `${PAGE}?ed=${text}`, {
    base64: [
      'A', 'AAAAA', 'AA=', 'AA===', 'AAA==', 'AAAA=', 'AAAA====', '=', '==', '====', 'AA==AA', '=AA', 'A=A=', 'AB', 'AAB', 'A/', 'AA9',
      'AA\n==', 'AA==\n&', 'AA.', 'é', 'AAAA%C3%A9', 'AA%00', 'AAA\u0100', 'AA%3D', '語%', '!%', 'AA=A%',
    ],
    percent: [
      '%', '%4', '%4g', '%g4', 'AA%', 'AA%4', '%%41', '%\u0664\u0661', '%+4', '% 4', '%-1', 'AAAA%4=', 'AA==%', '%&A', '%é', '%!', 'AA=%',
      'A%%',
    ],
  });

  test('has at most 8,192 bytes', () => {
    const fits = JSON_OF_A_TAP.padEnd(8192);
    assert.equal(reason(link(fits)), SENTENCES.found);
    assert.equal(reason(link(`${fits} `)), SENTENCES.longPayload);
    assert.equal(verdict(link(`${fits} `)), 'tooLong');
    assert.equal(reason(link('x'.repeat(8193))), SENTENCES.longPayload, 'before its JSON is looked at');
    assert.equal(reason(link(Buffer.alloc(8193, 255))), SENTENCES.longPayload, 'before its UTF-8');
    assert.equal(reason(`${link(`${fits} `)}!`), SENTENCES.base64, 'only where the rest is right');
  });

  falls('is UTF-8', bytes => link(Buffer.from(`{"a":"${bytes}",${JSON_OF_A_TAP.slice(1)}`, 'latin1')), {
    found: ['a', '\xc3\xa9', '\xf0\x9f\x98\x80', '\xef\xbf\xbe', '\xef\xbb\xbf', '\xf4\x8f\xbf\xbf'],
    utf8: ['\xff', '\xc3', '\xc3\x28', '\xc0\xaf', '\xe0\x80\xaf', '\xed\xa0\x80', '\xf4\x90\x80\x80', '\x80', '\xf0\x9f\x98'],
  });

  falls('does not begin with a byte order mark', link, {
    utf8: [`\ufeff${JSON_OF_A_TAP}`, '\ufeff'],
    json: [` \ufeff${JSON_OF_A_TAP}`],
    found: [JSON_OF_A_TAP.replace('spring', '\ufeff')],
  });
});

describe('the JSON', () => {
  const member = text => link(JSON_OF_A_TAP.replace('{', () => `{"x":${text},`));
  const spaced = JSON_OF_A_TAP.replace(/[{}:,]/g, mark => ` \t\n\r${mark} \t\n\r`);

  falls('is an object', link, {
    json: [
      ' ', '[]', '"x"', '1', 'null', '[{}]', '[', '{', '{"', '{"a"', '{"a":', '{"a":1', '{"a":1,', '{"a":1,}', '{,}', '{1:1}', "{'a':1}",
      '{a:1}', '{"a" 1}', '{"a"::1}', '{"a":1 "b":1}', '{"a":1;"b":1}', '{}{}', '{}x', '{},', '{}]', '{]', '{"a":[}', '\0{}', '{}\0',
      ...['\f', '\v', '\u00a0', '\u2028'].flatMap(space => [space + JSON_OF_A_TAP, JSON_OF_A_TAP + space, spaced.replace(' ', space)]),
      ...['\f', '\u00a0'].flatMap(space => [':', ','].flatMap(mark => [
        JSON_OF_A_TAP.replace(mark, space + mark), JSON_OF_A_TAP.replace(mark, mark + space),
      ])),
    ],
    found: [spaced, `${JSON_OF_A_TAP}\n`],
  });

  falls('holds values as RFC 8259 has them', member, {
    json: [
      '01', '-', '+1', '.5', '1.', '1.e1', '1e', '1e+', '1E-', '0x1', '1_0', 'NaN', 'Infinity', '-Infinity', '--1', '1.2.3', '١',
      'True', 'tru', 'truex', 'nul', 'undefined', '[1,]', '[,]', '[1 2]', '[1}', '[', '{"a":[1,2}', '{"a":1]',
      '"\n"', '"\t"', '"\u001f"', '"\0"', '"\\x41"', '"\\u12"', '"\\u12g4"', '"\\U0041"', '"\\u+123"', '"\\\n"', '"\\', '"', "'x'",
      '"\\ud8"', '"\\ud8\\u0041"', '"\\ud83d\\u12"', '"\\ud83d\\uzzzz"', '"\\uD83D\\u"',
    ],
    found: [
      '0', '-0', '-1', '10', '0.0', '-0.5e+10', '1E400', '1e-400', '9'.repeat(400), 'true', 'false', 'null',
      '[]', '[ ]', '{}', '{ }', '[1,[2],{"a":3}]', ' [ 1 , 2 ] ', '""', '"\u007f\u0085\u2028\u2029"', '"😀"',
      '"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\uABCD\\uabcd"', '"\\ud83d\\ude00"', '"\\uD83D\\uDE00"', '"\\ud7ff\\ue000"', '"\\\\ud800"',
    ],
  });
});

describe('the time', () => {
  const at = (age, options) => verdict(tapped(age), options);

  test('a tap passes within the window and the tolerance', () => {
    for (const [age, expected] of [
      [0, 'found'], [299_999, 'found'], [299_999.75, 'found'], [300_000, 'expired'], [1e12, 'expired'],
      [-30_000, 'found'], [-30_000.25, 'fromTheFuture'], [-30_001, 'fromTheFuture'],
    ]) assert.equal(at(age), expected, `${age}`);
    assert.equal(at(1_000, { window: 1.001 }), 'found');
    assert.equal(at(1_001, { window: 1.001 }), 'expired');
    assert.equal(at(0, { window: 0 }), 'expired');
    assert.equal(at(1e12, { window: Infinity }), 'found');
    assert.equal(at(-1, { tolerance: 0 }), 'fromTheFuture');
    assert.equal(at(-1_001, { tolerance: 1.001 }), 'found', 'though 1.001 × 1,000 is a little less than 1,001');
    assert.equal(at(-1e12, { tolerance: Infinity }), 'found');
    assert.equal(at(0, { now: NaN }), 'expired');
  });

  test('a reported tap doesn\'t pass, unless the report is from a wrong clock', () => {
    for (const [reported, age, expected] of [
      [NOW - 1001, 1000, 'found'], [NOW - 1000, 1000, 'alreadyReported'], [NOW, 1000, 'alreadyReported'], [NOW, -1, 'found'],
      [NOW + 30_000, 0, 'alreadyReported'], [NOW + 30_001, 0, 'found'], [null, 0, 'found'], [NaN, 0, 'found'],
      [NOW, 300_000, 'expired'], [NOW + 30_000, -30_001, 'fromTheFuture'],
    ]) assert.equal(at(age, { reported }), expected, `${reported} ${age}`);
  });

  for (const [age, expected, options] of [
    [65_000, 'The tap was 1 min 5 s ago.'],
    [0, 'The tap was 0 ms ago.'],
    [0.25, 'The tap was 0 ms ago.'],
    [-1, 'The tap lies 1 ms after now.'],
    [-0.25, 'The tap lies 1 ms after now.'],
    [-30_000, 'The tap lies 30 s after now.'],
    [299_999.5, 'The tap was 4 min 59 s 999 ms ago.'],
    [300_000, 'The tap was 5 min ago; it counts for less than 5 min.'],
    [90_061_001, 'The tap was 1 d 1 h 1 min 1 s 1 ms ago; it counts for less than 5 min.'],
    [-30_000.5, 'The tap lies 30 s 1 ms after now; the clock tolerance is 30 s.'],
    [0, 'This tap or a newer one was reported before.', { reported: NOW }],
    [0, 'The tap was 0 ms ago; it counts for less than 0 ms.', { window: 0 }],
    [2_000, 'The tap was 2 s ago; it counts for less than 1 s 1 ms.', { window: 1.001 }],
    [0, 'The tap was 11574053296 d 14 min 9 s 280 ms ago; it counts for less than 5 min.', { now: 1e18 }],
    [0, 'The tap was more than a lifetime ago; it counts for less than 5 min.', { now: 1e19 }],
    [0, 'The tap was more than a lifetime ago; it counts for less than more than a lifetime.', { now: NaN, window: Infinity }],
  ]) {
    test(`a reason says: ${expected}`, () => assert.equal(reason(tapped(age), options), expected));
  }

  test('is the current time by default', () => {
    const json = `{"timestamp":${Date.now()},"referrer":"x"}`;
    assert.equal(judge(link(json)).verdict, 'found');
    assert.equal(scan([link(json)]).found.referrer, 'x');
    assert.equal(scan([link(json)], { now: undefined }).foundIndex, 0);
  });
});

describe('a list', () => {
  test('the newest tap is found, on a tie the first, and no string hides another', () => {
    const result = scan([
      'see you at eight', tapped(3_000), tapped(1_000), `${tapped(1_000)}#`, '', tapped(2_000), tapped(300_000),
    ], OPTIONS);
    assert.deepEqual(result.judgments.map(judgment => judgment.verdict), [
      'notALink', 'superseded', 'found', 'superseded', 'notALink', 'superseded', 'expired',
    ]);
    assert.equal(result.foundIndex, 2);
    assert.equal(result.found, result.judgments[2]);
    assert.equal(result.judgments[1].reason, 'Another tap was found that is newer, or as new and in front of this one.');
    assert.equal(result.judgments[1].age, 3_000, 'what is superseded is still there');
  });

  test('is judged at one time', context => {
    let now = NOW;
    context.mock.method(Date, 'now', () => now++);
    assert.deepEqual(scan([tapped(0), tapped(0), tapped(0)], { appID: APP }).judgments.map(({ age }) => age), [0, 0, 0]);
  });

  test('without a tap that passes finds nothing', () => {
    assert.deepEqual(scan([], OPTIONS), { found: null, foundIndex: null, judgments: [] });
    const { found, foundIndex } = scan(['x', tapped(1e9)], OPTIONS);
    assert.deepEqual([found, foundIndex], [null, null]);
  });

  test('can be any iterable', () => {
    const strings = new Set(Array.from({ length: 2_000 }, (_, index) => tapped(2_000 - index)));
    assert.equal(scan(strings, OPTIONS).foundIndex, 1_999);
  });
});

describe('every string is judged in time', () => {
  // Work that grows with the square is thousands of times as much.
  const MOST = 30;

  const PIECES = [
    ':', ':1', '1', '/', '/id1', '@', '?', '#', '&', '=', '&ed=', '&id=1', '%', '%4', '%41', 'A', ' ', '+', '\ud800', '😀',
  ];
  const FRONTS = ['https://', `${PAGE}/`, `${PAGE}?`, `${PAGE}?ed=`];
  const JSON_PIECES = [
    '[', '{"a":', '"', '\\', '\\"', '\\u', '\\ud800', '1', '1e', '0.', '-', ' ', ',', '[],', '"a":1,', '""',
  ];

  for (const [name, make, expected] of [
    ['100 MB that are no link', () => 'x'.repeat(1e8), 'notALink'],
    ['100 MB that begin nearly as one', () => 'https:/'.padEnd(1e8, 'x'), 'notALink'],
    ['100 MB of a link', () => link().padEnd(1e8, 'x'), 'tooLong'],
    ['10 MB of white space', () => ' '.repeat(1e7), 'notALink'],
    ['1 MB of white space around a link', () => ' '.repeat(1e6) + link() + '\n'.repeat(1e6), 'found'],
    ['10 MB of white space inside', () => `https://${' '.repeat(1e7)}x`, 'tooLong'],
    ...PIECES.flatMap(piece => FRONTS.map(front => [
      `64 kB of ${JSON.stringify(piece)} behind ${front}`, () => front + piece.repeat((65_536 - 200) / Buffer.byteLength(piece)),
    ])),
    ...JSON_PIECES.map(piece => [`8 kB of ${piece}`, () => link(`{"a":${piece.repeat(8_000 / piece.length)}`)]),
  ]) {
    test(name, () => {
      // Made of one piece before the clock starts.
      const string = Buffer.from(make(), 'utf16le').toString('utf16le');
      let judgment;
      const work = effort(() => { judgment = judge(string, OPTIONS); });
      if (expected) assert.equal(judgment.verdict, expected);
      assert.ok(work < MOST, `${work}`);
    });
  }

  test('no more than 65,536 characters are encoded to be counted', () => {
    const page = vm.createContext({
      encodeURIComponent(text) {
        assert.ok(text.length <= 65_536, `${text.length} characters`);
        return encodeURIComponent(text);
      },
    });
    for (const file of FILES) vm.runInContext(read(file), page);
    for (const count of [65_536, 65_537, 1e6]) {
      assert.equal(page.ReferralReader.judge(link().padEnd(count, 'é'), OPTIONS).verdict, 'tooLong');
    }
  });

  test('a value that isn\'t a string throws', () => {
    for (const mistake of [undefined, null, 1]) assert.throws(() => judge(mistake, OPTIONS), TypeError);
  });

  test('only the beginning of other text is read', () => {
    const string = Buffer.alloc(1e8, 'x').toString('latin1');
    assert.ok(effort(() => { for (let round = 0; round < 1_000; round += 1) judge(string, OPTIONS); }) < MOST);
  });
});

describe('the files', () => {
  test('together take less than 22,000 bytes', () => {
    const bytes = FILES.reduce((sum, file) => sum + Buffer.byteLength(read(file)), 0);
    assert.ok(bytes < 22_000, `${bytes} bytes`);
  });

  test('are plain scripts with one global each, loaded twice too', () => {
    const page = vm.createContext({ TextDecoder, atob, btoa });
    const before = Object.keys(page);
    for (const file of [...FILES, ...FILES]) vm.runInContext(read(file), page);
    assert.deepEqual(Object.keys(page).filter(name => !before.includes(name)).sort(), ['ReferralReader', 'StorePage']);
    assert.throws(() => vm.runInContext('settle', page), /settle is not defined/);
    assert.equal(page.ReferralReader.judge(link(), OPTIONS).referrer, 'spring');
  });

  test('the reader imports the other', () => {
    const file = fileURLToPath(new URL(FILES[1], import.meta.url));
    const program = `import ${JSON.stringify(file)}; console.log(ReferralReader.judge('').verdict);`;
    assert.equal(execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' }), 'notALink\n');
  });
});

// mulberry32
const generator = seed => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const SEED = Number(process.env.SEED ?? 20261121);
const STRINGS = samples(500, 1000);

// Strings on both sides of every rule. No combining characters: whether those make the same name is left to the language.
const strings = seed => {
  const random = generator(seed);
  const below = limit => Math.floor(random() * limit);
  const pick = list => list[below(list.length)];
  const often = (usual, ...others) => below(9) ? usual : pick(others);
  const many = (limit, make) => Array.from({ length: below(limit + 1) }, make);

  const LETTERS = [
    ...'abzAZ019-_.~ /+&=#?%:;,<>()\'`${}[]"\\', '\0', '\b', '\t', '\r', '\u001b', '\u007f', '\u0085', '\u2028', '\u202e', '\ufeff',
    'é', '語', '😀', '\ud800', '\udc00',
  ];
  const mutated = text => {
    const at = below(text.length + 1);
    const wide = at + below(3);
    return pick([
      () => text.slice(0, at) + text.slice(wide),
      () => text.slice(0, at) + pick(LETTERS) + text.slice(wide),
      () => text.slice(0, at) + pick(LETTERS) + text.slice(at),
      () => text.slice(0, wide) + text.slice(at),
      () => text.slice(0, at),
      () => text.slice(0, at) + text.slice(wide, wide + below(8)).toUpperCase() + text.slice(at),
    ])();
  };
  const sometimes = (share, change, text) => random() < share ? sometimes(share, change, change(text)) : text;

  const PIECES = [
    'a', 'Z', '/', '\\/', '\\n', '\\"', '\\\\', '\\u0041', '\\u00e9', '\\ud83d\\ude00', '\\uD83D\\uDE00', '\\u0000',
    'é', '語', '😀', '\u007f', '\u2028', ' ', '\ufeff',
  ];
  const WRONG = ['\\ud800', '\\udc00', '\\ud800\\u12', '\\x', '\\u12', '\t', '\\uD8', '\\ud800\\n'];
  const string = () => `"${many(6, () => pick(below(100) ? PIECES : WRONG)).join('')}"`;
  const number = () => below(50)
    ? pick(['0', '-0', '1', '-1.5', '1e3', '1E+2', '1.25e-3', '1e400', '12345678901234567890', '0.1'])
    : pick(['01', '1.', '.1', '+1', '1e', '-']);
  const value = depth => pick([
    string, string, number, () => pick(['true', 'false', 'null']), () => object(depth + 1),
    () => `[${many(3, () => value(depth + 1)).join()}]`,
    () => often('[]', '['.repeat(62) + ']'.repeat(62), '['.repeat(63) + ']'.repeat(63), '['.repeat(64) + ']'.repeat(64)),
  ])();
  const object = depth => depth > 4 ? '{}' : `{${many(3, () => `${string()}:${value(depth)}`).join()}}`;
  const space = () => often('', ' ', '\n\t', '\r\n ');
  const time = () => often(
    () => `${NOW - below(400_000) + 40_000}`,
    () => `${(NOW - below(400_000) + 40_000) / 1000}`,
    () => `${NOW - below(400_000)}.${below(1000)}`,
    () => `${(NOW - below(4_000)) / 1e12}e12`,
    () => `${NOW - below(4_000)}e0`,
    () => `${NOW - Math.floor(10 ** (random() * 13))}`,
    () => pick([
      '0', '-1', '1', '99999999999', '100000000000', '1e16', '9999999999999998', '9999999999999999.4', '9e15', '1e-320', '1e400', '5e10',
      '1795224750689.999999999', 'null', '"1795224750690"', '[1]',
    ]),
  )();
  const json = () => {
    const name = () => pick([string(), '"a"', '"b"', '"__proto__"', '"constructor"', '"12"']);
    const [first, second] = [time(), time()].map(text => `"timestamp":${text}`);
    const referrer = `"referrer":${string().replace(/^""$/, '"r"')}`;
    const another = `"referrer":${value(1)}`;
    const members = [
      ...often([first], [], [first, second], [first.replace('t', '\\u0074')]),
      ...often([referrer], [], [another], [referrer, another]),
      ...many(4, () => [space(), name(), space(), ':', space(), value(1), space()].join('')),
    ].sort(() => random() - 0.5);
    return space() + sometimes(0.1, mutated, `{${members.join()}}`) + space();
  };
  const payload = () => below(40) ? Buffer.from(json()) : pick([
    () => Buffer.from(json().padEnd(8190 + below(5))),
    () => Buffer.from(Array.from({ length: below(30) }, () => below(256))),
    () => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), Buffer.from(json())]),
    () => { const bytes = Buffer.from(json()); bytes[below(bytes.length)] = below(256); return bytes; },
  ])();
  const ed = () => sometimes(0.05, mutated, often(
    text => text.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, ''),
    text => text,
    text => text.replace(/\+/g, ' '),
    text => encodeURIComponent(text),
    text => text.replace(/[^]/g, letter => below(3) ? letter : `%${letter.charCodeAt().toString(16)}`),
    text => `${text}=`,
    text => text.slice(0, -1),
  )(payload().toString('base64')));
  const item = () => pick([
    () => `ed=${ed()}`,
    () => `id=${pick([APP, '9', '', 'x', '12345678901234567890'])}`,
    () => pick(['', 'ed', 'ed=', 'ED=x', '%65d=x', 'edge=1', 'mt=8', '=', 'ct=a%20b', 'q=x?y', 'é=😀']),
  ])();
  const address = () => [
    often('', ' ', '\t\r ', '\u00a0', 'x'),
    often('https', 'http', 'itms-apps', 'ITMS', 'itmss', 'itms-appss', 'ftp', 'itms-s'),
    often('://', ':/', ':', ':///'),
    often('', 'me@', '@', 'a:b@'),
    often(
      'apps.apple.com', 'itunes.apple.com', 'APPS.apple.com', 'apps.apple.com.', 'example.com', 'www.example.com', 'K.example',
      'k.example', '\u212a.example', '',
    ),
    often('', ':443', ':', ':x', '::1'),
    often('/us/app/trestle', '', '/', '/id9', `/id${APP}/x`, '/é/😀'),
    often(`/id${APP}`, `/id${APP}/`, '/id9', '/id0009', '', '/id', '/ID9', `/id${'1'.repeat(20)}`, `/id${APP}x`),
    often('?', '', '??', '#?'),
    [...many(2, item), ...often([`ed=${ed()}`], []), ...often([], [item()])].join('&'),
    often('', '#', '#top', '#&ed=x'),
    often('', ' ', '\r', '\u2028', `&x=${'y'.repeat(64_000 + below(1_600))}`),
  ].join('');
  const text = () => [
    often('', 'Look: ', '(', '“', '<', 'a://b ', '://', 'x', 'ftp://x/?', `${address()} `, ' '.repeat(65_000 + below(600))),
    address(),
    often('', ' see you', '.', ')!', '謝謝', `\r${address()}`, ' and so on'),
  ].join('');
  // A line is a string to the command, so none may hold a line feed.
  return Array.from({ length: STRINGS }, () => sometimes(0.05, mutated, below(4) ? address() : text()).replace(/\n/g, '\r'));
};

describe('random strings get the command\'s verdicts and reasons', { skip }, () => {
  const hosts = ['example.com', 'K.Example'];
  const forHosts = hosts.flatMap(host => ['--host', host]);
  const seen = new Set();

  const decoded = (list, ...words) => {
    const { stdout, stderr, error } = spawnSync(tool, ['decode', ...words], {
      input: `${list.join('\n')}\n`, encoding: 'utf8', maxBuffer: 1e8,
    });
    assert.ok(stdout, error?.message ?? stderr);
    return stdout.trimEnd().split('\n').map(line => JSON.parse(line));
  };

  for (const [index, [options, ...words]] of [
    [{}],
    [{ window: Infinity }, '--window', 'none'],
    [{ window: Infinity, tolerance: 1e6 }, '--window', 'none', '--tolerance', '1000000'],
    [{ hosts }, ...forHosts],
    [{ reported: NOW - 100_000, hosts }, '--reported', `${NOW - 100_000}`, ...forHosts],
    [{ reported: NOW + 30_001, window: 1.001 }, '--reported', `${NOW + 30_001}`, '--window', '1.001'],
    [{ appID: '9', window: 0.5 }, '--app-id', '9', '--window', '500ms'],
    [{ now: 9.2e18, window: Infinity }, '--now', '9200000000000000000', '--window', 'none'],
    [{ now: 9.2e18 }, '--now', '9200000000000000000'],
  ].entries()) {
    const seed = SEED + index;
    test(`${STRINGS} of them, ${words.join(' ') || 'without an option'} (SEED=${seed})`, () => {
      const list = strings(seed);
      for (const [name, value] of [['--app-id', APP], ['--now', `${NOW}`]]) {
        if (!words.includes(name)) words.push(name, value);
      }
      const [expected] = decoded(list, '--json', ...words);
      const alone = decoded(list, '--each', ...words);
      const { found, foundIndex, judgments } = scan(list, { ...OPTIONS, ...options });
      assert.equal(judgments.length, list.length);
      assert.equal(foundIndex, expected.index);
      assert.equal(found?.age ?? null, expected.ageMilliseconds);

      for (const [place, { verdict, reason, ...judgment }] of judgments.entries()) {
        const told = `SEED=${seed}, string ${place}: ${JSON.stringify(list[place].slice(0, 3000))}\n${judgment.payload}`;
        assert.deepEqual({ index: place, verdict, reason }, expected.verdicts[place], told);
        seen.add(verdict).add(reason);
        const { referrer, timestamp, parameters } = judgment;
        assert.deepEqual({ verdict: verdict.replace('superseded', 'found'), referrer, timestamp, parameters }, alone[place], told);
      }
    });
  }

  test('every rule is among them', () => {
    const { found, ...fallen } = SENTENCES;
    const verdicts = [
      'notALink', 'wrongApp', 'noPayload', 'malformedPayload', 'tooLong', 'fromTheFuture', 'expired', 'alreadyReported', 'found',
      'superseded',
    ];
    assert.deepEqual([...verdicts, ...Object.values(fallen)].filter(expected => !seen.has(expected)), []);
  });
});
