// IconFile judges icons as the command does.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';

import '../builder/icon-file.js';
import { skip, tool } from './tool.mjs';


const XMLNS = 'xmlns="http://www.w3.org/2000/svg"';
const NO_ICON = 'it is not a PNG, JPEG, WebP or SVG';
const NO_NAMESPACE = `a browser shows it only with a namespace; add ${XMLNS} to its <svg>`;
const SVG = 'image/svg+xml';
const ILLUSTRATOR = '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd" [\n\t'
  + '<!ENTITY ns_x "http://ns.example/">\n\t<!ENTITY ns_svg "http://www.w3.org/2000/svg">\n]>';

const CASES = [
  ['\x89PNG\r\n\x1a\n\0', 'image/png'], ['\xff\xd8\xff\xe0', 'image/jpeg'], ['RIFF1234WEBPVP8 ', 'image/webp'],
  ['', NO_ICON], ['GIF89a', NO_ICON], ['RIFF1234WAVE', NO_ICON], ['\x89PNG\n', NO_ICON], ['<', NO_ICON], ['<>', NO_ICON],
  ['\xff\xfe<\0s\0v\0g\0', NO_ICON], ['\x1f\x8b\x08', NO_ICON],
  // What drawing programs write, and what they leave in it.
  [`<svg ${XMLNS}/>`, SVG], [`<svg ${XMLNS} style="border-radius:24px;width:auto" viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>`, SVG],
  [`\xef\xbb\xbf<?xml version="1.0" encoding="UTF-8" standalone="no"?>\r\n<!-- Created with <svg> -->\n<svg\n  xmlns:dc="http://purl.org/dc/elements/1.1/"\n  ${XMLNS}\n  version="1.1"><metadata><rdf:RDF/></metadata></svg>`, SVG],
  ["<svg width = '1' xmlns = 'http://www.w3.org/2000/svg'><script/><style>@import x;</style></svg>", SVG],
  ['<svg:svg xmlns:svg="http://www.w3.org/2000/svg"/>', SVG], ['<s:svg xmlns="x" xmlns:s="http://www.w3.org/2000/svg">', SVG],
  [`${ILLUSTRATOR}<svg xmlns="&ns_svg;">`, SVG], [`<svg aria-label="a > b" ${XMLNS}>`, SVG], [`<!DOCTYPE svg><svg ${XMLNS}>`, SVG],
  [`<?xml version="1.0" encoding="ISO-8859-1"?><svg ${XMLNS} id="\xe9">`, SVG],
  // Without the namespace, or in another one.
  ['<svg viewBox="0 0 10 10"><path d="M0 0h10v10z"/></svg>', NO_NAMESPACE], ['<svg>', NO_NAMESPACE],
  ['<svg xmlns="http://www.w3.org/2000/SVG"/>', NO_NAMESPACE], 
  ['<svg xmlns="&ns_svg;">', NO_NAMESPACE],
  // Something else.
  ['<svg', NO_ICON], [`<html><svg ${XMLNS}/></html>`, NO_ICON], [`<svgs ${XMLNS}>`, NO_ICON],
  [`<!-- <svg ${XMLNS}>`, NO_ICON], [`<?xml <svg ${XMLNS}>`, NO_ICON], [`<!DOCTYPE svg [ <svg ${XMLNS}>`, NO_ICON], ['{"svg":1}', NO_ICON],
];

const judged = file => {
  try {
    return globalThis.IconFile.type(file);
  } catch ({ message }) {
    return message;
  }
};

for (const [file, expected] of CASES) test(JSON.stringify(file.slice(0, 120)), () => assert.equal(judged(file), expected));

test('the command judges the same', { skip }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'icon-'));
  try {
    const path = join(folder, 'icon');
    for (const [file, expected] of CASES) {
      writeFileSync(path, file, 'latin1');
      const { status, stdout, stderr } = spawnSync(tool, ['page', '--app-id=42', '--name=T', '--referrer=x', `--icon=${path}`], { encoding: 'utf8' });
      if (expected.startsWith('image/')) {
        assert.equal(status, 0, `${file}\n${stderr}`);
        assert.ok(stdout.includes(`data:${expected};base64,${Buffer.from(file, 'latin1').toString('base64')}`), file);
      } else {
        assert.equal(status, 65, file);
        assert.equal(stderr, `referral-tool: --icon '${path}': ${expected}\n`);
      }
    }
  } finally {
    rmSync(folder, { recursive: true });
  }
});
