/*
 * QRCode draws a text as a QR code (ISO/IEC 18004:2015), in byte mode as UTF-8.
 *
 *   QRCode.svg('https://example.com')                  → an SVG document
 *   QRCode.path(QRCode.encode('https://example.com'))  → { d, size } for your own SVG
 *
 * Works as a script and as a module.
 */
// An element with id="QRCode" has this name as well, but no encode.
if (!globalThis.QRCode?.encode) {
  const LEVELS = ['L', 'M', 'Q', 'H'];

  // Table 9, a row for each level, for versions 1 to 40: the error correction codewords in a block,
  const CORRECTION = [
    '7 10 15 20 26 18 20 24 30 18 20 24 26 30 22 24 28 30 28 28 28 28 30 30 26 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
    '10 16 26 18 24 16 18 22 22 26 30 22 22 24 24 28 28 26 26 26 26 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28 28',
    '13 22 18 26 18 24 18 22 20 24 28 26 24 20 30 24 28 28 26 30 28 30 30 30 30 28 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
    '17 28 22 16 22 28 26 26 24 28 24 28 22 24 24 30 28 28 26 28 30 24 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30 30',
  ].map(row => row.split(' ').map(Number));
  // and the number of blocks.
  const BLOCKS = [
    '1 1 1 1 1 2 2 2 2 4 4 4 4 4 6 6 6 6 7 8 8 9 9 10 12 12 12 13 14 15 16 17 18 19 19 20 21 22 24 25',
    '1 1 1 2 2 4 4 4 5 5 5 8 9 9 10 10 11 13 14 16 17 17 18 20 21 23 25 26 28 29 31 33 35 37 38 40 43 45 47 49',
    '1 1 2 2 4 4 6 6 8 8 8 10 12 16 12 17 16 18 21 20 23 23 25 27 29 34 34 35 38 40 43 45 48 51 53 56 59 62 65 68',
    '1 1 2 4 4 4 5 6 8 8 11 11 16 16 18 16 19 21 25 25 25 34 30 32 35 37 40 42 45 48 51 54 57 60 63 66 70 74 77 81',
  ].map(row => row.split(' ').map(Number));

  // Table 10: whether a mask inverts the module in row i, column j.
  const MASKS = [
    (i, j) => (i + j) % 2 == 0,
    i => i % 2 == 0,
    (i, j) => j % 3 == 0,
    (i, j) => (i + j) % 3 == 0,
    (i, j) => ((i >> 1) + Math.floor(j / 3)) % 2 == 0,
    (i, j) => i * j % 2 + i * j % 3 == 0,
    (i, j) => (i * j % 2 + i * j % 3) % 2 == 0,
    (i, j) => ((i + j) % 2 + i * j % 3) % 2 == 0,
  ];

  const FREE = 2; // a module for the message; the others are 1 for dark and 0 for light

  // Annexes C and D: a value followed by its BCH code.
  const withBCH = (value, length, generator) => {
    let remainder = value;
    for (let i = 0; i < length; i++) remainder = remainder << 1 ^ (remainder >> length - 1) * generator;
    return value << length | remainder;
  };

  // Figure 25: once down column 8 and once back along row 8, around the timing patterns.
  const drawFormat = (modules, level, mask) => {
    const size = modules.length;
    // Table 12 numbers the levels 1 0 3 2.
    const bits = withBCH((level ^ 1) << 3 | mask, 10, 0b10100110111) ^ 0b101010000010010;
    for (let i = 0; i < 15; i++) {
      modules[i < 8 ? i + (i > 5) : size - 15 + i][8] = bits >> i & 1;
      modules[8][i < 8 ? size - 1 - i : 14 - i + (i < 9)] = bits >> i & 1;
    }
    modules[size - 8][8] = 1;
  };

  // Clauses 6.3 and 7.10: everything but the message, with room for the format.
  const drawPatterns = version => {
    const size = 4 * version + 17;
    const modules = Array.from({ length: size }, () => Array(size).fill(FREE));
    const drawSquares = (row, column, fromCentre) => {
      for (let i = 0; i < 81; i++) {
        const [down, right] = [Math.floor(i / 9) - 4, i % 9 - 4];
        const line = modules[row + down] || [];
        const shade = fromCentre[Math.max(Math.abs(down), Math.abs(right))];
        if (column + right in line && shade >= 0) line[column + right] = shade;
      }
    };
    drawFormat(modules, 0, 0);
    for (const [row, column] of [[3, 3], [3, size - 4], [size - 4, 3]]) drawSquares(row, column, [1, 1, 0, 1, 0]);
    // Table E.1: as even as possible. A step is rounded up from a quarter on.
    const gaps = Math.floor(version / 7) + 1;
    const step = 2 * Math.floor((2 * version + 2) / gaps + 0.75);
    const positions = [6, ...Array.from({ length: version > 1 && gaps }, (_, i) => size - 7 - i * step)];
    for (const row of positions) {
      // Three of the corners are taken.
      for (const column of positions) if (modules[row][column] == FREE) drawSquares(row, column, [1, 0, 1]);
    }
    for (let i = 8; i < size - 8; i++) modules[6][i] = modules[i][6] = 1 - i % 2;
    const bits = withBCH(version, 12, 0b1111100100101);
    for (let i = 0; i < 18 && version > 6; i++) {
      const [along, across] = [Math.floor(i / 3), size - 11 + i % 3];
      modules[along][across] = modules[across][along] = bits >> i & 1;
    }
    return { modules, codewords: modules.flat().filter(module => module == FREE).length >> 3 };
  };

  // Cached, because the next key needs the same patterns.
  const patterns = [];
  const patternsOf = version => patterns[version] = patterns[version] || drawPatterns(version);

  const dataCount = (version, level) =>
    patternsOf(version).codewords - CORRECTION[level][version - 1] * BLOCKS[level][version - 1];

  // Table 3: the bytes that count the bytes. Mode and terminator together take one more.
  const countLength = version => version < 10 ? 1 : 2;
  const capacity = (version, level) => dataCount(version, level) - countLength(version) - 1;

  // Clause 7.4: mode, count, bytes, terminator, padding.
  const dataCodewords = (bytes, version, level) => {
    const codewords = [];
    let half = 0b0100; // the mode; everything after it is half a codeword late
    for (const byte of [...[bytes.length >> 8, bytes.length & 255].slice(-countLength(version)), ...bytes, 0]) {
      codewords.push(half << 4 | byte >> 4);
      half = byte & 15;
    }
    for (let pad = 0b11101100; codewords.length < dataCount(version, level); pad ^= 0b11111101) codewords.push(pad);
    return codewords;
  };

  // Clause 7.5.2: multiplication in the field of 256 elements.
  const times = (a, b) => {
    let product = 0;
    for (let bit = 128; bit; bit >>= 1) product = product << 1 ^ (product >> 7) * 0b100011101 ^ (b & bit && a);
    return product;
  };

  // Annex A: the product of all x - 2^i, highest power first, without its leading 1.
  const generatorPolynomial = degree => {
    let terms = [1];
    for (let root = 1; terms.length <= degree; root = times(root, 2)) {
      terms = [...terms, 0].map((term, i) => term ^ times(terms[i - 1], root));
    }
    return terms.slice(1);
  };

  const correctionCodewords = (data, generator) => data.reduce((remainder, codeword) => {
    const factor = codeword ^ remainder[0];
    return generator.map((term, i) => times(term, factor) ^ remainder[i + 1]);
  }, generator.map(() => 0));

  // Clause 7.6: the first codeword of each block, then the second of each … The last blocks can be longer by one.
  const finalMessage = (data, version, level) => {
    const count = BLOCKS[level][version - 1];
    const generator = generatorPolynomial(CORRECTION[level][version - 1]);
    const blocks = [];
    for (let start = 0, end; blocks.length < count; start = end) {
      end = start + Math.floor((data.length + blocks.length) / count);
      blocks.push(data.slice(start, end));
    }
    const inTurn = all => all[count - 1].flatMap((_, i) => all.flatMap(block => block[i] ?? []));
    return [...inTurn(blocks), ...inTurn(blocks.map(block => correctionCodewords(block, generator)))];
  };

  // Clauses 7.7.3 and 7.8.2: columns of two modules from the right, up and down in turn.
  const drawMessage = (modules, message, inverts) => {
    const size = modules.length;
    let count = 0;
    for (let right = size - 1, upwards = true; right > 0; right -= 2, upwards = !upwards) {
      if (right == 6) right--; // the timing pattern
      for (let k = 0; k < size; k++) {
        const i = upwards ? size - 1 - k : k;
        for (let j = right; j >= right - 1; j--) {
          if (modules[i][j] == FREE) {
            // After the last codeword, some modules can remain. Their bits are 0.
            const bit = message[count >> 3] >> 7 - count % 8 & 1;
            modules[i][j] = bit ^ inverts(i, j);
            count++;
          }
        }
      }
    }
  };

  // Table 11, N1: five equal modules in a line, and each one more. N3: a pattern like a finder.
  const linePenalty = line => {
    let score = 0;
    let run = 0;
    let recent = 0; // the last 15 modules; the quiet zone is light
    for (let i = 0; i < line.length + 4; i++) {
      const module = i < line.length ? line[i] : 0;
      run = i && module == (recent & 1) ? run + 1 : 1;
      if (run > 4 && i < line.length) score += run == 5 ? 3 : 1;
      recent = recent << 1 & 0x7fff | module;
      // 1:1:3:1:1 between light modules, with four of them on at least one side.
      if ((recent >> 3 & 0x1ff) == 0b010111010 && !(recent >> 11 && recent & 15)) score += 40;
    }
    return score;
  };

  // Clause 7.8.3.1, for the complete symbol.
  const penalty = modules => {
    let score = 0;
    let dark = 0;
    modules.forEach((row, i) => {
      score += linePenalty(row) + linePenalty(modules.map(other => other[i]));
      const above = modules[i - 1] || row;
      for (let j = 0; j < row.length; j++) {
        dark += row[j];
        // N2: four equal modules in a square.
        if (i && j && row[j] == row[j - 1] && row[j] == above[j] && row[j] == above[j - 1]) score += 3;
      }
    });
    // N4: each whole 5% away from a half.
    return score + 10 * Math.floor(Math.abs(20 * dark / modules.length ** 2 - 10));
  };

  const check = (holds, message) => {
    if (!holds) throw new RangeError(`QRCode: ${message}`);
  };
  const isWhole = (value, from, to) => Number.isInteger(value) && value >= from && value <= to;

  const encode = (text, { level = 'M', version, mask } = {}) => {
    if (typeof text != 'string') throw new TypeError(`QRCode: the text is a string, not ${text}`);
    const row = LEVELS.indexOf(level);
    check(row >= 0, `level is L, M, Q or H, not ${level}`);
    check(version === undefined || isWhole(version, 1, 40), `version is 1 to 40, not ${version}`);
    check(mask === undefined || isWhole(mask, 0, 7), `mask is 0 to 7, not ${mask}`);

    const bytes = new TextEncoder().encode(text);
    let chosen = version || 1;
    while (!version && chosen < 40 && bytes.length > capacity(chosen, row)) chosen++;
    const room = capacity(chosen, row);
    const fits = `only ${room} fit at level ${level} in version ${chosen}`;
    check(bytes.length <= room, `the text has ${bytes.length} bytes, but ${fits}`);

    const message = finalMessage(dataCodewords(bytes, chosen, row), chosen, row);
    const masks = mask === undefined ? [...MASKS.keys()] : [mask];
    const drawn = masks.map(mask => {
      const modules = patternsOf(chosen).modules.map(row => [...row]);
      drawMessage(modules, message, MASKS[mask]);
      drawFormat(modules, row, mask);
      return { mask, modules, score: masks.length > 1 && penalty(modules) };
    });
    const best = drawn.reduce((best, other) => other.score < best.score ? other : best);
    const modules = Object.freeze(best.modules.map(row => Object.freeze(row.map(Boolean))));
    return Object.freeze({ version: chosen, level, mask: best.mask, size: modules.length, modules });
  };

  const path = ({ size, modules }, { margin = 4 } = {}) => {
    check(isWhole(margin, 0, 1e6), `margin is a whole number of modules, not ${margin}`);
    let d = '';
    modules.forEach((row, i) => {
      for (let start, end = 0; (start = row.indexOf(true, end)) >= 0;) {
        end = [...row, false].indexOf(false, start);
        d += `M${start + margin} ${i + margin}h${end - start}v1h${start - end}z`;
      }
    });
    return { d, size: size + 2 * margin };
  };

  const svg = (text, options) => {
    const { d, size } = path(encode(text, options), options);
    return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" `
      + `role="img" aria-label="QR code"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path fill="#000" d="${d}"/></svg>`;
  };

  globalThis.QRCode = { encode, path, svg };
}
