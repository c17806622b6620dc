// StorePage makes and parses the same addresses as the library, byte for byte.
// SEED chooses other random pages, and LONG_TESTS more of them.

import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';

import '../referral-bridge.js';
import '../store-page.js';
import { samples } from './samples.mjs';
import { vectors } from './vectors.mjs';
import { skip, tool } from './tool.mjs';

const { parse, make, encodeItem } = globalThis.StorePage;
const stamped = globalThis.StorePage.with;
const { stamp } = vectors('encode');

const PPID = '45812c9b-c296-43d3-c6a0-c5a02f74bf6e';
const PAGE = 'https://apps.apple.com/app/id42';

test("in an item of a landing page's address, a mark is bare only between two letters or digits", () => {
  for (const { value, written } of vectors('ways').written) assert.equal(encodeItem(value), written);
});

const fails = (step, part, message) => assert.throws(step, error => {
  assert.ok(error instanceof Error);
  assert.equal(error.message, message);
  assert.equal(error.part, part, message);
  return true;
});

describe('make', () => {
  for (const [parts, address] of [
    [{ appID: '42' }, 'https://apps.apple.com/app/id42'],
    [{ appID: 42 }, 'https://apps.apple.com/app/id42'],
    [{ appID: '0042', storefront: null, slug: undefined, pt: null, ct: null, ppid: null }, 'https://apps.apple.com/app/id0042'],
    [{ appID: '42', storefront: 'us' }, 'https://apps.apple.com/us/app/id42'],
    [{ appID: '42', storefront: 'DE', slug: 'a-b' }, 'https://apps.apple.com/de/app/a-b/id42'],
    [{ appID: '42', slug: 'čeština / 1' }, 'https://apps.apple.com/app/%C4%8De%C5%A1tina%20%2F%201/id42'],
    [{ appID: '42', slug: '...' }, 'https://apps.apple.com/app/.../id42'],
    [{ appID: '42', slug: 'id9' }, 'https://apps.apple.com/app/id9/id42'],
    [{ appID: '42', slug: '\n\ud800%' }, 'https://apps.apple.com/app/%0A%EF%BF%BD%25/id42'],
    [{ appID: '42', pt: '9', ct: 'a&b=c d', ppid: PPID }, `https://apps.apple.com/app/id42?ppid=${PPID}&pt=9&ct=a%26b%3Dc%20d&mt=8`],
    [{ appID: '42', ppid: PPID.toUpperCase() }, `https://apps.apple.com/app/id42?ppid=${PPID.toUpperCase()}`],
    [{ appID: '42', pt: '9', ct: 'a b' }, 'https://apps.apple.com/app/id42?pt=9&ct=a%20b&mt=8'],
    [{ appID: '42', pt: 9, ct: 2026 }, 'https://apps.apple.com/app/id42?pt=9&ct=2026&mt=8'],
  ]) {
    test(address, () => assert.equal(make(parts), address));
  }

  test('escapes every byte but letters, digits and -._~', () => {
    const text = Array.from({ length: 0x180 }, (_, code) => String.fromCharCode(code)).join('') + '語😀';
    const escaped = Buffer.from(text).toString('latin1')
      .replace(/[^A-Za-z0-9\-._~]/g, byte => `%${Buffer.from(byte, 'latin1').toString('hex').toUpperCase()}`);
    assert.equal(make({ appID: '1', slug: text }), `https://apps.apple.com/app/${escaped}/id1`);
  });

  test('parses to the same parts', () => {
    const parts = { appID: '42', storefront: 'us', slug: 'a b/č%41', pt: '9', ct: '=&😀', ppid: PPID };
    const address = make(parts);
    assert.deepEqual(parse(address), { address, ...parts });
  });
});

