/*
 * Counts each referrer as a campaign of its own in App Store Connect. Load it beside the snippet, and mark the link, whose
 * address names your provider token pt:
 *
 *   <a href="https://apps.apple.com/us/app/trestle/id1300230302?pt=9&ct=web&mt=8"
 *      data-referrer-from="via" data-referrer-ct>Get Trestle</a>
 *
 * At the tap, the address gets ct= the referrer, if that is 1 to 40 of A-Z a-z 0-9 . _ - ~. Any other referrer, and a page
 * without JavaScript, leaves the address as it is. It sends nothing itself.
 */
// A framework may import this on its server, where there is no page.
if (globalThis.document) {
  // In the window, this comes before the snippet, which copies the address.
  addEventListener('click', event => {
    const link = event.composedPath().find(element => element.localName == 'a' && element.hasAttribute('data-referrer-ct'));
    if (!link) return;
    const { referrerFrom, referrer: own } = link.dataset;
    const referrer = referrerFrom && new URLSearchParams(location.search).get(referrerFrom) || own || '';
    const href = link.getAttribute('href') ?? '';
    const [, base, query, fragment] = /^([^?#]*)\??([^#]*)([^]*)/.exec(href);
    const items = query.split('&').filter(item => item && !/^ct(=|$)/.test(item));
    // Without pt, the App Store counts no ct.
    if (!/^[\w.~-]{1,40}$/.test(referrer) || !items.some(item => /^pt=./.test(item))) return;
    link.setAttribute('href', `${base}?${[...items, `ct=${referrer}`].join('&')}${fragment}`);
    // The browser has read the address by then. A later tap may have another referrer.
    setTimeout(() => link.setAttribute('href', href));
  }, true);
}
