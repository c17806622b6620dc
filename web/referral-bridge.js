/*
 * ReferralBridge carries a tap on a web page into the app that it leads to: at the
 * tap it puts the App Store link, with the referrer on it, on the clipboard, where
 * the app finds it at its first launch. Nothing is sent anywhere.
 *
 *   <script src="referral-bridge.js" defer></script>
 *   <a href="https://apps.apple.com/us/app/trestle/id1300230302"
 *      data-referrer="spring-newsletter">Get Trestle</a>
 *
 * More attributes of the link:
 *
 *   data-referrer-from="ref"   the referrer is ?ref=… of the page's own address,
 *                              or data-referrer where that is missing or empty
 *   data-referral-pack="gold"  a parameter for the app: `pack` is "gold"
 *   data-referral-on="all"     copies everywhere, not on iPhone, iPad and iPod only
 *
 * The link gets an event `referral:copied`, whose detail is {link, copied}. For
 * links of your own there is one global:
 *
 *   ReferralBridge.payload(referrer, parameters, timestamp)  → ed
 *   ReferralBridge.link(address, ed)                         → the address with ed on it
 *   ReferralBridge.copy(text, near)                          → whether it was copied
 *
 * Works as a script and as a module, from iOS 13.4 on.
 */
// An element with id="ReferralBridge" answers to the name as well, but has no payload.
if (!globalThis.ReferralBridge?.payload) {
  const quietly = step => {
    try {
      step();
    } catch {
    }
  };

  const checked = (text, limit) => {
    if (unescape(encodeURIComponent(text)).length <= limit) return text;
    throw RangeError(text);
  };

  const payload = (referrer, parameters = {}, timestamp = Date.now()) => checked(
    btoa(unescape(encodeURIComponent(
      JSON.stringify({ ...parameters, timestamp: +timestamp, referrer }, ['timestamp', 'referrer', ...Object.keys(parameters).sort()])
        .replace(/\\(\\|ud...)/g, escape => escape[2] ? '\ufffd' : escape),
    ))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, ''),
    referrer && timestamp >= 1e11 && timestamp < 1e16 && !('timestamp' in parameters || 'referrer' in parameters) && 10923,
  );

  const link = (address, ed) => checked(
    address.replace(/\?[^#]*|(?=#|$)/, query =>
      (query.replace('?', '&').replace(/&(ed(=[^&]*)?)?(?=&|$)/g, '') + '&ed=' + ed).replace('&', '?')),
    65536,
  );

  const copy = (text, near) => {
    let copied = false;
    const take = event => {
      event.preventDefault();
      event.stopImmediatePropagation();
      if (event.type == 'copy') {
        event.clipboardData.setData('text/plain', text);
        event.clipboardData.setData('text/uri-list', text);
        copied = true;
      }
    };
    addEventListener('beforecopy', take, true);
    addEventListener('copy', take, true);
    quietly(() => {
      document.execCommand('copy');
      if (!copied) {
        const { activeElement } = document;
        const selection = getSelection();
        const range = selection.rangeCount && selection.getRangeAt(0);
        const field = document.createElement('input');
        field.value = text;
        field.readOnly = true; // no keyboard
        field.style = 'all:initial;position:fixed';
        near.after(field);
        field.focus({ preventScroll: true });
        field.selectionStart = 0;
        document.execCommand('copy');
        field.remove();
        selection.empty();
        if (range) selection.addRange(range);
        activeElement.focus({ preventScroll: true });
      }
    });
    removeEventListener('beforecopy', take, true);
    removeEventListener('copy', take, true);
    if (!copied) quietly(() => navigator.clipboard.writeText(text).catch(() => {}));
    return copied;
  };

  globalThis.ReferralBridge = { payload, link, copy };

  globalThis.document?.addEventListener('click', event => event.button || quietly(() => {
    const anchor = event.composedPath().find(node => node.matches?.(':any-link'));
    const { href, dataset } = anchor;
    const parameters = {};
    for (const name in dataset) {
      if (/^referral(?!(On|Timestamp|Referrer)$)[A-Z]/.test(name)) parameters[name[8].toLowerCase() + name.slice(9)] = dataset[name];
    }
    if (dataset.referralOn == 'all' || /iP(hone|[ao]d)|Mac.*[2-9]$/.test(navigator.userAgent + navigator.maxTouchPoints)) {
      const raw = href.baseVal || anchor.getAttribute('href');
      const stamped = link(
        [raw, new URL(raw, anchor.baseURI).href].find(text => /^(http|itms)[\w-]*:\/\/\S+$/i.test(text)),
        payload(dataset.referrerFrom && new URL(location).searchParams.get(dataset.referrerFrom) || dataset.referrer, parameters),
      );
      anchor.dispatchEvent(new CustomEvent('referral:copied', {
        bubbles: true,
        composed: true,
        detail: { link: stamped, copied: copy(stamped, anchor) },
      }));
    }
  }), true);
}
