/*
 * StorePage makes and parses addresses of App Store pages, by the rules of the library's StorePage.
 *
 *   StorePage.make({ appID: '1300230302', storefront: 'us', slug: 'trestle', pt: '9', ct: 'spring' })  → address
 *   StorePage.with(address, { ppid })  → the address, its ppid replaced
 *   StorePage.parse(address)  → { address, appID, storefront, slug, pt, ct, ppid }
 *
 * Each throws an Error that says which `part` is wrong and why. Works as a script and as a module.
 */
{
  const SCHEME = /(https?|itms(-appss?|s)?):\/\//iy;
  const DIGITS = /^\d{1,19}$/;
  const COUNTRY = /^[a-z]{2}$/i;
  // The kinds of pages with an ID that isn't an app's, and what may come before the kind.
  const OTHER_KIND = /^(album|app-bundle|artist|audiobook|author|book|charts|collection|curator|developer|genre|grouping|itunes-u|lookup|movie|music-video|playlist|podcast|room|search|story|tv-season|tv-show)$/;
  const DEVICE = /^(iphone|ipad|mac|watch|vision)$/;
  const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

  const fail = (part, sentence, verdict = 'notALink') => {
    throw Object.assign(Error(sentence), { part, verdict });
  };

  // A lone surrogate becomes U+FFFD, as wherever a page writes UTF-8.
  const toWellFormed = text => String(text).replace(/\p{Cs}/gu, '\ufffd');

  // Bytes are a string with a character for each.
  const utf8 = text => unescape(encodeURIComponent(toWellFormed(text)));
  const decodeUTF8 = (bytes, options) =>
    new TextDecoder('utf-8', { ...options, ignoreBOM: true }).decode(Uint8Array.from(bytes, byte => byte.charCodeAt()));

  const percentEncode = text => encodeURIComponent(toWellFormed(text))
    .replace(/[!'()*]/g, mark => `%${mark.charCodeAt().toString(16).toUpperCase()}`);

  // For an item of an address that may stand in a text: a mark is bare only between two letters or digits.
  const encodeItem = text => String(text).replace(/[^a-z\d]+/gi, (run, start, whole) =>
    /^[-._~]$/.test(run) && start && start + 1 < whole.length ? run
      : percentEncode(run).replace(/[-._~]/g, mark => `%${mark.charCodeAt().toString(16).toUpperCase()}`));

  // A % without two hexadecimal digits becomes U+0100, which is not a byte.
  const percentDecode = text => utf8(text)
    .replace(/%([\da-f]{2})?/gi, (_, digits = '100') => String.fromCharCode(`0x${digits}`));

  const decode = value => percentDecode(value).includes('\u0100') ? value : decodeUTF8(percentDecode(value));

  const hasDisplayControl = text => /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u.test(text);

  const isProvider = pt => /^\d+$/.test(pt);
  const isToken = ct => ct !== '' && utf8(ct).length <= 40;

  const checkLength = (address, part) => {
    if (address.length > 65536 || utf8(address).length > 65536) fail(part, 'The address is longer than 65,536 bytes.', 'tooLong');
    return toWellFormed(address);
  };

  // Only ASCII: toLowerCase turns the Kelvin sign into a k.
  const lowercased = host => host.replace(/[A-Z]/g, letter => letter.toLowerCase());

  // URL would rewrite the items that must stay.
  const splitQuery = address => {
    const [, base, query, fragment] = /^([^?#]*)\??([^#]*)([^]*)/.exec(address);
    const items = query.split('&').filter(Boolean).map(item => {
      const [name] = item.split('=', 1);
      return { item, name, value: item.slice(name.length + 1) };
    });
    return { base, items, fragment };
  };

  const startOf = string => string.search(/[^ \t-\r]/);

  const hasScheme = string => {
    SCHEME.lastIndex = startOf(string);
    return SCHEME.test(string);
  };

  const otherKind = path => {
    const [kind = ''] = path.filter(Boolean).map(lowercased).filter(name => !COUNTRY.test(name) && !DEVICE.test(name));
    return OTHER_KIND.test(kind) ? kind : null;
  };

  const components = (string, hosts = []) => {
    const start = startOf(string);
    if (!hasScheme(string)) fail('page', 'It does not begin with https://, http://, itms-apps:// or another scheme of the App Store.');
    let end = string.length;
    while (' \t\n\v\f\r'.includes(string[end - 1])) end -= 1;
    const address = checkLength(string.slice(start, end), 'page');

    const { base, items } = splitQuery(address);
    const [, , authority, ...path] = base.split('/');
    if (authority.includes('@')) fail('page', "There is a user name (an @) in front of the address's host.");
    const host = lowercased(authority.replace(/:\d*$/, ''));
    const isOnStore = /^(apps|itunes)\.apple\.com$/.test(host);
    if (!isOnStore && !hosts.map(lowercased).includes(host)) {
      fail('page', "The host is not the App Store's, apps.apple.com or itunes.apple.com.");
    }

    const last = (name, form = /^/) => items.filter(item => item.name == name && form.test(item.value)).pop()?.value ?? '';
    const inPath = path.filter(text => text.startsWith('id') && DIGITS.test(text.slice(2))).pop();
    const appID = inPath?.slice(2) ?? (isOnStore ? last('id', DIGITS) : '');
    if (isOnStore && !appID) {
      fail('page', `The address names no app: ${!otherKind(path) && DIGITS.test(path.filter(Boolean).pop())
        ? 'write id before the number at the end of its path, as in /id1300230302.'
        : 'neither /id and 1 to 19 digits in its path nor an item id in its query.'}`);
    }
    return { address, path, appID, last };
  };

  const parse = string => {
    const { address, path, appID, last } = components(string);
    if (hasDisplayControl(address)) fail('page', 'There is a control character inside the address.');
    const kind = otherKind(path);
    if (kind) fail('page', `The address names no app but another page of the store ('${kind}'). Copy the address of the app's own page.`);
    const names = path.filter(Boolean).map(decode);
    const app = names.indexOf('app');
    const [pt, ct, ppid] = ['pt', 'ct', 'ppid'].map(name => decode(last(name)));
    return {
      address,
      appID,
      storefront: COUNTRY.test(names[0]) ? names[0] : null,
      slug: app >= 0 && app + 2 < names.length ? names[app + 1] : null,
      ...isProvider(pt) && isToken(ct) ? { pt, ct } : { pt: null, ct: null },
      ppid: UUID.test(ppid) ? ppid : null,
    };
  };

  const checkCampaign = ({ pt, ct }) => {
    if ((pt ?? ct) == null) return;
    const missing = pt == null ? 'pt' : ct == null && 'ct';
    if (missing) fail(missing, `The token ${missing} is missing. The App Store counts pt and ct only together.`);
    if (pt === '') fail('pt', 'The provider token pt is empty.');
    if (!isProvider(pt)) {
      fail('pt', `The provider token pt is “${pt}”; it must be digits only.${`${pt}`.includes('E') ? ' A spreadsheet changed it: format its column as text.' : ''}`);
    }
    if (!isToken(ct)) fail('ct', `The campaign token ct has ${utf8(ct).length} bytes; it must have 1 to 40.`);
  };

  const setItems = (address, { pt, ct, ppid }, part) => {
    if (ppid != null && !UUID.test(ppid)) fail('ppid', `The product page ppid is “${ppid}”; it must be a UUID.`);
    const { base, items, fragment } = splitQuery(checkLength(address, part));
    const mt = pt == null || items.some(({ name }) => name == 'mt') ? null : 8;
    const added = new Map(Object.entries({ ppid, pt, ct, mt }).filter(([, value]) => value != null));
    if (!added.size) return address;
    const query = [
      ...items.filter(({ name }) => !added.has(name)).map(({ item }) => item),
      ...Array.from(added, ([name, value]) => `${name}=${percentEncode(value)}`),
    ];
    return checkLength(`${base}?${query.join('&')}${fragment}`, pt?.length > address.length ? 'pt' : part);
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
      const path = [storefront?.toLowerCase(), 'app', slug && percentEncode(slug), `id${appID}`];
      return setItems(`https://apps.apple.com/${path.filter(Boolean).join('/')}`, rest, 'slug');
    },

    with(address, rest = {}) {
      checkCampaign(rest);
      return setItems(parse(address).address, rest, 'page');
    },

    // Internal
    splitQuery,
    hasScheme,
    components,
    hasDisplayControl,
    toWellFormed,
    utf8,
    decodeUTF8,
    percentEncode,
    encodeItem,
    percentDecode,
  };
}
