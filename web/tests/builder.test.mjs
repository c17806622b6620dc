// The builder's page as published, and its tables against the command's.
// SEED chooses other random tables, and LONG_TESTS more of them.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import '../shown-text.js';
import '../store-page.js';
import '../referral-bridge.js';
import '../landing-address.js';
import '../builder/web-address.js';
import '../builder/rows.js';
import { effort } from './effort.mjs';
import { samples } from './samples.mjs';
import { skip, tool } from './tool.mjs';

const { links, ready, attributeName, element, landingPage } = globalThis.LinkRows;
const web = fileURLToPath(new URL('..', import.meta.url));

const MOST_BYTES = 136_000;
const AT = 1795224750690;
const SEED = Number(process.env.SEED ?? 1);
const PPID = '45812c9b-c296-43d3-c6a0-c5a02f74bf6e';

const binary = text => Buffer.from(text).toString('latin1');
const hash = text => `sha256-${createHash('sha256').update(text).digest('base64')}`;
const page = readFileSync(join(web, 'index.html'), 'utf8');

describe('the page', () => {
  test('is up to date with its sources', () => {
    const folder = mkdtempSync(join(tmpdir(), 'referral-bridge-'));
    try {
      execFileSync(join(web, 'make-builder'), [join(folder, 'fresh.html')]);
      assert.ok(page == readFileSync(join(folder, 'fresh.html'), 'utf8'), 'run web/make-builder');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test(`is smaller than ${MOST_BYTES} bytes with all its scripts`, () => {
    const weight = Buffer.byteLength(page);
    console.log(`web/index.html: ${weight} bytes`);
    assert.ok(weight < MOST_BYTES, `${weight} bytes`);
  });

  test('has a policy that allows its scripts, its style and that of landing pages only', () => {
    const [, policy] = /Content-Security-Policy" content="([^"]*)"/.exec(page);
    const inside = (tag, text = page) => Array.from(text.matchAll(new RegExp(`<${tag}[^>]*>([^]*?)</${tag}>`, 'g')), ([, text]) => `'${hash(text)}'`).join(' ');
    const landing = `'${hash(`\n${['pages', 'landing'].map(name => readFileSync(join(web, `${name}.css`), 'utf8')).join('')}`)}'`;
    assert.equal(policy, `default-src 'none'; script-src ${inside('script')}; style-src ${inside('style', page.replace(/<script[^]*?<\/script>/g, ''))} ${landing}; img-src data: blob:; base-uri 'none'; form-action 'none'`);
  });

  test('requests nothing and interprets no text as HTML', () => {
    const markup = page.replace(/<(script|style)[^]*?<\/\1>/g, '');
    assert.doesNotMatch(markup, /\s(src|srcset|style|on\w+)=/);
    assert.deepEqual(markup.match(/href="[^"]*"/g), ['href="data:,"']);
    for (const name of ['page', 'make', 'landing', 'many', 'read', 'state', 'rows']) {
      assert.doesNotMatch(readFileSync(join(web, `builder/${name}.js`), 'utf8'), /innerHTML|outerHTML|insertAdjacentHTML|document\.write|eval\(|alert\(/);
    }
    assert.doesNotMatch(page, /@import|url\(|fetch\(|XMLHttpRequest/);
    // In the script of a page that counts, which is a text here. The policy allows no request either.
    assert.equal(page.match(/sendBeacon/g).length, 1);
  });

  test('shows the hash and the integrity of its snippet', () => {
    const [, snippet] = /<script id="?snippet"?>([^]*?)<\/script>/.exec(page);
    assert.ok(page.includes(`script-src '${hash(snippet)}'"`));
    assert.ok(page.includes(hash(readFileSync(join(web, 'referral-bridge.min.js')))));
  });
});

describe('a row', () => {
  const reasons = (table, options) => links(binary(table), { appID: '42', at: AT, ...options }).rows.map(({ reason }) => reason);

  test('has its line and its reason', () => {
    const { rows, bad } = links('referrer,ct\n"a\nb",x\n\n,x\n"a"x\n', { appID: '42', pt: '9', at: AT });
    assert.deepEqual(rows.map(({ line, reason }) => [line, reason]), [
      [2, null], [5, 'referrer: missing'], [6, 'there is text after a closing quote']]);
    assert.equal(bad, 2);
  });

  test('with an open quote is the last one', () => {
    const open = 'an opening quote has no closing quote, so this is the last row that was read';
    assert.deepEqual(reasons('referrer,ct\na,\n"b"c,\nd,"\ne,\n'), [null, 'there is text after a closing quote', open]);
    assert.deepEqual(reasons('referrer,ct\na,"\nb,\n"c,\nd,\n'), [open]);
  });

  test('uses the options for its missing parts', () => {
    assert.deepEqual(reasons('referrer,ct\na,x\nb,\n', { pt: '9' }),
      [null, "ct: missing; without it, the App Store doesn't count the pt"]);
    assert.deepEqual(reasons('referrer,page\na,\n', { appID: null }), ['page: missing, and no --page or --app-id is given']);
  });

  test('with a parameter has a place on a landing address that is not signed only if the page passes it on', () => {
    const table = 'referrer,ct,param.board,note\nanna,x,,\nbob,x,wood,\n,,"wood",\neve,,"",';
    const { rows, ignored, rejects } = links(table, { landing: 'https://example.com/get', at: AT });
    const reason = 'param.board: a link to a landing page can contain it only if --item names it or if the link is signed; '
      + 'give --item board or --sign, or omit --landing';
    assert.deepEqual(rows.map(({ link, reason }) => link ?? reason),
      ['https://example.com/get?via=anna', reason, reason, 'https://example.com/get?via=eve']);
    assert.match(rejects, /,3,bob,x,wood,\n/);
    assert.deepEqual(ignored, ['ct', 'note']);
    const passed = links(table.replace('wood', 'a b&c'), { landing: 'https://example.com/get?board=x&a=1', items: 'open board', at: AT });
    assert.deepEqual(passed.rows.map(({ link, reason }) => link ?? reason), ['https://example.com/get?a=1&via=anna',
      'https://example.com/get?a=1&via=bob&board=a%20b%26c', 'referrer: missing', 'https://example.com/get?a=1&via=eve']);
  });

  test('an item that a page passes on has the name of a parameter, once, and not the referrer’s', () => {
    const { handedOn } = globalThis.LinkRows;
    assert.deepEqual(handedOn(' open, pack\npack.b_1 '), ['open', 'pack', 'pack.b_1']);
    assert.deepEqual(handedOn(), []);
    for (const text of ['on', 'sig', 'until', 'timestamp', 'referrer', 'Open', '1', 'a-b', 'é', 'via', 'open open']) {
      assert.throws(() => handedOn(text), text);
    }
    assert.throws(() => handedOn('from', 'from'));
  });

  test('can have a parameter with the name of an object\'s own property', () => {
    const { rows: [{ link }] } = links('referrer,param.__proto__,param.constructor\na,x,y\n', { appID: '42', at: AT });
    assert.equal(Buffer.from(link.split('ed=')[1], 'base64url').toString(),
      `{"timestamp":${AT},"referrer":"a","__proto__":"x","constructor":"y"}`);
  });

  test('has an attribute for each parameter that the snippet can read', () => {
    const names = { pack: 'data-referral-pack', levelSet: 'data-referral-level-set', 'a.b_1': 'data-referral-a.b_1', on: null, On: null, 'é': null, 'a b': null, '': null, 'a-b': null };
    for (const name in names) assert.equal(attributeName(name), names[name], name);
  });
});

test('a table may have its links', () => {
  const rows = table => ready(binary(table), 'csv');
  assert.equal(rows('referrer\na'), null);
  assert.equal(rows(''), null);
  assert.deepEqual(rows('\ufeffLink ,Referrer\n"https://example.com/?a=""1",é\n\nx,b\nhttps://apps.apple.com/id1,c\nhttps://example.com\n').map(({ line, referrer, link }) => [line, referrer, link]),
    [[2, 'é', 'https://example.com/?a="1'], [4, 'b', null], [5, 'c', null], [6, '', 'https://example.com']]);
});

test('an element escapes its texts, and with an item it has no referrer of its own', () => {
  assert.equal(element('https://apps.apple.com/app/id1?pt=1&ct=2', 'a<b>&"\'', { pack: '"\n' }),
    '<a href="https://apps.apple.com/app/id1?pt=1&amp;ct=2" data-referrer="a&lt;b&gt;&amp;&quot;&#39;" data-referral-pack="&quot;&#10;">Get the app</a>');
  assert.equal(element('x', 'a', {}, { item: 'r"', title: 'A&B' }), '<a href="x" data-referrer-from="r&quot;">Get A&amp;B</a>');
});

test('the header tells the separator, and the output keeps it', () => {
  const output = table => links(table, { landing: 'https://example.com/;a,b', at: AT }).output;
  assert.equal(output('Referrer;"a,b"\nanna;1\n'), 'Referrer;"a,b";link\nanna;1;"https://example.com/;a,b?via=anna"\n');
  assert.equal(output(' REFERRER\tx;y\n"an\tna"\t1\n'), ' REFERRER\tx;y\tlink\n"an\tna"\t1\thttps://example.com/;a,b?via=an%09na\n');
  assert.equal(output('referrer,x;y\tz\nanna,1\n'), 'referrer,x;y\tz,link\nanna,1,"https://example.com/;a,b?via=anna"\n');
  const { rejects } = links('Reason;referrer\n"1;2";\n', { appID: '42', at: AT });
  assert.equal(rejects, 'reason;line;Reason;referrer\nreferrer: missing;2;"1;2";\n');
});

test('a spreadsheet file is no table', () => {
  for (const start of ['PK\x03\x04\x14\0', '\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1']) {
    assert.equal(links(start, { appID: '42', at: AT }).problem, 'it is a spreadsheet file; save it as CSV');
  }
});

test('another encoding, other line ends and another separator say what would be right', () => {
  const problem = (table, format) => links(table, { appID: '42', at: AT, format }).problem;
  assert.equal(problem('referrer,ct\ra,b\r'), 'the lines seem to end with CR alone; save the table as CSV UTF-8');
  assert.equal(problem('referrer,ct\n', 'tsv'), "there is no column 'referrer', only 'referrer,ct'");
  assert.equal(problem('referrer,Stra\xdfe\n'), 'it is not UTF-8; save the table as CSV UTF-8');
  assert.equal(links('referrer\nJ\xfcrgen\n', { appID: '42', at: AT }).rows[0].reason, 'referrer: not UTF-8; save the table as CSV UTF-8');
});

test('columns that set nothing are named', () => {
  const ignored = table => links(table, { appID: '42', at: AT }).ignored;
  assert.deepEqual(ignored('email,referrer,param_board,ct\n'), ['email', 'param_board']);
  assert.deepEqual(ignored('name\n'), []);
});

test('10,000 rows take time in proportion', () => {
  const table = `referrer,name,ct,param.pack\n${Array.from({ length: 10_000 }, (_, row) => `r${row},"Some, one",c${row},gold\n`).join('')}`;
  let made;
  const work = effort(() => { made = links(table, { appID: '1300230302', pt: '9', at: AT }); });
  assert.deepEqual([made.rows.length, made.bad], [10_000, 0]);
  // Work that grows with the square is thousands of times as much.
  assert.ok(work < 100, `${work}`);
});

describe('against the command', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'referral-bridge-'));
  test.after(() => rmSync(folder, { recursive: true }));

  // The command's form of characters that a terminal interprets.
  const terminal = text => text.replace(/[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g, mark => `\\u{${mark.charCodeAt().toString(16).toUpperCase()}}`);

  // The same bytes, lines, reasons and rejected rows, or the same problem of the whole table.
  const compare = (table, { format = 'csv', ...options } = {}) => {
    const named = { appID: 'app-id', referrerColumn: 'referrer-column' };
    const given = Object.entries(options).filter(([, value]) => value != null).map(([name, value]) => `--${named[name] ?? name}=${value}`);
    const rejects = join(folder, 'rejects');
    const answer = spawnSync(tool, ['links', '--from', format, '--at', `${AT}`, '--rejects', rejects, '--jobs', '1', ...given], {
      input: Buffer.from(table, 'latin1'), maxBuffer: 1 << 28 });
    const result = links(table, { ...options, format, at: AT });
    const error = answer.stderr.toString();
    const shown = JSON.stringify([table.slice(0, 300), options]);
    if (result.problem != null) {
      assert.ok(answer.status && !answer.stdout.length, shown);
      const said = result.problem.startsWith('which page') ? 'which page?' : result.problem.replace(/^it is /, 'is ');
      assert.ok(error.includes(terminal(said)) || error.includes(terminal(result.problem)), `${result.problem}\n${error}\n${shown}`);
      return result;
    }
    assert.equal(result.output, answer.stdout.toString('latin1'), `${error}\n${shown}`);
    const bad = result.rows.filter(({ reason }) => reason != null);
    const told = error.split('\n').filter(line => line.startsWith('standard input:'));
    assert.deepEqual(bad.slice(0, 20).map(({ line, reason }) => `standard input:${line}: ${terminal(reason)}`), told, shown);
    assert.equal(result.rejects, readFileSync(rejects, 'latin1'), shown);
    assert.equal(Number(/white space around a referrer isn't a part of it: (\d+) rows?\n/.exec(error)?.[1] ?? 0), result.trimmed, shown);
    // The note may begin with options.
    const [note = ''] = /^referral-tool: no effect on the links: .*/m.exec(error) ?? [];
    assert.deepEqual(Array.from(note.matchAll(/the column ('.*?')(?=$|, |: | \(did you mean ')/g), ([, name]) => name), result.ignored.map(name => terminal(`'${name}'`)), shown);
    return result;
  };

  const BASE = { appID: '42' };
  const FULL = { ...BASE, pt: '9', ct: 'std', storefront: 'us', slug: 'trestle' };

  const TABLES = [
    'referrer', 'referrer,x\r\n', 'referrer\na', 'referrer\r\na\r\nb', 'referrer\ra\n', '\ufeffreferrer,x\r\nanna,1\r\n"anna",2\r\n', 'referrer,x\n\nanna,1\n\n\n',
    'note,referrer,"na""me"\n a ,anna,"x,"\n"1\n2","b""ob, jr",é', 'referrer,x\nanna,5" disk\n', 'referrer\n\r\na\n', 'referrer,x\n"a"\r,1\na,"x"\r',
    'referrer,param.b,param.a,param.10,param.2\na,1,2,3,4\n"é\u0001\u2028/\\""",😀,"\n",,\n',
    'referrer,ct,pt,ppid,slug,storefront,page,param.pack,param.a b\na,,,,,,,,\nb,spring,,,,,,gold,x\n'
      + `c,spring sale,9,${PPID},my app,DE,,,\nd,x,,,,,https://itunes.apple.com/fr/app/other/id7?l=fr&ct=old#top,,1\n`
      + 'e,,,x,,,,,\nf,,,,..,,,,\ng,,,,,usa,,,\nh,,,,x,,https://apps.apple.com/app/id7,,\ni,,,,,,https://example.com/id7,,\nj,,,,,,nowhere,,\n'
      + 'k,,,,,,https://a@apps.apple.com/id7,,\nl,,,,,,https://apps.apple.com/app,,\nm,,,,,,  https://apps.apple.com/app/id7?ed=x ,,\nn,,,,,,"https://apps.apple.com/a\tb/id7",,\n',
    `referrer,ct,page,note\ngood,x,,\na,${'c'.repeat(41)},,\na,${'é'.repeat(21)},,\n,x,,\n"",x,,\na,x,,,\na\na,x\0,,\na,,,x\0\n"a"b,x,,\n"a,x,,\n${'r'.repeat(8200)},x,,\n"more\ngood",x,,\n`,
    'referrer,x,=y\n=a,"+",1\n,=,=\nb,"""=",-\nc,a\r=,"\t"\nd,a\r"=,"a\r="\n@,"\r",\r\r\n', 'referrer,param.a,a,b,param.b\na,,1,2,\nb,x,,,\n,,,,x\nc,,,,""\n',
    `referrer,slug\na,${'s'.repeat(70000)}\nb,${'s'.repeat(65400)}\n`,
    'referrer,"reason"\n,old\n', '\ufeffreason,rejected.reason,referrer\r\na,b,\r\n',
    'referrer;ct;x,y\na;b;1\n"a;b";"c";"2;3"\n,;;\nc\n', 'referrer\tparam.a\tx;y\r\na\t"1\n2\t"\t\r\n"b"\t2,5\t"z"x\n',
    'referrer;"a,b"\n"x\ny";1\nx,y;2\n;3\n', '"a\tb\n";referrer\n1;a\n', '"referrer";"ct\n', 'referrer;ct,x\ta\nb,c\n', 'a";referrer\n"1;2";b\n', 'a"b,c;referrer\n', ';referrer\n1;a\n',
    '"referrer""x;y",ct\n', '\ufeff"referrer";"x\ny"\r\n"a";1\r\n', '"referrer"x;"y\n', 'referrer\t\n"a"\t1\n',
    ' Referrer ,CT,Param.Board,Page\t,param.board,X\na,b,1,,2,\nb,,,nowhere,,\n', 'REFERRER;"param.a "\na;1\n', 'Referrer,reason,x\n,1,\n', 'Referrer,REASON\n,1\n', 'referrer,param.a,Param.a\n',
    // Open quotes
    'referrer,x\na,\nb,"\nc,\nd,"\ne,\n', 'referrer,x\r\na,"b\r\nc,"d"e\r\nf,\r\n', 'referrer,x\na,1\n"b', 'referrer,x\na,"\n"b\nc,1\n', 'referrer\n"a"b\nc\n"\n',
    // Long names and values, and those with invisible characters
    `referrer,${'é'.repeat(512)}\na,1\n`, `referrer,${'é'.repeat(513)}\na,1\n`, `referrer,param.${'k'.repeat(90)}\na,1\n`,
    `referrer,pt,ct,ppid\na,1E8,x,\nb,${'x'.repeat(81)},x,\nc,\u202e\u0001,x,\nd,,,"\n""${'é'.repeat(80)}"\ne,,,\u2060😀\n`,
    // Lines that end with CR alone
    'referrer,name\ranna,Anna\rbob,Bob\r', '"referrer","na\rme"\r"anna","A\rB"\r', 'referrer\r', '\ufeffreferrer;x\ra;b', 'x,referrer\r\r\na,b\r\r\n', 'a\r,referrer\n', 'referrer,x\ra,b\r\nc,d\n',
    '"x"\r"referrer"\r', 'referrer\tct\ra\tb\r',
    // Columns without names and with the same one, rows without values
    'referrer,name,,\nanna,Anna,,\n', 'referrer,note,note,NOTE\na,1,2,3\n', 'referrer,, ,\t\na,,,x\n', ',,referrer\n,,\n"",,""\n,,a\n,\n', 'referrer,ct,Ct\na,b,c\n', 'referrer,param.a,PARAM.a\n', 'referrer,x\r\n,\r\na,\r\n,', 'referrer\n""\n',
    // Invisible characters
    'referrer\u00a0,x\n', '\u200breferrer\n', 'referrer,ct\u00a0,na\u00adme\na,b,c\n', 'referrer,link\u2060\na,b\n', 'x\u3164y\u180e\n', 'referrer,"a\rb"\n1,2\n',
    // White space around referrers
    'referrer\nanna\n anna\n\u00a0anna\ufeff\n\u0085a\n\u180ea\n\u2028a\n  \n',
    'referrer,page\na,https://apps.apple.com/id7?a=1&amp;b=2\nb,https://apps.apple.com/id7?a=1&amp;b=2\nc,https://apps.apple.com/id7?a=1&b=2\nd,https://apps.apple.com/developer/id7\ne,https://apps.apple.com/app/7\n',
    'referrer,ct,pt\na,b,1.18E+08\nc,d,x\ne,f,118\n', 'line,reason,referrer\n1,2,\n', 'Line,referrer,rejected.line\n1,,2\n',
    // Invalid tables
    'referrer,Referrer \n', 'x,referrer,X\n', 'referrer,Link\n', 'referrer,PARAM.timestamp\n', 'sep=;\nreferrer;ct\na;b\n', '\ufeff"Sep=,"\r\nreferrer\n', 'sep=\nreferrer\n', 'sep=,x\n', 'x, REFERER\n', 'referrer, param. \n', 'PK\x03\x04referrer\n', '"referrer;ct"\n', '\u212aeferrer\n',
    '', 'name,x\na,b\n', 'refferer,x\n', 'referrer,x,y,x\n', 'referrer,link\n', 'referrer,link,LINK\n', 'referrer,param.timestamp\n',
    'referrer,param.\n', 'referrer,"x\n', '\x7fELF\0\0\0\n', '\n', `${Array.from({ length: 100 }, (_, column) => `c${column}`).join(',')}\n`, `${'é'.repeat(90)},b\n`,
  ];

  for (const [name, options] of Object.entries({
    'an app id': BASE, 'all parts': FULL, 'a provider token alone': { ...BASE, pt: '9' }, 'a landing page': { ...FULL, landing: 'https://example.com/?x=%20+&&via=old&v%69a=older&via%=&y=#f?via=1' },
    'a referrer in the path': { landing: 'https://example.com/f\u00fcr/*?via=1&a=1#top' },
    'an item of another name': { landing: 'HTTP://example.com?von+wem=x&von%20wem&von', 'referrer-item': 'von wem' },
    'another column': { ...FULL, referrerColumn: 'Name' }, 'a column of another role': { ...FULL, referrerColumn: 'param.a' },
    'an item in another script': { landing: 'https://example.com?é=\u0301x&%C3%A9=y&e\u0301=1', 'referrer-item': 'é' }, 'no page': {},
  })) {
    test(`tables with ${name}`, () => {
      for (const table of TABLES) compare(binary(table), options);
    });
  }

  test('rows of about 1 MiB', () => {
    const text = 'x'.repeat((1 << 20) - 4);
    for (const table of [`a,"${text}"\na,"${text.slice(1)}"\nb,1\n`, `a,${text}xxx"\n"b,${text}xx\nc,1\n"`, `a,"\n${text}"\nb,1\n`]) compare(`referrer,x\n${table}`, BASE);
  });

  test('an address that all links would repeat has at most 2,048 bytes', () => {
    const landing = 'https://example.com/';
    for (const [short, problem] of [
      [{ landing: landing.padEnd(2048, 'x') }, 'landing page'], [{ ...BASE, slug: 'x'.repeat(2048 - 'https://apps.apple.com/app//id42?pt=1&ct=x&mt=8'.length), ct: 'x' }, 'page in the App Store'],
    ]) {
      compare('referrer,pt\na,9\n', short);
      const [name] = Object.keys(short).filter(name => name != 'appID');
      const long = { ...short, [name]: `${short[name]}x` };
      assert.equal(links('referrer,pt\na,9\n', { ...long, at: AT }).problem, `the address of the ${problem} is longer than 2,048 bytes`);
      const { status, stderr } = spawnSync(tool, ['links', ...Object.entries(long).map(([name, value]) => `--${name == 'appID' ? 'app-id' : name}=${value}`)], { input: '' });
      assert.equal(status, 64);
      assert.ok(stderr.toString().endsWith('longer than 2,048 bytes\n'), stderr);
    }
  });

  test('tabs', () => {
    for (const table of ['referrer\tx\n"a"\t1,2\n', 'referrer\tx\r\na\t"\n"\r\nb\tc\td\n\t\n', 'referrer,x\na,b\n', 'referrer\tct\na\tx\ty\nb\t' + 'c'.repeat(41), 'referrer;ct\na;b\n', '"Referrer"\tREFERRER\t CT\n1\ta\tb\n']) compare(binary(table), { ...FULL, format: 'tsv' });
  });

  test('invalid UTF-8', () => {
    for (const table of ['\xd0\xcf\x11\xe0\xa1\xb1', 'referrer,x\nanna,\xff\xc3\n', 'referrer,ct\n\xc3,x\na,\xff\n\xed\xa0\x80,\n\xf4\x90\x80\x80,', '\xff\xfer\0e\0', '\xfe\xff\0r', 'referrer,\xff\n']) compare(table, FULL);
  });

  const RANDOM_TABLES = samples(100, 500);

  test(`${RANDOM_TABLES} random tables (SEED=${SEED})`, () => {
    let state = SEED;
    const random = count => {
      state = Math.imul(state ^ state >>> 15, 0x2c1b3c6d) + 0x9e3779b9 | 0;
      return (state >>> 8) % count;
    };
    const pick = list => list[random(list.length)];
    const PIECES = ['a', 'a', 'b', 'b', 'c', ',', ',', ',', ';', ';', '\n', '\n', '\n', '\n', '\r\n', '"', '""', '"x,y"', '\t', ' ', 'é', '😀', '\0', '\r', '=', '&', '#', '%', 'https://apps.apple.com/de/app/x/id7', 'x'.repeat(41), 'us', PPID];
    const HEADERS = ['referrer,,', 'referrer,x,X', 'referrer;ct', '"Referrer";"n,\n";param.k', 'x\treferrer\tct', 'referrer,ct', 'x,referrer,param.k', 'referrer', 'page,referrer,ct,pt', 'storefront,slug,referrer,ppid', '"referrer","n""o"'];
    let good = 0;
    for (let index = 0; index < RANDOM_TABLES; index += 1) {
      const body = Array.from({ length: random(40) }, () => pick(PIECES)).join('');
      const options = pick([BASE, FULL, { ...BASE, pt: '9' }, { landing: 'https://example.com/get?x' }, {}]);
      good += compare(binary(`${pick(HEADERS)}${pick(['\n', '\n', '\r\n'])}${body}`), { ...options, format: pick(['csv', 'csv', 'tsv']) }).rows.filter(({ link }) => link).length;
    }
    assert.ok(good > RANDOM_TABLES / 10, `${good}`);
  });

  test('elements, as --to html writes them', () => {
    const answer = spawnSync(tool, ['links', '--page=https://apps.apple.com/app/id42', '--pt=1', '--ct=x&y', '--to=html', '--from=jsonl'], {
      input: `${JSON.stringify({ referrer: 'a<b>\t&"\'', 'param.levelSet': '3', 'param.pack': '"\n' })}\n` });
    assert.equal(`${element(globalThis.StorePage.make({ appID: 42, pt: 1, ct: 'x&y' }), 'a<b>\t&"\'', { pack: '"\n', levelSet: '3' })}\n`, answer.stdout.toString());
    assert.equal(landingPage('https://example.com/?x#y')('a & b'), 'https://example.com/?x&via=a%20%26%20b#y');
  });

  test('names of parameters that an attribute can have, as the command and a landing page take them', () => {
    const [, pattern] = /isParameter = name => \/(\S+)\/\.test/.exec(readFileSync(join(web, 'landing-address.js'), 'utf8'));
    const names = ['on', 'On', 'once', 'a', 'levelSet', 'a.b', 'a_b', 'a-b', 'A', '1', '_a', '.a', 'é', 'a b', 'sig', '__proto__', 'a1', '\u212a', 'a\u212a'];
    const answer = spawnSync(tool, ['links', '--app-id=42', '--to=html', '--from=jsonl'], {
      input: names.map(name => `{"referrer":"x",${JSON.stringify(`param.${name}`)}:"1"}\n`).join('') });
    const rejected = Array.from(answer.stderr.toString().matchAll(/^standard input:(\d+): param\./gm), ([, line]) => names[line - 1]);
    assert.deepEqual(names.filter(name => attributeName(name) == null), rejected);
    assert.deepEqual(names.filter(name => !new RegExp(pattern).test(name)), rejected);
    assert.equal(names.length - rejected.length, 7);
  });
});
