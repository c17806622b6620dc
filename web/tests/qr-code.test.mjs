// QR codes by the figures and examples of ISO/IEC 18004:2015.
// tests/qr compares them with another encoder's and reads them back.

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import vm from 'node:vm';

import '../qr-code.js';
import { effort } from './effort.mjs';

const { encode, path, svg } = globalThis.QRCode;
const read = name => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

const LEVELS = ['L', 'M', 'Q', 'H'];
const bits = values => values.reduce((number, dark) => number * 2 + dark, 0);
const drawing = ({ modules }) => modules.map(row => row.map(dark => dark ? '#' : '.').join(''));
const thrown = action => {
  try {
    action();
  } catch (error) {
    return error;
  }
};
const differing = (a, b) => (a ^ b).toString(2).replaceAll('0', '').length;

describe('size', () => {
  // Table 7: bytes that fit at L, M, Q and H.
  for (const [version, ...rooms] of [
    [1, 17, 14, 11, 7],
    [2, 32, 26, 20, 14],
    [6, 134, 106, 74, 58],
    [7, 154, 122, 86, 64],
    [9, 230, 180, 130, 98],
    [10, 271, 213, 151, 119],
    [20, 858, 666, 482, 382],
    [26, 1367, 1059, 751, 593],
    [27, 1465, 1125, 805, 625],
    [32, 1952, 1538, 1112, 842],
    [39, 2809, 2213, 1579, 1219],
  ]) {
    test(`version ${version} has the standard's capacity, and longer text needs the next one`, () => {
      LEVELS.forEach((level, i) => {
        const text = 'a'.repeat(rooms[i]);
        const code = encode(text, { level, mask: 0 });
        assert.deepEqual([code.version, code.level, code.size], [version, level, 4 * version + 17]);
        assert.equal(encode(`${text}a`, { level, mask: 0 }).version, version + 1);
        assert.throws(() => encode(`${text}a`, { level, version }), RangeError);
      });
    });
  }

  test('version 40 has the standard\'s capacity, and longer text throws', () => {
    [2953, 2331, 1663, 1273].forEach((room, i) => {
      const level = LEVELS[i];
      assert.equal(encode('a'.repeat(room), { level, mask: 0 }).version, 40);
      assert.throws(() => encode('a'.repeat(room + 1), { level }), {
        name: 'RangeError',
        message: `QRCode: the text has ${room + 1} bytes, but only ${room} fit at level ${level} in version 40`,
      });
    });
  });

  test('is counted in bytes of UTF-8', () => {
    for (const [letter, count] of [['a', 14], ['é', 7], ['語', 4], ['🎉', 3]]) {
      assert.equal(encode(letter.repeat(count)).version, 1, letter);
      assert.equal(encode(letter.repeat(count + 1)).version, 2, letter);
    }
  });

  test('an empty text fits', () => assert.equal(encode('').version, 1));

  test('the version can be larger than needed', () => {
    for (let version = 1; version <= 40; version++) assert.equal(encode('a', { version, mask: 0 }).size, 4 * version + 17);
  });
});

describe('options', () => {
  test('the level is M by default', () => {
    assert.deepEqual(encode('a'), encode('a', { level: 'M' }));
    assert.deepEqual(encode('a', {}), encode('a', { level: undefined, version: undefined, mask: undefined }));
  });

  for (const [name, values] of [
    ['level', ['', 'm', 'LM', 'X', null, 0, 'constructor']],
    ['version', [0, 41, -1, 1.5, NaN, '7', null]],
    ['mask', [-1, 8, 0.5, NaN, '3', null]],
  ]) {
    for (const value of values) {
      test(`the ${name} ${JSON.stringify(value)} is rejected`, () => {
        const message = new RegExp(`^QRCode: ${name} is .*, not ${value}$`);
        assert.throws(() => encode('a', { [name]: value }), { name: 'RangeError', message });
      });
    }
  }

  for (const text of [undefined, null, 7, {}, ['a']]) {
    test(`${JSON.stringify(text)} isn\'t a text`, () => assert.throws(() => encode(text), { name: 'TypeError', message: /^QRCode: / }));
  }

  for (const margin of [-1, 0.5, NaN, Infinity, '4', null, '"><script>']) {
    test(`a margin of ${JSON.stringify(margin)} is rejected`, () => {
      assert.throws(() => path(encode('a'), { margin }), RangeError);
      assert.throws(() => svg('a', { margin }), RangeError);
    });
  }
});

