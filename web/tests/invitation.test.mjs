// What a landing page made with --invitations shows of the name in its address.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import vm from 'node:vm';

import { vectors } from './vectors.mjs';

const script = new vm.Script(['landing-address.js', 'landing-invitation.min.js'].map(name => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8')).join('\n'));

// The code that the page shows, or undefined.
const shown = search => {
  const elements = { store: { dataset: { referrerFrom: 'via' } } };
  for (const name of ['invited', 'invitation', 'invite-code', 'spelled']) elements[name] = { hidden: true };
  script.runInNewContext({ document: { getElementById: name => elements[name] }, location: { search }, URLSearchParams }, { timeout: 5_000 });
  const code = elements['invite-code'].textContent;
  assert.equal(elements.invited.hidden, code === undefined);
  assert.equal(elements.invitation.hidden, code === undefined);
  assert.equal(elements.spelled.textContent?.replaceAll(', ', '-').replaceAll(' ', ''), code);
  return code;
};

const named = text => shown(`?via=${encodeURIComponent(text)}`);

describe('a page shows the codes that the library reads', () => {
  for (const { name, text, code } of vectors('invites').codes.filter(({ text }) => text.isWellFormed())) {
    test(name, () => assert.equal(named(text) ?? null, code));
  }

  for (const { name, code } of vectors('invites').made) test(name ?? code, () => assert.equal(named(code), code));
});

test('one or two wrong symbols, and two exchanged ones, are never shown', () => {
  const symbols = Array.from('4F7K9Q2MXRKQ');
  const changed = change => {
    const others = Array.from(symbols);
    change(others);
    return others.join('');
  };
  const isShown = text => named(text) !== undefined;
  const alphabet = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  const next = symbol => alphabet[(alphabet.indexOf(symbol) + 1) % alphabet.length];
  for (let first = 0; first < 12; first += 1) {
    for (let second = 0; second < 12; second += 1) {
      const wrong = changed(others => {
        others[first] = next(others[first]);
        others[second] = next(others[second]);
      });
      assert.ok(!isShown(wrong), wrong);
      const exchanged = changed(others => { [others[first], others[second]] = [others[second], others[first]]; });
      assert.equal(isShown(exchanged), symbols[first] == symbols[second], exchanged);
    }
  }
});

test('every hyphen is skipped', () => {
  for (const hyphen of '-\u2010\u2011\u2012\u2013\u2014\u2015') assert.ok(named(`4F7K${hyphen}9Q2M${hyphen}XRKQ`), hyphen);
  for (const other of '_\u200f\u2016\u00ad') assert.ok(!named(`4F7K${other}9Q2M${other}XRKQ`), other);
});

test('only the first item of the page’s own name counts', () => {
  assert.equal(shown('?a=1&via=4f7k9q2mxrkq&via=x#y'), '4F7K-9Q2M-XRKQ');
  for (const search of ['', '?', '?via', '?via=', '?via=anna', '?via=&via=4F7K-9Q2M-XRKQ', '?Ref=4F7K-9Q2M-XRKQ', '?via=anna&via=4F7K-9Q2M-XRKQ']) {
    assert.equal(shown(search), undefined, search);
  }
});

test('a name of a megabyte takes no time', () => {
  for (const text of [' ', '\n', '-', 'a', ' a', '4F7K-9Q2M-XRKQ ']) assert.equal(named(text.repeat(1_000_000 / text.length)), undefined);
});