describe('an error names the invalid part', () => {
  const wrong = (name, parts, part, message) => test(name, () => {
    fails(() => make({ appID: '42', ...parts }), part, message);
    if (!['appID', 'slug', 'storefront'].includes(part)) fails(() => stamped(PAGE, parts), part, message);
  });

  for (const appID of ['', '12345678901234567890', '1 ', '-1', 'id1', '١٢', '1\n']) {
    wrong(`the app id ${JSON.stringify(appID)}`, { appID }, 'appID', `The app id is “${appID}”; it must be 1 to 19 digits.`);
  }
  wrong('no app id', { appID: undefined }, 'appID', 'The app id is “undefined”; it must be 1 to 19 digits.');
  for (const storefront of ['', 'u', 'usa', 'ü', 'u1', 'us\n', '\u212a\u212a']) {
    wrong(`the storefront ${JSON.stringify(storefront)}`, { storefront }, 'storefront',
      `The storefront is “${storefront}”; it must be a country code of two letters, such as us.`);
  }
  for (const slug of ['', '.', '..']) {
    wrong(`the slug ${JSON.stringify(slug)}`, { slug }, 'slug',
      `The slug is “${slug}”; it must be a name such as trestle-the-new-sudoku.`);
  }
  for (const ppid of [
    '', '1', PPID.slice(1), `${PPID}0`, ` ${PPID}`, `${PPID}\n`, PPID.replace(/-/g, ''), PPID.replace(/-(?=c5)/, ''),
    PPID.replace('4', 'g'), PPID.replace('4', '+'), PPID.replace('b-', '-b'),
  ]) {
    wrong(`the product page ${JSON.stringify(ppid)}`, { ppid }, 'ppid', `The product page ppid is “${ppid}”; it must be a UUID.`);
  }
  wrong('pt without ct', { pt: '9' }, 'ct', 'The token ct is missing. The App Store counts pt and ct only together.');
  wrong('ct without pt', { ct: 'x', pt: null }, 'pt', 'The token pt is missing. The App Store counts pt and ct only together.');
  for (const pt of ['118 915', '१', '-1', '{pt}', '9\n']) wrong(`the pt ${pt}`, { pt, ct: 'x' }, 'pt', `The provider token pt is “${pt}”; it must be digits only.`);
  wrong('a pt of a spreadsheet', { pt: '1.18E+08', ct: 'x' }, 'pt',
    'The provider token pt is “1.18E+08”; it must be digits only. A spreadsheet changed it: format its column as text.');
  wrong('an empty pt', { pt: '', ct: 'x' }, 'pt', 'The provider token pt is empty.');
  for (const [ct, bytes] of [['', 0], ['a'.repeat(41), 41], ['é'.repeat(21), 42], ['😀'.repeat(11), 44]]) {
    wrong(`a ct of ${bytes} bytes`, { pt: '9', ct }, 'ct', `The campaign token ct has ${bytes} bytes; it must have 1 to 40.`);
  }

  test('a ct of 40 bytes is valid', () => {
    for (const ct of ['a'.repeat(40), 'é'.repeat(20), '😀'.repeat(10)]) {
      assert.equal(parse(make({ appID: '42', pt: '9', ct })).ct, ct);
    }
  });

  test('an error names the part that makes the address too long', () => {
    const long = 'The address is longer than 65,536 bytes.';
    const room = 65536 - PAGE.length - 1;
    assert.equal(make({ appID: '42', slug: 'a'.repeat(room) }).length, 65536);
    fails(() => make({ appID: '42', slug: 'a'.repeat(room + 1) }), 'slug', long);
    fails(() => make({ appID: '42', slug: 'a'.repeat(room), ppid: PPID }), 'slug', long);
    fails(() => make({ appID: '42', pt: '9'.repeat(65536), ct: 'x' }), 'pt', long);
    fails(() => make({ appID: '42', slug: 'a'.repeat(40_000), pt: '9'.repeat(30_000), ct: 'x' }), 'slug', long);
    fails(() => stamped(`${PAGE}#${'a'.repeat(room)}`, { ppid: PPID }), 'page', long);
    fails(() => stamped(PAGE, { pt: '9'.repeat(65536), ct: 'x' }), 'pt', long);
    fails(() => parse(`${PAGE}#${'é'.repeat(room / 2 + 1)}`), 'page', long);
    assert.equal(parse(` ${PAGE}#${'a'.repeat(room)} `).appID, '42');
  });
});

