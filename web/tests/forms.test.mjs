// The snippet as the command prints it, and JavaScript's links as the command reads them.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import vm from 'node:vm';

import '../referral-bridge.js';
import { tool } from './tool.mjs';

const run = (...words) => spawnSync(tool, words, { encoding: 'utf8' });
const snippet = (...options) => {
  const { status, stdout, stderr, error } = run('snippet', ...options);
  assert.equal(status, 0, error?.message ?? stderr);
  return stdout;
};

// The snippet's global in a page of its own.
const inPage = script => {
  const page = vm.createContext({ btoa, unescape, encodeURIComponent });
  vm.runInContext(script, page);
  return page.ReferralBridge;
};

const FILES = [[[], 'referral-bridge.js'], [['--min'], 'referral-bridge.min.js']];

for (const [options, name] of FILES) {
  const file = readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

  test(`${name}: the script is the file`, () => {
    assert.equal(snippet('--format', 'script', ...options), file);
    assert.equal(snippet(...options), file);
  });

  test(`${name}: the module is the file and exports the global's functions`, async () => {
    const module = snippet('--format', 'module', ...options);
    assert.ok(module.startsWith(file));
    assert.deepEqual({ ...await import(`data:text/javascript,${encodeURIComponent(module)}`) }, globalThis.ReferralBridge);
  });

  test(`${name}: the element ends after its script, which is the file`, () => {
    const element = snippet('--format', 'html', ...options);
    const [, script] = /^<script>(.*)<\/script>\s*$/s.exec(element);
    for (const unsafe of [/<!--/, /<script/i, /<\/script/i]) assert.doesNotMatch(script, unsafe);
    assert.match(script, /^\n\/\/<!\[CDATA\[\n.*\n\/\/\]\]>\n$/s);
    assert.doesNotMatch(script.slice(0, -'//]]>\n'.length), /\]\]>/);

    const tap = { timestamp: 1e12, referrer: '</script><!-- 🎉', k: ']]>' };
    assert.equal(inPage(script).payload(tap), globalThis.ReferralBridge.payload(tap));
  });
}

test('the element has a nonce, if the nonce can\'t break out of it', () => {
  assert.match(snippet('--format', 'html', '--nonce', 'bm9uY2U='), /^<script nonce="bm9uY2U=">\n/);
  for (const nonce of ['', '"', 'a b', '"><script>', "x'", 'a&b', '<']) {
    assert.equal(run('snippet', '--format', 'html', '--nonce', nonce).status, 64, nonce);
  }
});

test('the command reads back what JavaScript writes', () => {
  const { payload, link } = globalThis.ReferralBridge;
  const texts = ['a', 'quotes " \' \\ /', '\u0000\u0001\u001f\u007f\u2028', 'é 語 🎉 שלום', '~~~???>>>ûûû', '\ufeffx', '</script>', '%41+ &=#?'];
  for (const text of texts) {
    const tap = { timestamp: Date.now(), referrer: text, parameter: text, [text]: 'named' };
    for (const page of ['https://apps.apple.com/us/app/trestle/id1300230302?ct=a%20b&ed=old#top', 'itms-apps://itunes.apple.com/app/id1300230302']) {
      const { status, stdout, stderr } = run('decode', '--app-id', '1300230302', '--json', '--', link(page, payload(tap)));
      assert.equal(status, 0, stderr);
      const { timestamp, referrer, parameters } = JSON.parse(stdout);
      assert.deepEqual({ timestamp, referrer, ...parameters }, tap);
    }
  }
});