describe('text', () => {
  for (const [lone, whole] of [['\ud800', '\ufffd'], ['a\udfffb', 'a\ufffdb'], ['\udc00\ud800', '\ufffd\ufffd']]) {
    test(`a lone surrogate becomes U+FFFD: ${JSON.stringify(lone)}`, () => assert.deepEqual(encode(lone), encode(whole)));
  }

  test('texts are encoded unchanged', () => {
    // Composed or not, with a byte order mark or zeroes: none of these is another's code.
    const texts = ['', '\0', '\0\0', '\ufeff', 'é', 'e\u0301', 'a', 'a ', ' a', 'A', 'a\n'];
    assert.equal(new Set(texts.map(text => drawing(encode(text, { mask: 0 })).join())).size, texts.length);
  });
});

describe('symbol', () => {
  test('is the same as before', () => {
    assert.deepEqual(drawing(encode('Trestle')), [
      '#######..#.##.#######',
      '#.....#..#....#.....#',
      '#.###.#.#.#.#.#.###.#',
      '#.###.#.#.#...#.###.#',
      '#.###.#.###.#.#.###.#',
      '#.....#.####..#.....#',
      '#######.#.#.#.#######',
      '........#.#..........',
      '#.#####....#..#####..',
      '###.....########..###',
      '..#.#.##.##.#.##...#.',
      '.#...#....#####..##..',
      '#.#..###..#.#......#.',
      '........#...#..#####.',
      '#######..#.#.#...###.',
      '#.....#.###....#.####',
      '#.###.#.#.##.#..##.#.',
      '#.###.#.##.######.#..',
      '#.###.#.#...#.#..#...',
      '#.....#....#####.##..',
      '#######.#...#....#.#.',
    ]);
  });

  test('is the same as before at each size and level', () => {
    const hash = createHash('sha256');
    for (let version = 1; version <= 40; version++) {
      LEVELS.forEach((level, i) => {
        const { message } = thrown(() => encode('a'.repeat(3000), { level, version }));
        const text = 'The quick brown fox jumps over the lazy dog. '.repeat(70).slice(0, /only (\d+) fit/.exec(message)[1]);
        hash.update(drawing(encode(text, { level, version, mask: (version + i) % 8 })).join('\n'));
      });
    }
    assert.equal(hash.digest('hex'), 'af17f7e1654e731ae45f7b70eb009121bb7e8c998577d5865e7a3398a0591f96');
  });

  test('has three finders, the timing patterns and the dark module', () => {
    const finder = ['#######.', '#.....#.', '#.###.#.', '#.###.#.', '#.###.#.', '#.....#.', '#######.', '........'];
    for (let version = 1; version <= 40; version++) {
      const lines = drawing(encode('a', { version, mask: 0 }));
      const { length: size } = lines;
      const mirrored = finder.map(line => [...line].reverse().join(''));
      assert.deepEqual(lines.slice(0, 8).map(line => line.slice(0, 8)), finder);
      assert.deepEqual(lines.slice(0, 8).map(line => line.slice(-8)), mirrored);
      assert.deepEqual(lines.slice(-8).map(line => line.slice(0, 8)), [...finder].reverse());
      const timing = '#.'.repeat(2 * version) + '#';
      assert.equal(lines[6].slice(8, -8), timing);
      assert.equal(lines.map(line => line[6]).join('').slice(8, -8), timing);
      assert.equal(lines[size - 8][8], '#');
    }
  });

  // Table E.1.
  for (const [version, ...positions] of [
    [2, 6, 18],
    [6, 6, 34],
    [7, 6, 22, 38],
    [14, 6, 26, 46, 66],
    [15, 6, 26, 48, 70],
    [16, 6, 26, 50, 74],
    [22, 6, 26, 50, 74, 98],
    [32, 6, 34, 60, 86, 112, 138],
    [36, 6, 24, 50, 76, 102, 128, 154],
    [39, 6, 26, 54, 82, 110, 138, 166],
    [40, 6, 30, 58, 86, 114, 142, 170],
  ]) {
    test(`version ${version} has its alignment patterns at the standard's positions`, () => {
      const lines = drawing(encode('a', { version, mask: 0 }));
      const last = positions.length - 1;
      positions.forEach((row, i) => positions.forEach((column, j) => {
        if (i + j === 0 || (i === 0 && j === last) || (i === last && j === 0)) return;
        const pattern = lines.slice(row - 2, row + 3).map(line => line.slice(column - 2, column + 3));
        assert.deepEqual(pattern, ['#####', '#...#', '#.#.#', '#...#', '#####'], `${row}, ${column}`);
      }));
    });
  }

  test('contains its level and mask twice', () => {
    const formats = LEVELS.flatMap(level => [0, 1, 2, 3, 4, 5, 6, 7].map(mask => {
      const { modules, size } = encode('a', { level, mask });
      const column = modules.map(row => row[8]);
      const beside = [...modules[8].slice(0, 6), modules[8][7], modules[8][8], column[7], ...column.slice(0, 6).reverse()];
      const apart = [...column.slice(-7).reverse(), ...modules[8].slice(size - 8)];
      assert.equal(bits(beside), bits(apart));
      return bits(beside);
    }));
    // Annex C: the example of level M and mask 5.
    assert.equal(formats[8 + 5], 0b100000011001110);
    // Table 12.
    assert.deepEqual([0, 8, 16, 24].map(i => (formats[i] ^ 0b101010000010010) >> 10), [0b01000, 0b00000, 0b11000, 0b10000]);
    formats.forEach((format, i) => formats.slice(0, i).forEach(other => assert.ok(differing(format, other) >= 5)));
  });

  test('contains its version twice from 7 on', () => {
    const versions = [];
    for (let version = 7; version <= 40; version++) {
      const { modules, size } = encode('a', { version, mask: 0 });
      const right = modules.slice(0, 6).flatMap(row => row.slice(size - 11, size - 8)).reverse();
      const rows = modules.slice(size - 11, size - 8);
      const below = [0, 1, 2, 3, 4, 5].flatMap(column => rows.map(row => row[column])).reverse();
      assert.equal(bits(right), bits(below));
      assert.equal(bits(right) >> 12, version);
      versions.push(bits(right));
    }
    // Annex D: the example of version 7.
    assert.equal(versions[0], 0b000111110010010100);
    versions.forEach((version, i) => versions.slice(0, i).forEach(other => assert.ok(differing(version, other) >= 8)));
  });

  test('has the mask of the option, or the best one', () => {
    for (let mask = 0; mask < 8; mask++) assert.equal(encode('a', { mask }).mask, mask);
    const masks = Array.from({ length: 60 }, (_, i) => encode(`https://example.com/?ref=${i}`).mask).join('');
    assert.equal(masks, '212231331210176131630363333130333361163363233163133666301633');
    // Where the share of dark modules decides.
    assert.deepEqual(['1p3', '2c0', '3c2', '3rv'].map(text => encode(text).mask), [2, 0, 2, 5]);
    // Where 3 and 6 are equally good.
    assert.equal(encode('https://example.com/?ref=128').mask, 3);
  });

  test('is frozen', () => {
    const code = encode('a');
    for (const part of [code, code.modules, ...code.modules]) assert.ok(Object.isFrozen(part));
    assert.deepEqual(Object.keys(code), ['version', 'level', 'mask', 'size', 'modules']);
  });

  test('of 200 bytes is little work', () => {
    const work = Array.from({ length: 60 }, (_, i) => effort(() => encode(`${i}`.padEnd(200, 'https://example.com/'))));
    assert.ok(Math.min(...work) < 5, `${Math.min(...work)}`);
  });
});

