// The one spelling of a web address, in ASCII, as the library has it. Comes after landing-address.js.
{
  const { spelled } = LandingAddress;
  const PORTS = { https: '443', http: '80' };

  const isASCII = text => /^[\0-\x7f]*$/.test(text);
  // Letters that Unicode writes in no other way (CWKCF), with a shape (DI), and not parts of letters, which browsers compose. Of ß and
  // ς, they make no other letters.
  const NAME = /^(?:[\w[\]:.-]|[ßς]|(?![\0-\x7f\u0300-\u036f\u1100-\u11ff\u3099\u309a]|\p{CWKCF}|\p{DI})[\p{L}\p{M}\p{N}]){1,253}$/u;

  // A host in lowercase and Punycode, or null if it isn't valid, or if a browser would make another name of it.
  const hostOf = text => {
    try {
      // The Kelvin sign becomes a k, which is another name.
      const host = Array.from(decodeURIComponent(text), letter => isASCII(letter) == isASCII(letter.toLowerCase()) ? letter.toLowerCase() : ' ').join('');
      if (!NAME.test(host)) return null;
      return isASCII(host) ? host : new URL(`https://${host}`).hostname;
    } catch {
      return null;
    }
  };

  const partsOf = address => {
    const [, scheme, authority, path, query, fragment] = /^([a-z][a-z\d+.-]*):\/\/([^/?#]*)([^?#]*)(\?[^#]*)?([^]*)/i.exec(address) ?? [];
    return { scheme: scheme?.toLowerCase(), authority, path, query, fragment };
  };

  globalThis.WebAddress = {
    partsOf,

    // The scheme, the host and the port without the scheme's usual one; null without a host, or with one that isn't valid.
    site(address) {
      const { scheme, authority = '' } = partsOf(address);
      const [, name, port = ''] = /^(\[.*\]|[^:]*)(?::(\d*))?$/.exec(authority) ?? [];
      const host = name && hostOf(name);
      const number = port.replace(/^0+/, '');
      return host ? `${scheme}://${host}${!port || number == PORTS[scheme] ? '' : `:${number}`}` : null;
    },

    // The address in one spelling; null without a site.
    spelled(address) {
      const { path, query = '', fragment = '' } = partsOf(address);
      const site = this.site(address);
      return site && site + spelled(path) + query.slice(0, 1) + spelled(query.slice(1)) + fragment.slice(0, 1) + spelled(fragment.slice(1));
    },
  };
}
