/*
 * Keeps the referrer in a page's address while the tab is open, for a site of several pages or with a router. Load it on
 * all pages of the site. It needs data-referrer-from on the links, and this attribute:
 *
 *   <a href="https://apps.apple.com/us/app/trestle/id1300230302"
 *      data-referrer-from="via" data-referrer-keep>Get Trestle</a>
 *
 * The items of an address from ?via=… on are kept in the session storage. A page with such a link whose address doesn't name
 * a referrer gets them back, at the latest when the link is tapped. Tell your visitors. Nothing is sent anywhere.
 *
 * If the item isn't called via, pages without such a link, and apps that add it later, name the item:
 *
 *   <html data-referrer-keep="from">
 */
// A framework may import this on its server, where there is no page.
if (globalThis.document) {
  const KEY = 'referral-bridge';

  // The link is one whose referrer is kept.
  const keep = link => {
    const { referrerFrom, referrerKeep } = (link ?? document.querySelector('[data-referrer-keep]'))?.dataset ?? {};
    const name = referrerFrom || referrerKeep || 'via';
    const isReferrer = item => new URLSearchParams(item).has(name);
    const items = location.search.slice(1).split('&');
    const start = items.findIndex(isReferrer);
    // Without a name, as in ?via=, the item names no referrer.
    if (start >= 0 && new URLSearchParams(items[start]).get(name)) {
      sessionStorage.setItem(KEY, items.slice(start).join('&'));
      return;
    }
    const kept = link && sessionStorage.getItem(KEY);
    if (!kept || !isReferrer(kept.split('&')[0])) return;
    const query = [...items.filter(item => item && !isReferrer(item)), kept].join('&');
    history.replaceState(history.state, '', location.href.replace(/(\?[^#]*)?(?=#|$)/, () => `?${query}`));
  };

  // A page may not be allowed to store anything. Then it does without.
  const keepQuietly = link => {
    try {
      keep(link);
    } catch {}
  };

  keepQuietly(document.querySelector('a[data-referrer-keep]'));
  // This comes before the snippet, which reads the address. A router may have changed the page's address since it was loaded.
  addEventListener('click', event => {
    const link = event.composedPath().find(element => element.localName == 'a' && element.hasAttribute('data-referrer-keep'));
    if (link) keepQuietly(link);
  }, true);
}
