/*
 * StorePage makes addresses of App Store pages and takes them apart, as the library's StorePage does.
 *
 *   StorePage.make({ appID: '1300230302', storefront: 'us', slug: 'trestle', pt: '9', ct: 'spring' })  → address
 *   StorePage.with(address, { ppid })  → the address with this in place of its own
 *   StorePage.parse(address)  → { address, appID, storefront, slug, pt, ct, ppid }
 *
 * Each throws an Error that says what is wrong with which `part`. Works as a script and as a module.
 */
{
  const SCHEME = /(https?|itms(-appss?|s)?):\/\//iy;
  const DIGITS = /^\d{1,19}$/;
  const COUNTRY = /^[a-z]{2}$/i;
  const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;
  // Controls, line and paragraph separators, and Unicode's Bidi_Control.
  const OBEYED = /[\0-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

  const fail = (part, sentence, verdict = 'notALink') => {
    throw Object.assign(Error(sentence), { part, verdict });
  };

  // A lone surrogate becomes U+FFFD, as wherever a page writes UTF-8.
  const whole = text => String(text).replace(/[\ud800-\udfff]/gu, '\ufffd');
  const size = text => new TextEncoder().encode(text).length;

  const isToken = ct => size(ct) > 0 && size(ct) <= 40;

  const measured = (address, part) => {
    // No more is encoded than may fit.
    if (address.length > 65536 || size(address) > 65536) fail(part, 'The address is longer than 65,536 bytes.', 'tooLong');
    return whole(address);
  };

  const encode = text => encodeURIComponent(whole(text))
    .replace(/[!'()*]/g, mark => `%${mark.charCodeAt().toString(16).toUpperCase()}`);

  // The bytes, a character each, escapes taken back. A % that escapes nothing is U+0100, which is no byte.
  const bytes = text => unescape(encodeURIComponent(text))
    .replace(/%([\da-f]{2})?/gi, (_, digits) => String.fromCharCode(digits ? parseInt(digits, 16) : 256));

  const text = (bytes, options) =>
    new TextDecoder('utf-8', { ...options, ignoreBOM: true }).decode(Uint8Array.from(bytes, byte => byte.charCodeAt()));

  const decode = value => bytes(value).includes('\u0100') ? value : text(bytes(value));

  // ASCII alone: toLowerCase makes a k of the Kelvin sign.
  const folded = host => host.replace(/[A-Z]/g, letter => letter.toLowerCase());

  // By hand, as URL would rewrite what is not ours.
  const takeApart = (string, hosts = []) => {
    const start = string.search(/[^ \t-\r]/);
    SCHEME.lastIndex = start;
    if (!SCHEME.test(string)) fail('page', 'It does not begin with https://, http://, itms-apps:// or another scheme of the App Store.');
    const authorityStart = SCHEME.lastIndex - start;
    let end = string.length;
    while (' \t\n\v\f\r'.includes(string[end - 1])) end -= 1;
    const address = measured(string.slice(start, end), 'page');

    const [, base, query, fragment] = /^([^?#]*)\??([^#]*)([^]*)/.exec(address);
    const [authority, ...path] = base.slice(authorityStart).split('/');
    if (authority.includes('@')) fail('page', "There is a user name (an @) in front of the address's host.");
    const host = folded(authority.replace(/:\d*$/, ''));
    const isOnStore = ['apps.apple.com', 'itunes.apple.com'].includes(host);
    if (!isOnStore && !hosts.some(other => folded(other) == host)) {
      fail('page', "The host is not the App Store's, apps.apple.com or itunes.apple.com.");
    }

    const items = query.split('&').filter(Boolean).map(item => {
      const [name] = item.split('=', 1);
      return { item, name, value: item.slice(name.length + 1) };
    });
    const last = (name, form = /^/) => items.filter(item => item.name == name && form.test(item.value)).pop()?.value ?? '';
    const inPath = path.filter(text => text.startsWith('id') && DIGITS.test(text.slice(2))).pop()?.slice(2);
    const appID = inPath ?? (isOnStore ? last('id', DIGITS) : '');
    if (isOnStore && !appID) {
      fail('page', 'The address names no app: neither /id and 1 to 19 digits in its path nor an item id in its query.');
    }
    return { address, base, path, items, fragment, appID, last };
  };

  const parse = string => {
    const { address, path, appID, last } = takeApart(string);
    if (OBEYED.test(address)) fail('page', 'There is a control character inside the address.');
    const components = path.filter(Boolean).map(decode);
    const app = components.indexOf('app');
    const [pt, ct, ppid] = ['pt', 'ct', 'ppid'].map(name => decode(last(name)));
    return {
      address,
      appID,
      storefront: COUNTRY.test(components[0]) ? components[0] : null,
      slug: app >= 0 && app + 2 < components.length ? components[app + 1] : null,
      ...pt && isToken(ct) ? { pt, ct } : { pt: null, ct: null },
      ppid: UUID.test(ppid) ? ppid : null,
    };
  };

  const checkCampaign = ({ pt, ct }) => {
    if ((pt ?? ct) == null) return;
    const missing = pt == null ? 'pt' : ct == null && 'ct';
    if (missing) fail(missing, `The token ${missing} is missing: the App Store counts neither pt nor ct alone.`);
    if (pt === '') fail('pt', 'The provider token pt is empty.');
    if (!isToken(ct)) fail('ct', `The campaign token ct has ${size(ct)} bytes; it must have 1 to 40.`);
  };

  const stamp = (address, { pt, ct, ppid }, part) => {
    if (ppid != null && !UUID.test(ppid)) fail('ppid', `The product page ppid is “${ppid}”; it must be a UUID.`);
    const { base, items, fragment } = takeApart(measured(address, part));
    const mt = pt == null || items.some(({ name }) => name == 'mt') ? null : 8;
    const added = new Map(Object.entries({ ppid, pt, ct, mt }).filter(([, value]) => value != null));
    if (!added.size) return address;
    const query = [
      ...items.filter(({ name }) => !added.has(name)).map(({ item }) => item),
      ...Array.from(added, ([name, value]) => `${name}=${encode(value)}`),
    ];
    return measured(`${base}?${query.join('&')}${fragment}`, pt?.length > address.length ? 'pt' : part);
  };

  globalThis.StorePage = {
    parse,

    make({ appID, storefront, slug, ...rest }) {
      checkCampaign(rest);
      if (!DIGITS.test(appID)) fail('appID', `The app id is “${appID}”; it must be 1 to 19 digits.`);
      if (storefront != null && !COUNTRY.test(storefront)) {
        fail('storefront', `The storefront is “${storefront}”; it must be a country code of two letters, such as us.`);
      }
      if (['', '.', '..'].includes(slug)) fail('slug', `The slug is “${slug}”; it must be a name such as trestle-the-new-sudoku.`);
      const path = [storefront?.toLowerCase(), 'app', slug && encode(slug), `id${appID}`];
      return stamp(`https://apps.apple.com/${path.filter(Boolean).join('/')}`, rest, 'slug');
    },

    with(address, rest = {}) {
      checkCampaign(rest);
      return stamp(parse(address).address, rest, 'page');
    },

    // Also for referral-reader.js.
    takeApart,
    bytes,
    text,
  };
}
