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

  const IGNORED = /[^<]+|<\?[^]*?\?>|<!--[^]*?-->|<!(?!--)[^>]*>/y;

  // Whether the first element is called `svg`, with or without a prefix.
  const isSVG = file => {
    let position = 0;
    for (IGNORED.lastIndex = 0; IGNORED.test(file);) position = IGNORED.lastIndex;
    return /^<(?:[^\s/>]*:)?svg[\s/>]/i.test(file.slice(position, position + 1000));
  };

  const type = file => {
    if (file.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
    if (file.startsWith('\xff\xd8\xff')) return 'image/jpeg';
    if (/^RIFF[^]{4}WEBP/.test(file)) return 'image/webp';
    if (!isSVG(file)) throw Error('it is not a PNG, JPEG, WebP or SVG');
    if (!file.includes(NAMESPACE)) throw Error(`a browser shows it only with a namespace; add xmlns="${NAMESPACE}" to its <svg>`);
    return 'image/svg+xml';
  };

  globalThis.IconFile = { MAXIMUM_SIZE, type };
}
