// Picture judges icons by the vectors, and as the command does.
// REFERRAL_TOOL names the command if it isn't the debug build's. SEED chooses other random changes, and CHANGES more of them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import '../picture.js';
import { effort } from './effort.mjs';
import { samples } from './samples.mjs';

const { problem, type, allowed } = globalThis.Picture;
const { cases, lists } = JSON.parse(readFileSync(new URL('../../Tests/Vectors/pictures.json', import.meta.url), 'utf8'));

const SEED = Number(process.env.SEED ?? 20261123);
const tool = process.env.REFERRAL_TOOL ?? fileURLToPath(new URL('../../.build/debug/referral-tool', import.meta.url));
const skip = existsSync(tool) ? false : `there is no ${tool}: swift build makes it, or name it in REFERRAL_TOOL`;

const bytes = text => new TextEncoder().encode(text);
const fileOf = ({ svg, base64 }) => svg != null ? bytes(svg) : Uint8Array.from(Buffer.from(base64, 'base64'));
const kindOf = content => problem(bytes(`<svg xmlns="http://www.w3.org/2000/svg">${content}</svg>`))?.kind;

describe('the vectors', () => {
  for (const vector of cases) {
    test(vector.name, () => {
      const { verdict, kind, line, subject: name, reason } = vector;
      assert.deepEqual(problem(fileOf(vector)), verdict == 'accepted' ? null : { kind, line, name, reason });
      if (verdict == 'accepted') assert.equal(type(fileOf(vector)), vector.type);
    });
  }
});

describe('the lists', () => {
  test("are the vectors' own", () => {
    const { refused, ...all } = lists;
    assert.deepEqual(Object.fromEntries(Object.entries(allowed).map(([name, list]) => [name, [...list].sort()])), all);
  });

  test('decide what is accepted', () => {
    for (const name of lists.elements) assert.equal(kindOf(`<${name}/>`), undefined, name);
    for (const name of lists.textAttributes) assert.equal(kindOf(`<g ${name}="url(x)"/>`), undefined, name);
    // A name of XML doesn't begin with a hyphen.
    for (const name of [...lists.attributes, ...lists.properties].filter(name => name[0] != '-')) {
      assert.equal(kindOf(`<g ${name}="1"/>`), undefined, name);
      assert.equal(kindOf(`<g ${name}="url(x)"/>`), 'value', name);
    }
    for (const name of lists.properties) {
      assert.equal(kindOf(`<g style="${name}:1"/>`), undefined, name);
      assert.equal(kindOf(`<g style="${name}:url(x)"/>`), 'style', name);
    }
    for (const name of lists.functions) assert.equal(kindOf(`<g fill="${name}(1)"/>`), undefined, name);
    for (const name of lists.refused.elements) assert.equal(kindOf(`<${name}/>`), 'element', name);
    for (const name of lists.refused.attributes) assert.equal(kindOf(`<g ${name}="1"/>`), 'attribute', name);
    for (const name of lists.refused.properties) assert.equal(kindOf(`<g style="${name}:1"/>`), 'style', name);
    for (const name of lists.refused.functions) assert.equal(kindOf(`<g fill="${name}(1)"/>`), 'value', name);
  });
});

test('a file may have 256 KiB and not a byte more', () => {
  const file = new Uint8Array(262145).fill(1);
  file.set([0xff, 0xd8, 0xff]);
  assert.equal(problem(file.subarray(0, 262144)), null);
  assert.deepEqual(problem(file), {
    kind: 'tooLarge', line: null, name: null, reason: 'it has 262145 bytes, and an icon has at most 262144; 256 by 256 pixels are enough',
  });
});