describe('path', () => {
  const painted = ({ d, size }) => {
    const canvas = Array.from({ length: size }, () => Array(size).fill('.'));
    const rectangles = d.match(/M\d+ \d+h\d+v1h-\d+z/g);
    assert.equal(rectangles.join(''), d);
    for (const rectangle of rectangles) {
      const [, x, y, width, back] = /M(\d+) (\d+)h(\d+)v1h-(\d+)z/.exec(rectangle).map(Number);
      assert.equal(width, back);
      for (let column = x; column < x + width; column++) {
        assert.equal(canvas[y][column], '.', 'nothing is painted twice');
        canvas[y][column] = '#';
      }
    }
    return canvas.map(row => row.join(''));
  };

  for (const margin of [undefined, 0, 1, 4, 10]) {
    test(`covers exactly the dark modules, with a margin of ${margin ?? 'four'} modules`, () => {
      for (const version of [1, 2, 7, 40]) {
        const code = encode('a', { version, mask: 0 });
        const wide = margin ?? 4;
        const empty = Array(wide).fill('.'.repeat(code.size + 2 * wide));
        const framed = drawing(code).map(line => '.'.repeat(wide) + line + '.'.repeat(wide));
        assert.deepEqual(painted(path(code, { margin })), [...empty, ...framed, ...empty]);
      }
    });
  }

  test('has one rectangle for each run in a row', () => {
    const code = encode('Trestle');
    const runs = drawing(code).join('\n').match(/#+/g).length;
    assert.equal(path(code).d.split('z').length - 1, runs);
  });
});

describe('svg', () => {
  test('is a whole document', () => {
    const { d, size } = path(encode('Trestle'));
    assert.equal(size, 29);
    assert.equal(svg('Trestle'), '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 29 29" shape-rendering="crispEdges" '
      + `role="img" aria-label="QR code"><path fill="#fff" d="M0 0h29v29H0z"/><path fill="#000" d="${d}"/></svg>`);
  });

  test('has the level and the margin of the options', () => {
    const { d, size } = path(encode('a', { level: 'H' }), { margin: 0 });
    assert.equal(size, 21);
    const drawn = svg('a', { level: 'H', margin: 0 });
    assert.match(drawn, /viewBox="0 0 21 21"/);
    assert.ok(drawn.endsWith(`<path fill="#fff" d="M0 0h21v21H0z"/><path fill="#000" d="${d}"/></svg>`));
    assert.throws(() => svg('a', { level: 'X' }), RangeError);
  });

  test('doesn\'t contain the text', () => {
    assert.match(svg('"><script>alert(1)</script>&'), /^[\w "#/:.=<>-]+$/);
    assert.doesNotMatch(svg('<script>'), /script/);
  });
});

describe('file', () => {
  test('is a plain script with one global', () => {
    const page = vm.createContext({ TextEncoder });
    vm.runInContext(read('qr-code.js'), page);
    assert.deepEqual(Object.keys(page), ['TextEncoder', 'QRCode']);
    assert.deepEqual(vm.runInContext('Object.keys(QRCode)', page).join(), 'encode,path,svg');
    assert.equal(page.QRCode.svg('é 語 🎉'), svg('é 語 🎉'));
    assert.throws(() => vm.runInContext('FREE', page), /FREE is not defined/);
  });

  test('changes nothing when loaded twice, and works beside an element of that name', async () => {
    const first = globalThis.QRCode;
    await import('../qr-code.js?again');
    assert.equal(globalThis.QRCode, first);
    const page = vm.createContext({ TextEncoder, QRCode: { tagName: 'CANVAS' } });
    vm.runInContext(read('qr-code.js'), page);
    assert.equal(page.QRCode.svg('a'), svg('a'));
  });

  test('has types whose examples run', () => {
    const types = read('qr-code.d.ts');
    const examples = [...types.matchAll(/```js\n(.*?)```/gs)].map(([, example]) => example.replace(/^ *\* ?/gm, ''));
    assert.equal(examples.length, 3);
    const page = vm.createContext({ QRCode: globalThis.QRCode, URL, Blob, link: 'https://example.com', element: {} });
    for (const example of examples) vm.runInContext(example, page);
    assert.match(page.element.innerHTML, /^<svg viewBox="0 0 33 33"/);
    assert.match(page.element.href, /^blob:/);
    assert.equal(vm.runInContext('code.version', page), 3);
    assert.equal(vm.runInContext('code.modules[0][0]', page), true);
  });
});
