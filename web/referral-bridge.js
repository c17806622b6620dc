/*
 * ReferralBridge carries a tap on a web page into the app. At the tap it copies the
 * App Store link, with the referrer added, to the clipboard, where the app finds it
 * at its first launch. Nothing is sent anywhere.
 *
 *   <script src="referral-bridge.js" defer></script>
 *   <a href="https://apps.apple.com/us/app/trestle/id1300230302"
 *      data-referrer="spring-newsletter">Get Trestle</a>
 *
 * More attributes of the link:
 *
 *   data-referrer-from="via"   the referrer is ?via=… of the page's own address,
 *                              or data-referrer if that is missing or empty
 *   data-referral-pack="gold"  a parameter for the app: `pack` is "gold"
 *   data-referral-on="all"     copies on every device, not only on iPhone, iPad, iPod
 *   data-referrer-keep         keeps ?via=… while the tab is open, with referral-keep.js
 *
 * For links of your own there is one global:
 *
 *   ReferralBridge.payload({ timestamp, referrer, pack: 'gold' })  → ed; parameters are strings
 *   ReferralBridge.link(address, ed)    → the address with ed added
 *   ReferralBridge.copy(text, element)  → whether it was copied; the element's event
 *                                         `referral:copied` says so too
 *
 * It works as a script and as a module, on iOS 13.4 and later. Minified and gzipped it
 * fits into 1,024 bytes, so some of it is shorter than it would be elsewhere.
 */
// An element with id="ReferralBridge" is such a global too, and a form's fields are its properties, but none is a function.
if (!globalThis.ReferralBridge?.payload?.call) {
  // Whatever goes wrong on a page, the link must stay an ordinary link.
  let quietly = step => {
    try {
      step();
    } catch {}
  };

  // The limit is in bytes of UTF-8. unescape makes one character of each.
  // A call of a text throws.
  let checked = (text, limit) => unescape(encodeURIComponent(text))[limit] ? text() : text;

  let payload = ({ timestamp, ...tap }) => checked(
    btoa(unescape(encodeURIComponent(
      JSON.stringify(
        { timestamp: +timestamp, ...tap },
        // The list sets the order, also of names like "12", which objects put first. Only a string has trim; the others throw.
        ['timestamp', 'referrer', ...Object.keys(tap).sort().map(name => (tap[name].trim(), name))],
        // JSON escapes a lone surrogate, which no reader accepts. An escaped backslash stays.
      ).replace(/(\\\\)|\\ud.../g, (_, backslash = '\ufffd') => backslash),
    ))).replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, ''),
    // 10,923 digits encode 8,192 bytes. What couldn't be read back gets a limit of 0.
    (timestamp >= 1e11 & timestamp < 1e16 & tap.referrer > '') * 10923,
  );

  // URL and URLSearchParams would rewrite the page's other items.
  let link = (address, ed) => checked(
    address.replace(/(\?[^#]*)?(?=#|$)/, query =>
      (query.replace('?', '&').replace(/&(ed(=[^&]*)?)?(?=&|$)/g, '') + '&ed=' + ed).replace('&', '?')),
    65536,
  );

  let copy = (text, element) => {
    let copied = false;
    // A cancelled copy event copies its own data, and a cancelled beforecopy makes
    // WebKit copy although nothing is selected. This listener comes before the page's
    // own, since some add to whatever is copied, or forbid it.
    let take = event => {
      if (event.type == 'copy') {
        event.clipboardData.setData('text/plain', text);
        event.clipboardData.setData('text/uri-list', text); // an app can probe for an address silently
        copied = true;
      }
      event.preventDefault();
      event.stopImmediatePropagation();
    };
    addEventListener('copy', take, true);
    addEventListener('beforecopy', take, true);
    quietly(() => {
      // Only the listener shows that it worked, not what this returns before WebKit#67821. Since then, WebKit
      // copies without a selection only in a gesture, as here.
      document.execCommand('copy');
      if (!copied) {
        // Some browsers copy only if something is selected. The field is next to the
        // element, since nothing outside an open dialog can be selected, and is removed
        // before anybody sees it. If the person has selected something, the first try works.
        let field = document.createElement('input');
        let focused = document.activeElement;
        field.value = text;
        element.after(field);
        field.select();
        document.execCommand('copy');
        field.remove();
        focused.focus();
      }
    });
    removeEventListener('copy', take, true);
    removeEventListener('beforecopy', take, true);
    // Nobody waits for this, and the navigation may come first, so it doesn't count as copied. WebKit wants a
    // tap in this very window (#68146), and the first call in a tap can fail (#74301): it is only the last resort.
    if (!copied) quietly(() => navigator.clipboard.writeText(text).catch(quietly));
    element.dispatchEvent(new CustomEvent('referral:copied', {
      bubbles: true,
      composed: true,
      detail: { link: text, copied },
    }));
    return copied;
  };

  globalThis.ReferralBridge = { link, payload, copy };

  // The document listens, so that links added later work, and every node on the path is
  // tried, so that links in shadow roots work. Any other node fails at one of the steps.
  // Outside of a page there is no document.
  quietly(() => document.addEventListener('click', event => {
    event.button || event.composedPath().map(element => quietly(() => {
      let tap = {};
      let { dataset } = element;
      // Firefox lists a name with capital letters in SVG, and has no value for it.
      Object.keys(dataset).map(name =>
        /^referral(?!On$)[A-Z]/.test(name) && dataset[name] >= '' && (tap[name[8].toLowerCase() + name.slice(9)] = dataset[name]));
      // These come after the parameters, so that no parameter can replace them.
      tap.timestamp = Date.now();
      tap.referrer = dataset.referrerFrom && new URL(location).searchParams.get(dataset.referrerFrom) || dataset.referrer;
      // An iPad that claims to be a Mac has five touch points. A Mac has none.
      if (/Mac.*5$|iP[aho]/.test(navigator.userAgent + navigator.maxTouchPoints) || dataset.referralOn == 'all') {
        // The baseVal is an xlink:href.
        let href = element.getAttribute('href') ?? element.href.baseVal;
        // An absolute address stays as it is, and others are resolved. A mailto: or a script is neither.
        copy(link(
          [href.trim(), new URL(href, element.baseURI).href].find(text => /^(http|itms(-apps)?)s?:\/\/\S+$/i.test(text)),
          payload(tap),
        ), element);
      }
    }));
  }, true));
}
