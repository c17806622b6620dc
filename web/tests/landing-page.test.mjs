// The builder's landing pages against the command's.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

import '../shown-text.js';
import '../store-page.js';
import '../referral-bridge.js';
import '../landing-address.js';
import '../builder/web-address.js';
import '../builder/rows.js';
import '../landing-page.js';
import { tool } from './tool.mjs';

const { html, problem, readLanguages, checkImage, checkCountAddress } = globalThis.LandingPage;
const web = fileURLToPath(new URL('..', import.meta.url));
const read = name => readFileSync(join(web, name), 'utf8');

const translations = JSON.parse(read('landing-sentences.json'));
const parts = {
  template: read('landing.html').replace('{version}', JSON.parse(read('package.json')).version),
  main: read('landing-main.html'),
  style: `\n${read('pages.css')}${read('landing.css')}`,
  snippet: spawnSync(tool, ['snippet', '--format', 'html', '--min'], { encoding: 'utf8' }).stdout.slice('<script>'.length, -'</script>\n'.length),
  qr: `\n${read('qr-code.min.js')}`,
  invitation: read('landing-invitation.min.js'),
  ct: read('referral-ct.min.js'),
  count: read('landing-count.min.js'),
  keep: read('referral-keep.min.js'),
  script: read('landing.min.js'),
  translations,
};

const commandPage = (...options) => spawnSync(tool, ['page', '--app-id', '42', ...options], { encoding: 'utf8' });
const own = tag => ['button=<{name}>', 'note={contents} {x} {', 'signature=s', 'plain=p', 'copied=c {name}', 'failed=f {name}', 'phone=h', 'scan=s', 'local=l', 'code=q']
  .map(text => text.split(/=(.*)/s).slice(0, 2)).map(([part, text]) => ({ tag, part, text }));

const ADDRESS = 'https://apps.apple.com/app/id42';
const SIG = `${'A-'.repeat(42)}_w`;
const CASES = {
  'a name alone': { name: 'Trestle' },
  'everything': {
    name: 'A & "B" <c>', tagline: "It's {name} {#icon}", referrer: 'spring & <b>', item: 'from', image: 'https://example.com/a.png?b&c',
    hasBanner: true, parameters: { pack: '<gold>', aB: '"', 'a.b_1': "'\n" },
  },
  'several languages': { name: 'Trestle', tagline: 'Bridges', languages: 'en,de,ja,zh-Hant,zh-TW,ar,pt-BR', sentences: [
    { tag: 'de', part: 'button', text: 'Hol dir {name} & {contents}' }, { tag: 'ar', part: 'tagline', text: 'جسور' }] },
  'a language of its own': { name: 'T', languages: 'sv,fa,az-Arab', sentences: ['sv', 'fa', 'az-Arab'].flatMap(own)
    .concat({ tag: 'sv', part: 'language', text: 'Svenska' }) },
  'a language of its own alone': { name: '…7', languages: 'ar-Latn', sentences: own('ar-Latn') },
  'emoji': { name: '👩‍👩‍👧 family' },
  'only a mark': { name: '👩‍👩‍👧' },
  'letters with marks': { name: '«Ålesund»' },
  'items of the address': { name: 'T', referrer: 'spring', handedOn: ['open', 'pack.b_1'] },
  'Google Play and an App Clip': { name: 'A & B', referrer: 'spring', play: 'com.example.a_1', clip: 'com.example.a-1.Clip', languages: 'en,de,he,ja' },
  'a referrer that is kept': { name: 'A & B', referrer: 'spring', item: 'from', keepsReferrer: true, languages: 'en,he' },
  'a referrer that is kept, and an invitation, in a language of its own': { name: 'T', keepsReferrer: true, isForInvitations: true, languages: 'sv',
    sentences: [...own('sv'), ...['kept', 'invited', 'enter'].map(part => ({ tag: 'sv', part, text: '<{name}>' }))] },
  'a campaign of each referrer, and counts': { name: 'A & B', languages: 'en,he', takesTokenFromReferrer: true, countTo: '/count?a&b', keepsReferrer: true,
    address: `${ADDRESS}?pt=9&ct=web&mt=8` },
  'counts elsewhere, in a language of its own': { name: 'T', countTo: 'https://counts.example:8443/a', languages: 'sv',
    sentences: [...own('sv'), ...['counted', 'countedName'].map(part => ({ tag: 'sv', part, text: '<{name}>' }))] },
  'invitations': { name: 'A & B', languages: 'en,de,he,ja', isForInvitations: true, sentences: [{ tag: 'de', part: 'invited', text: '<{name}>' }] },
  'invitations and Google Play in a language of its own': { name: 'T', play: 'a.b', isForInvitations: true, languages: 'sv', sentences: [...own('sv'),
    ...['play', 'invited', 'enter'].map(part => ({ tag: 'sv', part, text: '<{name}>' })), { tag: 'sv', part: 'playNote', text: '{contents}' }] },
  'Google Play in a language of its own': { name: 'T', play: 'a.b', languages: 'sv', sentences: [...own('sv'),
    { tag: 'sv', part: 'play', text: '<{name}>' }, { tag: 'sv', part: 'playNote', text: '{contents} & {name}' }] },
};