describe('parse', () => {
  const bare = { storefront: null, slug: null, pt: null, ct: null, ppid: null };

  test('finds the parts of a copied address', () => {
    assert.deepEqual(parse(` https://apps.apple.com/us/app/a%20b/id42?mt=8&ct=x%20y&pt=9&ppid=${PPID.toUpperCase()}#top\n`), {
      address: `https://apps.apple.com/us/app/a%20b/id42?mt=8&ct=x%20y&pt=9&ppid=${PPID.toUpperCase()}#top`,
      appID: '42', storefront: 'us', slug: 'a b', pt: '9', ct: 'x y', ppid: PPID.toUpperCase(),
    });
  });

  test('has null for missing parts', () => {
    for (const address of [
      PAGE, 'itms-apps://itunes.apple.com/app/id42?ct=alone', 'https://apps.apple.com/id42', 'https://apps.apple.com/App/x/id42',
      'https://apps.apple.com/u1/app/id42', 'https://itunes.apple.com/WebObjects/MZStore.woa/wa/viewSoftware?id=42&ppid=none',
      `${PAGE}?pt=alone`, `${PAGE}?pt=&ct=x`, `${PAGE}?pt=9&ct=`, `${PAGE}?pt=9&ct=${'a'.repeat(41)}`,
      `${PAGE}?PPID=${PPID}`, `${PAGE}?pp%69d=${PPID}`,
    ]) assert.deepEqual(parse(address), { address, appID: '42', ...bare });
  });

  for (const [path, storefront, slug] of [
    ['/us/app/id42', 'us', null], ['/US/app/x/id42', 'US', 'x'], ['/app/us/id42', null, 'us'], ['/us/app/app/x/id42', 'us', 'app'],
    ['//us//app//x//id42//', 'us', 'x'], ['/app/x/y/id42', null, 'x'], ['/id42/app/x', null, null], ['/id42/app/x/', null, null],
    ['/%75s/%61pp/x/id42', 'us', 'x'], ['/u%/app/%zz/id42', null, '%zz'], ['/app/a%2zb%20/id42', null, 'a%2zb%20'],
    ['/app/%C3%A9%E8%AA%9E/id42', null, 'é語'], ['/app/%FF%C3x/id42', null, '\ufffd\ufffdx'], ['/app/é%20/id42', null, 'é '],
    ['/app/%EF%BB%BFx/id42', null, '\ufeffx'], ['/app/a+b/id42', null, 'a+b'],
  ]) {
    test(`of ${path}: ${storefront}, ${slug}`, () => {
      const address = `https://apps.apple.com${path}`;
      assert.deepEqual(parse(address), { ...bare, address, appID: '42', storefront, slug });
    });
  }

  test('decodes the last item of a name', () => {
    const { pt, ct, ppid } = parse(`${PAGE}?pt=1&ct=1&ppid=x&pt=%39&ct=a%26b+c&ppid=${PPID.replace('4', '%34')}`);
    assert.deepEqual({ pt, ct, ppid }, { pt: '9', ct: 'a&b+c', ppid: PPID });
    assert.equal(parse(`${PAGE}?pt=9&ct=x=y=`).ct, 'x=y=');
    assert.equal(parse(`${PAGE}?pt=9&ct=50%`).ct, '50%');
    assert.equal(parse(`${PAGE}?ppid=${PPID}&ppid`).ppid, null);
  });

  const DISPLAY_CONTROLS = [
    ...Array.from({ length: 0x20 }, (_, code) => code), 0x7f, 0x80, 0x85, 0x9f, 0x61c, 0x200e, 0x200f, 0x2028, 0x2029, 0x202a, 0x202e,
    0x2066, 0x2069,
  ];
  const scheme = 'It does not begin with https://, http://, itms-apps:// or another scheme of the App Store.';
  const host = "The host is not the App Store's, apps.apple.com or itunes.apple.com.";
  const noApp = 'The address names no app: neither /id and 1 to 19 digits in its path nor an item id in its query.';
  for (const [address, message] of [
    ['apps.apple.com/app/id42', scheme], ['', scheme], ['ftp://apps.apple.com/app/id42', scheme],
    ['https://example.com/app/id42', host],
    ['https://me@apps.apple.com/app/id42', "There is a user name (an @) in front of the address's host."],
    ...['us', 'app/id12345678901234567890', 'us\n', 'a\nb'].map(path => [`https://apps.apple.com/${path}`, noApp]),
    ...['app/name/6755948110?platform=mac', 'app/6749556847/'].map(path => [`https://apps.apple.com/${path}`,
      'The address names no app: write id before the number at the end of its path, as in /id1300230302.']),
    ['https://apps.apple.com/us/story/6749556847', noApp],
    ...[['developer/id1136144960', 'developer'], ['cn/developer/someone/id1228179246?l=en', 'developer'], ['us/story/id1484100916', 'story'],
      ['us/iphone/story/id1484100916', 'story'], ['us/app-bundle/some-bundle/id1450038993?mt=12', 'app-bundle'],
      ['us/Movie/some-movie/id272967721?uo=4', 'movie'], ['lookup?id=1300230302', 'lookup']].map(([path, kind]) => [`https://itunes.apple.com/${path}`,
      `The address names no app but another page of the store ('${kind}'). Copy the address of the app's own page.`]),
    ...DISPLAY_CONTROLS.map(code => [`${PAGE}?a=${String.fromCharCode(code)}&b`, 'There is a control character inside the address.']),
  ]) {
    test(`rejects ${JSON.stringify(address)}`, () => {
      fails(() => parse(address), 'page', message);
      fails(() => stamped(address, { ppid: PPID }), 'page', message);
      fails(() => stamped(address), 'page', message);
    });
  }

  test('accepts an app with the name of another kind of page', () => {
    for (const path of ['us/app/developer/id42', 'app/story/id42', 'us/iphone/app/movie/id42', 'developers/id42', 'id42/story', 'us/mac-app/id42']) {
      assert.equal(parse(`https://apps.apple.com/${path}`).appID, '42', path);
    }
  });

  test('accepts the neighbours of those characters', () => {
    for (const code of [0x20, 0x21, 0x7e, 0xa0, 0x61b, 0x61d, 0x200d, 0x2010, 0x2027, 0x202f, 0x2065, 0x206a]) {
      assert.equal(parse(`${PAGE}?a=${String.fromCharCode(code)}&b`).appID, '42', code.toString(16));
    }
  });

  test('accepts every page and link of the vectors', () => {
    for (const { page, link } of stamp) {
      for (const address of [page, link]) {
        assert.equal(parse(address).address, address);
        assert.equal(parse(address).appID, '1300230302');
      }
    }
  });
});

