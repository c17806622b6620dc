// Counts views and taps on a page made with --count-to. Comes after landing.js.
{
  const find = id => document.getElementById(id);
  const store = find('store');
  const { referrerFrom, referrer: own, countTo } = store.dataset;
  // Global Privacy Control or Do Not Track. Some browsers have the latter only as '1' in the window.
  const isRefused = navigator.globalPrivacyControl || [navigator.doNotTrack, globalThis.doNotTrack].includes('1');
  if (!isRefused && /^http/.test(location.protocol)) {
    const referrer = LandingAddress.named(location, referrerFrom).referrer || own;
    find(referrer ? 'counted-name' : 'counted').hidden = false;
    const send = (event, items) => {
      const query = new URLSearchParams({ event, ...referrer && { [LandingAddress.itemOf(referrerFrom)]: referrer }, ...items });
      navigator.sendBeacon(`${countTo}${countTo.includes('?') ? '&' : '?'}${query}`);
    };
    // The snippet copies, or fails to, before the link's own listeners.
    let items;
    store.addEventListener('referral:copied', ({ detail }) => {
      items = { copied: +detail.copied };
    });
    for (const button of [store, find('play')]) {
      button?.addEventListener('click', () => {
        send('tap', items);
        items = undefined;
      });
    }
    send('view');
  }
}
