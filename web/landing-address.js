// Reads the address of a landing page, as the library's LandingPage does. The builder and landing pages contain this.
{
  // The one spelling of a path, in which paths are compared: no escapes of unreserved characters, others with capital digits,
  // and escapes of what an address can't contain.
  const spelled = path => path.replace(/[^\w.~:/?@!$&'()*+,;=%-]+|%(?![\da-f]{2})/gi, encodeURIComponent).replace(/%[\da-f]{2}/gi, escape => {
    const mark = String.fromCharCode(`0x${escape.slice(1)}`);
    return /[\w.~-]/.test(mark) ? mark : escape.toUpperCase();
  });

  // The text that * stands for at the end of a pattern, or undefined for a path that doesn't match. `/for/*` matches `/for` too.
  const rest = (path, pattern) => {
    const start = spelled(pattern).slice(0, -1);
    if (`${spelled(path)}/` == start) return '';
    return spelled(path).startsWith(start) ? spelled(path).slice(start.length) : undefined;
  };

  // The referrer in a path is one segment, decoded as the value of an item, in which + is itself.
  const referrerIn = (path, pattern) => {
    const segment = (rest(path, pattern) ?? '').replace(/\/$/, '');
    return /^\.{0,2}$|\//.test(segment) ? '' : new URLSearchParams(`=${segment.replace(/[+&]/g, encodeURIComponent)}`).get('');
  };

  // A signed address determines the link's contents: its referrer, and the items from there to its signature. A damaged
  // signature also counts, so that the app reports it: one of another length, or followed by punctuation that a program
  // added. An item that is hexadecimal, or isn't base64url, isn't ours.
  const isSignature = ([name, text]) => name == 'sig' && /^(?![\da-fA-F]+(?![\w-]))[\w-]{64,128}(?![\w-])[\p{P}=>]*$/u.test(text);
  const isParameter = name => /^(?!(on|timestamp|referrer)$)[a-z][\w.]*$/.test(name);

  // `data-referrer-from` is the name of an item, or a path such as `/for/*`, on whose page the item `via` counts for nothing.
  const isPattern = from => /^\/.*\*$/.test(from);

  globalThis.LandingAddress = {
    spelled,
    rest,
    isSignature,
    itemOf: from => isPattern(from) ? 'via' : from,

    // The referrer that an address names, or '', and the address's items: all of them, and those behind the referrer.
    named({ pathname, search }, from) {
      const items = Array.from(new URLSearchParams(search));
      if (isPattern(from)) return { items, referrer: referrerIn(pathname, from), later: items.filter(([name]) => name != 'via') };
      const start = items.findIndex(([name]) => name == from);
      return { items, referrer: items[start]?.[1] ?? '', later: items.slice(start + 1) };
    },

    // The referrer and the parameters. Without a signature in the address, the page's own signature is used only for the page's own
    // referrer, and the items with the names in `handedOn` count.
    read(location, { from, referrer: own, parameters = {}, handedOn = [] }) {
      const { items, referrer: given, later } = this.named(location, from);
      const referrer = given || own;
      const end = given ? later.findIndex(isSignature) : -1;
      const read = new Map(Object.entries(parameters));
      if (end >= 0) {
        read.clear();
        for (const [name, text] of later.slice(0, end + 1)) if (isParameter(name)) read.set(name, text);
      } else {
        if (referrer != own && read.has('sig')) for (const name of ['sig', 'until']) read.delete(name);
        for (const name of handedOn.filter(name => isParameter(name) && !['sig', 'until', this.itemOf(from)].includes(name))) {
          const [, text] = items.find(([key, text]) => key == name && text) ?? [];
          if (text) read.set(name, text);
        }
      }
      return { referrer, parameters: read, isNamed: given != '' };
    },
  };
}