describe('with', () => {
  const campaign = { pt: '1', ct: 'new' };

  for (const [address, parts, expected] of [
    [PAGE, campaign, `${PAGE}?pt=1&ct=new&mt=8`],
    [`${PAGE}?ct=a%20b&x=%20y+&pt=9#z`, campaign, `${PAGE}?x=%20y+&pt=1&ct=new&mt=8#z`],
    [`${PAGE}?mt=8&pt=9&ct=1&ct=2`, campaign, `${PAGE}?mt=8&pt=1&ct=new`],
    [`${PAGE}?mt`, campaign, `${PAGE}?mt&pt=1&ct=new`],
    [`${PAGE}?mt=12&ppid=${PPID}`, campaign, `${PAGE}?mt=12&ppid=${PPID}&pt=1&ct=new`],
    [`${PAGE}?MT=8&act=1&CT=2`, campaign, `${PAGE}?MT=8&act=1&CT=2&pt=1&ct=new&mt=8`],
    [`${PAGE}?&&ct&a=1&#`, campaign, `${PAGE}?a=1&pt=1&ct=new&mt=8#`],
    [`${PAGE}?#?pt=9`, campaign, `${PAGE}?pt=1&ct=new&mt=8#?pt=9`],
    [`${PAGE}?ed=x?y`, campaign, `${PAGE}?ed=x?y&pt=1&ct=new&mt=8`],
    [`${PAGE}?pt=9&ct=old&ppid=x`, { ppid: PPID }, `${PAGE}?pt=9&ct=old&ppid=${PPID}`],
    [`${PAGE}?ppid=x&ppid&pt=9`, { ...campaign, ppid: PPID }, `${PAGE}?ppid=${PPID}&pt=1&ct=new&mt=8`],
    [`${PAGE}?ppid=x`, { ...campaign, ppid: null }, `${PAGE}?ppid=x&pt=1&ct=new&mt=8`],
    ['https://itunes.apple.com/x?id=42', campaign, 'https://itunes.apple.com/x?id=42&pt=1&ct=new&mt=8'],
    [` ${PAGE}?a=\ud800 `, { ppid: PPID }, `${PAGE}?a=\ufffd&ppid=${PPID}`],
    [`${PAGE}?&&a=1&#`, {}, `${PAGE}?&&a=1&#`],
    [`\n${PAGE}?&&a=1&# `, undefined, `${PAGE}?&&a=1&#`],
    [`${PAGE}?$&`, { pt: '9', ct: '$&$1' }, `${PAGE}?$&pt=9&ct=%24%26%241&mt=8`],
  ]) {
    test(`${JSON.stringify(address)} and ${JSON.stringify(parts)}`, () => assert.equal(stamped(address, parts), expected));
  }

  test('moves only the items that it replaces', () => {
    const all = { ...campaign, ppid: PPID };
    const once = stamped(`${PAGE}?a&b=c#d`, all);
    assert.equal(once, `${PAGE}?a&b=c&ppid=${PPID}&pt=1&ct=new&mt=8#d`);
    const twice = stamped(once, all);
    assert.equal(twice, `${PAGE}?a&b=c&mt=8&ppid=${PPID}&pt=1&ct=new#d`);
    assert.equal(stamped(twice, all), twice);
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
const PAGES = samples(1000, 3000);
// Each of these starts a process.
const PAGES_ALONE = samples(50, 150);

const LETTERS = [
  'a', 'Z', '0', '-', '.', '_', '~', ' ', '/', '%', '%41', '&', '=', '?', '#', '+', "'", '(', '*', '!', '"', '\\', '\t',
  '\u0001', '\u202e', '\u0085', 'é', '語', '😀',
];

const pages = (seed, count) => {
  const random = generator(seed);
  const below = limit => Math.floor(random() * limit);
  const pick = list => list[below(list.length)];
  const often = (usual, ...others) => below(9) ? usual : pick(others);
  const many = (limit, make) => Array.from({ length: below(limit) }, make);
  const text = limit => many(limit, () => pick(LETTERS)).join('');
  const items = () => ({
    ...below(2) ? {} : often(
      { pt: often('118', text(6) || '9'), ct: text(often(8, 30)) || 'x' },
      { pt: '9' }, { ct: 'x' }, { pt: '', ct: 'x' }, { pt: '9', ct: '' },
    ),
    ...below(3) ? {} : { ppid: often(PPID, PPID.toUpperCase(), 'x', '', `${PPID}0`) },
  });
  const item = () => pick([
    '', 'pt=1', 'ct=a%20b', 'ct', 'pt', 'mt=8', 'mt', 'MT=1', `ppid=${PPID}`, 'ppid', 'ed=old', 'x=%20y+', 'id=7', 'id=x', 'é=😀',
    `q=${text(5)}`,
  ]);
  const page = () => [
    pick(['', '', ' ', '\t']), often('https', 'HTTP', 'itms-apps', 'ftp', 'itmss'), '://',
    often('apps.apple.com', 'itunes.apple.com', 'APPS.apple.com:8', 'x@apps.apple.com', 'example.com'),
    pick(['/us/app', '/app', '', '//DE//app/', '/%61pp']), pick(['/slug', `/${text(5)}`, '']), often('/id42', '/id', '/id9/x', '/ID4', ''),
    pick(['', '?', '?']), many(5, item).join('&'), pick(['', '', '#', '#x?pt=1', '\r']),
  ].join('');
  return Array.from({ length: count }, () => below(2) ? { page: page(), ...items() } : {
    ...below(2) ? {} : { storefront: often('us', 'DE', 'Jp', 'usa', 'ü', 'u1', '') },
    ...below(2) ? {} : { slug: often(text(9) || 'x', '', '.', '..') },
    ...items(),
  });
};

const made = ({ page, ...parts }) => {
  try {
    return { address: page == null ? make({ appID: '42', ...parts }) : stamped(page, parts) };
  } catch ({ part, message }) {
    return { part, message };
  }
};

describe('random pages equal the command\'s', { skip }, () => {
  const NOW = 1795224750690;
  const { link, payload } = globalThis.ReferralBridge;
  const ed = payload({ timestamp: NOW, referrer: 'r' });
  // For the tokens the command has other messages.
  const isOwn = message => /^The (\w+ )?token/.test(message);

  test(`${PAGES} rows of a table (SEED=${SEED})`, () => {
    const folder = mkdtempSync(join(tmpdir(), 'store-page-'));
    try {
      // In a row an empty part is none.
      const rows = pages(SEED, PAGES).map(parts => Object.fromEntries(Object.entries(parts).filter(([, value]) => value)));
      const { stdout, stderr, error } = spawnSync(tool, [
        'links', '--app-id', '42', '--at', `${NOW}`, '--from', 'jsonl', '--quiet',
        '--rejects', join(folder, 'rejects'),
      ], {
        input: rows.map((row, n) => JSON.stringify({ n, referrer: 'r', ...row })).join('\n'), encoding: 'utf8', maxBuffer: 1e8,
      });
      assert.ok(stdout, error?.message ?? stderr);
      const lines = text => text.trim().split('\n').map(line => JSON.parse(line));
      const taken = lines(stdout);
      const refused = lines(readFileSync(join(folder, 'rejects'), 'utf8'));
      assert.equal(taken.length + refused.length, PAGES);
      assert.ok(taken.length > PAGES / 3 && refused.length > PAGES / 10, `${taken.length} taken, ${refused.length} refused`);
      for (const row of taken) {
        const { address, message } = made(rows[row.n]);
        assert.equal(address && link(address, ed), row.link, `SEED=${SEED}: ${JSON.stringify(rows[row.n])} ${message}`);
      }
      for (const { n, reason } of refused) {
        const { part, message } = made(rows[n]);
        const told = `SEED=${SEED}: ${JSON.stringify(rows[n])} ${message}`;
        if (isOwn(message ?? '')) assert.ok(reason.startsWith(`${part}: `), `${told}\n${reason}`);
        else assert.equal(`${part}: ${message}`, reason, told);
      }
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test(`${PAGES_ALONE} alone, empty parts too (SEED=${SEED + 1})`, async () => {
    const run = promisify(execFile);
    const rest = pages(SEED + 1, PAGES_ALONE);
    const check = async parts => {
      const options = 'page' in parts ? parts : { 'app-id': '42', ...parts };
      const words = ['link', '--referrer', 'r', '--at', `${NOW}`, ...Object.entries(options).map(([name, value]) => `--${name}=${value}`)];
      const told = `SEED=${SEED + 1}: ${JSON.stringify(parts)}`;
      const { address, part, message } = made(parts);
      const { stdout, stderr, code = 0 } = await run(tool, words).catch(error => error);
      if (address != null) return assert.equal(stdout, `${link(address, ed)}\n`, `${told}\n${stderr}`);
      assert.equal(code, 64, told);
      assert.ok(stderr.includes(`--${part}`), `${told}\n${message}\n${stderr}`);
      assert.ok(isOwn(message) || stderr.trimEnd().endsWith(`: ${message}`), `${told}\n${message}\n${stderr}`);
    };
    const worker = async () => {
      while (rest.length) await check(rest.pop());
    };
    await Promise.all([worker(), worker()]);
  });
});