test('the largest pictures take time in proportion', () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg">';
  const full = (start, part, end = '</svg>') => bytes(svg + start + part.repeat(Math.floor((262000 - start.length - end.length) / part.length)) + end);
  for (const [file, kind] of [
    [full('', '<g/>')], [full('<path d="', 'M0 0', '"/></svg>')], [full('<style>', 'a{fill:red}', '</style></svg>')], [full('', '&amp;')],
    [full('<g ', 'a="" '), 'malformed'], [full('<g fill="', '(', '"/></svg>'), 'value'], [full('<g fill="', 'a', '("/></svg>'), 'value'], [full('', '<g>'), 'depth'],
    [full('<style>', '}', '</style></svg>'), 'style'], [full('', '&'), 'malformed'], [full('<g style="', ';', '"/></svg>')], [full('<!--', ' '), 'malformed'],
    [full(' ', ' ')], [full('<g fill="', 'rgb(', '"/></svg>')], [full('<g fill="', "''", '"/></svg>')], [full('<g', ' ', '/></svg>')], [full('', '<!---->')],
  ]) {
    // Work that grows with the square is thousands of times as much.
    assert.ok(effort(() => assert.equal(problem(file)?.kind, kind)) < 30);
  }
});

// mulberry32
const generator = seed => () => {
  seed = (seed + 0x6d2b79f5) | 0;
  let mixed = Math.imul(seed ^ (seed >>> 15), 1 | seed);
  mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
  return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
};

const CHANGES = Number(process.env.CHANGES ?? samples(60, 150));
const PARTS = [
  '<', '>', '/', '"', "'", '&', ';', '<!--', '-->', '--', '<![CDATA[', ']]>', '<?xml ', '?>', '<!DOCTYPE svg', '&#x3C;', '&amp;', 'é', '\ufeff', '\u00a0', '\u212a', '😀', '\0',
  'url(', '#a', ')', '(', '{', '}', ':', '=', ' ', '\n', '\r', 'xlink:', 'a:b', ' onload="x"', '<style>', '</style>', 'style="', 'fill:red', ' id="a"', '<g>', '</g>', '@', '\\', '/*',
];

test(`${CHANGES} changed pictures get the command's verdicts and reasons (SEED=${SEED})`, { skip }, () => {
  const random = generator(SEED);
  const below = limit => Math.floor(random() * limit);
  const folder = mkdtempSync(join(tmpdir(), 'picture-'));
  try {
    const path = join(folder, 'icon');
    const right = cases.filter(({ verdict }) => verdict == 'accepted');
    let accepted = 0;
    for (let count = 0; count < CHANGES; count += 1) {
      let file = Buffer.from(fileOf(below(2) ? cases[below(cases.length)] : right[below(right.length)]));
      for (let changes = below(3) + 1; changes > 0; changes -= 1) {
        const place = below(file.length + 1);
        const rest = file.subarray(place + (below(2) ? 0 : below(6)));
        file = Buffer.concat([file.subarray(0, place), Buffer.from(PARTS[below(PARTS.length)]), rest]);
      }
      writeFileSync(path, file);
      const { status, stdout, stderr } = spawnSync(tool, ['page', '--app-id=42', '--name=T', `--icon=${path}`], { encoding: 'utf8' });
      const found = problem(file);
      const told = `SEED=${SEED}: ${JSON.stringify(file.toString())}`;
      if (found) {
        assert.equal(status, 65, told);
        // The command escapes what a terminal wouldn't show.
        const shown = found.reason.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, mark => `\\u{${mark.codePointAt().toString(16).toUpperCase()}}`);
        assert.ok(stderr.replace(/\\(t|n|r)/g, (_, letter) => `\\u{${{ t: 9, n: 'A', r: 'D' }[letter]}}`).trimEnd().endsWith(`: ${shown}`), `${told}\n${shown}\n${stderr}`);
      } else {
        accepted += 1;
        assert.equal(status, 0, `${told}\n${stderr}`);
        assert.ok(stdout.includes(`data:${type(file)};base64,${file.toString('base64')}`), told);
      }
    }
    assert.ok(accepted > CHANGES / 30, `${accepted} accepted`);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
