// What a tap on a landing page copies, for each address of the page: the page's script and the snippet run as in a browser on an iPhone.
//
//   node web/tests/tapped.mjs PAGE ADDRESSES
//
// PAGE is JSON with the page's `referrer`, `parameters` and `items`, and perhaps `from`, and ADDRESSES a file with a JSON string per line. For each
// there is a line with the address as browsers write it, and the referrer and the parameters, or null.

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const read = name => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const NAMES = ['document', 'navigator', 'location', 'addEventListener', 'removeEventListener'];
const snippet = new Function('globalThis', ...NAMES, read('referral-bridge.min.js'));
const landing = new Function('ReferralBridge', ...NAMES, read('landing.min.js'));
const navigator = { userAgent: 'iPhone', maxTouchPoints: 5, languages: [] };
const nothing = () => {};

const element = () => ({
  hidden: true, dataset: {}, setAttribute: nothing, removeAttribute: nothing, after: nothing,
  get parentElement() { return element(); }, get firstChild() { return element(); }, cloneNode: element,
});

export const tapped = ({ referrer, parameters = {}, items = [], from = 'ref' }, address) => {
  const location = new URL(address);
  const [store, copying] = [element(), element()];
  let copied = null;
  let tap;
  Object.assign(store, {
    href: 'https://apps.apple.com/app/id42',
    dataset: { referrerFrom: from, referrer, referralItems: items.join(' ') },
    removeAttribute: () => delete store.dataset.referralItems,
    getAttribute: () => store.href,
    dispatchEvent: ({ detail }) => { copied = detail.link; },
  });
  for (const name in parameters) store.dataset[`referral${name[0].toUpperCase()}${name.slice(1)}`] = parameters[name];
  const elements = { store, copying, referrer: element(), signature: element() };
  const document = {
    getElementById: name => elements[name] ?? null, querySelector: () => null, querySelectorAll: () => [],
    addEventListener: (name, listener) => { tap = listener; }, execCommand: nothing,
  };
  const scope = {};
  snippet(scope, document, navigator, location, nothing, nothing);
  landing(scope.ReferralBridge, document, navigator, location, nothing, nothing);
  tap({ composedPath: () => [store] });
  if ((copied == null) != copying.hidden) throw Error(`The page promises something else than a tap does: ${address}`);
  if (copied == null) return null;
  const { timestamp, referrer: name, ...others } = JSON.parse(Buffer.from(copied.split('&ed=').pop().split('?ed=').pop(), 'base64url'));
  return { referrer: name, parameters: others };
};

if (process.argv[1] == fileURLToPath(import.meta.url)) {
  const [page, file] = process.argv.slice(2);
  for (const line of readFileSync(file, 'utf8').split('\n')) {
    const address = JSON.parse(line);
    console.log(JSON.stringify({ address: new URL(address).href, found: tapped(JSON.parse(page), address) }));
  }
}