const optionsOf = ({ name, tagline, referrer, item, image, hasBanner, parameters = {}, languages, sentences = [], ...rest }) => [
  ...(rest.handedOn ?? []).map(name => `--item=${name}`), ...['play', 'clip'].filter(name => rest[name]).map(name => `--${name}=${rest[name]}`),
  `--name=${name}`, ...tagline == null ? [] : [`--tagline=${tagline}`], ...referrer == null ? [] : [`--referrer=${referrer}`],
  ...item == null ? [] : [`--referrer-item=${item}`], ...image == null ? [] : [`--image=${image}`],
  ...rest.isForInvitations ? ['--invitations'] : [], ...rest.keepsReferrer ? ['--keep'] : [], ...rest.takesTokenFromReferrer ? ['--pt=9', '--ct=web', '--ct-from-referrer'] : [],
  ...rest.countTo == null ? [] : [`--count-to=${rest.countTo}`], ...hasBanner ? ['--banner'] : [], ...Object.entries(parameters).map(([key, value]) => `--param=${key}=${value}`),
  ...languages == null ? [] : [`--language=${languages}`],
  ...sentences.map(({ tag, part, text }) => `--text=${languages.includes(',') ? `${tag}.` : ''}${part}=${text}`),
];

const nested = (sentences = []) => {
  const all = {};
  for (const { tag, part, text } of sentences) (all[tag] ??= {})[part] = text;
  return all;
};

const lines = text => text.split('\n');

describe('a page has the same bytes as the command’s', () => {
  for (const [label, options] of Object.entries(CASES)) {
    test(label, async () => {
      const { status, stdout, stderr } = commandPage(...optionsOf(options));
      assert.equal(status, 0, stderr);
      const made = await html({ languages: 'en', address: ADDRESS, ...options, from: options.item, appID: '42', sentences: nested(options.sentences) }, parts);
      assert.deepEqual(lines(made), lines(stdout));
    });
  }

  test('with a signature', async () => {
    for (const [until, shown] of [['1799999999999', '2027-01-15'], ['100000000000', '1973-03-03'], ['99999999999999', '5138-11-16'],
      ['100000000000000', '100000000000000'], ['9'.repeat(16), '9'.repeat(16)], ['soon', 'soon']]) {
      const parameters = { sig: SIG, until, pack: 'gold' };
      const options = optionsOf({ name: 'T', referrer: 'spring', parameters });
      const made = await html({ languages: 'en', name: 'T', referrer: 'spring', parameters, address: ADDRESS, appID: '42' }, parts);
      assert.deepEqual(lines(made), lines(commandPage(...options).stdout));
      assert.ok(made.includes(`<bdi>until=${shown}</bdi></code> <em id="signature">signature</em>`), until);
    }
  });
});

describe('what is wrong is the same as for the command', () => {
  const refused = (option, value) => commandPage('--name=T', `${option}=${value}`).status == 64;

  const fails = check => {
    try {
      check();
      return false;
    } catch {
      return true;
    }
  };

  test('addresses that count', () => {
    for (const text of ['/', '/count', '/a?b&c', '/"', '/[~]', 'https://a', 'https://a.example:1/x', 'https://a?b', '', 'count', '//a', '/\\a', '/a\\b', 'http://a/', 'HTTPS://a',
      'https://', 'https:///a', 'https://a@b/', 'https://a:/', 'https://a;b/', '/a b', '/a#b', '/é', '/a\n', '/\x7f']) {
      assert.equal(fails(() => checkCountAddress(text)), refused('--count-to', text), text);
    }
  });

  test('languages', () => {
    for (const tags of ['en', 'en,de', 'EN', 'e', 'english', 'en,', '', 'en,en', 'en,EN', 'zh-Hant', 'd"e', 'en-', 'abcd', '12', 'en_US', 'xx-', 'zh-TW,zh']) {
      let isRefused = false;
      try {
        isRefused = readLanguages(tags, translations).some(language => problem(language));
      } catch {
        isRefused = true;
      }
      assert.equal(isRefused, refused('--language', tags), tags);
    }
  });

  test('pictures', () => {
    for (const address of ['https://example.com/a.png', 'http://example.com/', 'https://', 'https:///a', 'https://a b', 'https://a\n', 'x', 'data:,']) {
      assert.equal(fails(() => checkImage(address)), refused('--image', address), address);
    }
  });

  test('packages and bundle identifiers', () => {
    for (const [option, check] of [['--play', globalThis.LandingPage.checkPackage], ['--clip', globalThis.LandingPage.checkBundle]]) {
      for (const text of ['com.example.trestle', 'a.b', 'a', '', 'com..a', 'com.1a', 'com.example.a-b', 'com.example.a_b', 'a b.c', 'a.b"', 'é.b', '.a']) {
        assert.equal(fails(() => check(text)), refused(option, text), `${option} ${text}`);
      }
    }
  });
});
