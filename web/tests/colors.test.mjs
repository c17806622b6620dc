// The contrast of the pages' colors, by WCAG 2.2: at least 4.5 for text (AA), and 3 for the edges of fields and for drawings.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';

const style = ['pages', 'report'].map(name => readFileSync(new URL(`../${name}.css`, import.meta.url), 'utf8')).join('');
const colorsIn = blocks => Object.fromEntries(Array.from(blocks.join('').matchAll(/--([\w-]+): (#[\da-f]+);/g), ([, name, color]) => [name, color]));
const light = colorsIn(style.match(/^:root \{[^}]*\}/gm));
const dark = { ...light, ...colorsIn(style.match(/\(prefers-color-scheme: dark\) \{\s*:root \{[^}]*\}/g)) };

const luminance = color => {
  const digits = color.length == 4 ? color.replace(/[\da-f]/g, '$&$&') : color;
  const [red, green, blue] = digits.match(/[\da-f]{2}/g).map(pair => parseInt(pair, 16) / 255)
    .map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
};
const contrast = (first, second) => {
  const [bright, dim] = [first, second].map(luminance).sort((a, b) => b - a);
  return (bright + 0.05) / (dim + 0.05);
};

const PAIRS = [
  ...['text', 'quiet', 'accent', 'bad'].flatMap(name => [[name, 'ground', 4.5], [name, 'surface', 4.5]]),
  ['on-accent', 'accent', 4.5], ['text', 'line', 4.5], ['edge', 'ground', 3], ['edge', 'surface', 3], ['accent', 'ground', 3],
  ...['bar', 'line-1', 'line-2', 'line-3', 'line-4'].map(name => [name, 'surface', 3]),
];

for (const [scheme, colors] of Object.entries({ light, dark })) {
  describe(scheme, () => {
    for (const [name, behind, least] of PAIRS) {
      test(`${name} on ${behind}`, () => {
        const found = contrast(colors[name], colors[behind]);
        assert.ok(found >= least, `${found.toFixed(2)}, at least ${least}`);
      });
    }
  });
}

test('the colors of the two schemes differ, and black on white has the greatest contrast', () => {
  assert.notEqual(light.accent, dark.accent);
  assert.equal(contrast('#000', '#ffffff'), 21);
});
