// Finds the address of a landing page in a text that somebody pasted, by the rules of the library's paste button. Comes after
// builder/web-address.js.
{
  const { spelled, rest, isSignature, itemOf } = LandingAddress;
  const withoutSlash = path => spelled(path).replace(/\/$/, '');

  // Whether an address is a page's.
  const matches = (page, address) => {
    const [own, other] = [page, address].map(StorePage.toWellFormed).map(WebAddress.partsOf);
    const site = WebAddress.site(page);
    if (!site || site != WebAddress.site(address)) return false;
    return own.path.endsWith('*') ? rest(other.path, own.path) != null : withoutSlash(own.path) == withoutSlash(other.path);
  };

  // What can be a part of an address. Square brackets end one, as Markdown writes them beside it.
  const RUN = /[\w\-+.~:/?#@!$&'()*,;=%]+/g;
  // DI are characters without a shape, such as U+00AD.
  const MORE_FOLLOWS = /^(\.{3}|\p{DI}*\u2026|[.,;:!?'*)]*\p{DI}*(?!\p{DI})[\p{L}\p{M}\p{N}\ufffe])/u;
  const LETTER_PRECEDES = /(?!\p{DI})[\p{L}\p{M}\p{N}]$/u;
  const TEXT_FOLLOWS = /^[ \t]*[\r\n][ \t-\r]*[^ \t-\r]/;
  // A program that folds lines breaks an address behind these.
  const isFolded = address => address.indexOf('?') == address.length - 1 || /(-|&|[?&][^=&?#]*=)$/.test(address.slice(-200));

  // The address in a run of such characters. Without a scheme, it may be one with https. Patterns look only at short texts, since
  // those that search for an end take time that grows with the square.
  const addressIn = (run, before) => {
    const colon = run.indexOf('://');
    const scheme = colon > 0 && /[a-z][a-z\d+.-]*$/i.exec(run.slice(Math.max(0, colon - 40), colon));
    if (scheme) return run.slice(colon - scheme[0].length);
    const bare = run.replace(/^[(*'_~]+/, '');
    return bare == run && LETTER_PRECEDES.test(before) ? '' : `https://${bare}`;
  };

  const withoutMarks = address => {
    const marks = `.,;:!?'*${address.includes('(') ? '' : ')'}`;
    let end = address.length;
    while (marks.includes(address[end - 1])) end -= 1;
    return address.slice(0, end);
  };

  // What is to be said of the items that don't count, since they are before the referrer of a signed address or after its signature.
  const noteOn = (location, { from, handedOn = [] }) => {
    const { items, later } = LandingAddress.named(location, from);
    const end = later.findIndex(isSignature);
    const counts = item => item[0] == itemOf(from) || end < 0 && handedOn.includes(item[0]) || later.slice(0, end + 1).includes(item);
    const ignored = items.some(isSignature) ? items.filter(item => !counts(item)).map(([name]) => shownText(name)) : [];
    const more = ignored.length > 5 ? ` and ${ignored.length - 5} more` : '';
    return ignored.length ? ` Items before the referrer or after sig were ignored: ${ignored.slice(0, 5).join(', ')}${more}. The address may have been sorted.` : '';
  };

  globalThis.PastedText = {
    matches,

    // The referrer, the parameters and a note on the first address that names a referrer; or else whether the
    // first address of the page was cut; or null.
    find(text, { page, ...options }) {
      let other = null;
      for (const { 0: run, index } of text.matchAll(RUN)) {
        // Most words have neither a scheme nor a host.
        if (!/[.:]/.test(run)) continue;
        const after = text.slice(index + run.length);
        const address = addressIn(run, text.slice(Math.max(0, index - 2), index));
        const trimmed = withoutMarks(address);
        if (!matches(page, trimmed)) continue;
        const behind = text.slice(index + run.length - address.length + trimmed.length);
        if (MORE_FOLLOWS.test(behind) || TEXT_FOLLOWS.test(after) && isFolded(address)) {
          other ??= { isCut: true };
          continue;
        }
        const { path: pathname, query: search = '' } = WebAddress.partsOf(trimmed);
        const location = { pathname, search };
        const { referrer, parameters } = LandingAddress.read(location, options);
        if (/[?&]ed=[^&]/.test(search)) continue;
        if (referrer) return { referrer, parameters: Object.fromEntries(parameters), note: noteOn(location, options) };
        other ??= {};
      }
      return other;
    },
  };
}
