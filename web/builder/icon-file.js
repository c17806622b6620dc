/*
 * IconFile says whether a file may be a page's icon, by the rules of `referral-tool page --icon`.
 *
 *   IconFile.type(bytes)  → 'image/png', 'image/jpeg', 'image/webp' or 'image/svg+xml'; throws an Error with the reason
 *
 * Bytes are a string with one character per byte. Only the type is checked: the page shows an icon as an image, in which no
 * script runs and nothing is loaded.
 */
{
  // 256 by 256 pixels are enough for any screen.
  const MAXIMUM_SIZE = 262144;
  const NAMESPACE = 'http://www.w3.org/2000/svg';

  const IGNORED = /[ \t\r\n]+|<\?[^]*?\?>|<!--[^]*?-->|(<!DOCTYPE[^[>]*(?:\[[^\]]*\][^>]*)?>)/y;
  const ATTRIBUTE = /[ \t\r\n]*([^ \t\r\n=>/]+)[ \t\r\n]*=[ \t\r\n]*("[^"]*"|'[^']*')/y;

  const matches = function* (pattern, text, start) {
    pattern.lastIndex = start;
    for (let found; (found = pattern.exec(text));) yield found;
  };

  // Whether the root element is in SVG's namespace, or null if it isn't called `svg`.
  const hasNamespace = file => {
    let position = file.startsWith('\xef\xbb\xbf') ? 3 : 0;
    let documentType = '';
    for (const [all, type] of matches(IGNORED, file, position)) {
      position += all.length;
      documentType = type ?? documentType;
    }
    const [tag, prefix] = /^<(?:([^ :\t\r\n/>]*):)?svg(?=[ \t\r\n/>]|$)/.exec(file.slice(position, position + 1000)) ?? [];
    if (!tag) return null;
    const declaration = prefix == null ? 'xmlns' : `xmlns:${prefix}`;
    let namespace = '';
    for (const [, attribute, quoted] of matches(ATTRIBUTE, file, position + tag.length)) {
      if (attribute == declaration) namespace = quoted.slice(1, -1);
    }
    // An entity that the document type declares, such as Illustrator's.
    const [, entity] = /^&(.*);$/.exec(namespace) ?? [];
    if (entity != null) {
      const declared = Array.from(documentType.matchAll(/<!ENTITY[ \t\r\n]*([^ \t\r\n"'<]*)[ \t\r\n]*("[^"]*"|'[^']*')/g));
      namespace = declared.find(([, name]) => name == entity)?.[2].slice(1, -1);
    }
    return namespace == NAMESPACE;
  };

  const type = file => {
    if (file.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
    if (file.startsWith('\xff\xd8\xff')) return 'image/jpeg';
    if (/^RIFF[^]{4}WEBP/.test(file)) return 'image/webp';
    if (!file) throw Error('it is empty');
    if (/^(\xff\xfe|\xfe\xff)/.test(file)) throw Error('it is in UTF-16; save it as UTF-8');
    if (file.startsWith('\x1f\x8b')) throw Error('it is a compressed SVG; save it as plain SVG');
    const isNamed = hasNamespace(file);
    if (isNamed == null) throw Error('it is not a PNG, JPEG, WebP or SVG');
    if (!isNamed) throw Error(`a browser shows it only with a namespace; add xmlns="${NAMESPACE}" to its <svg>`);
    return 'image/svg+xml';
  };

  globalThis.IconFile = { MAXIMUM_SIZE, type };
}
