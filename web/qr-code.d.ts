/**
 * What the script puts under one global: it draws texts, such as the links of a campaign, as QR codes (ISO/IEC 18004).
 * Loading it as a script and importing it do the same.
 *
 * ```html
 * <script src="qr-code.js"></script>
 * ```
 */
declare const QRCode: {
  /**
   * Encodes a text as the smallest QR code that holds it.
   *
   * ```js
   * const code = QRCode.encode('https://example.com/?ref=spring', { level: 'Q' });
   * code.version        // 3
   * code.modules[0][0]  // true: the upper left corner is dark
   * ```
   *
   * The text is written as UTF-8 in byte mode; a lone surrogate becomes U+FFFD. The mask is the one with the lowest
   * penalty by the standard, and of equals the first.
   *
   * @throws {RangeError} where the text is too long: up to 2,953 bytes fit at level L, 2,331 at M, 1,663 at Q and 1,273
   * at H. It says how many bytes there are and how many fit. Also where an option is none of those below.
   * @throws {TypeError} where it is no string.
   */
  encode(text: string, options?: QRCodeOptions): QRCodeSymbol;

  /**
   * Outlines the dark modules for one SVG path, in units of a module and with the quiet zone around them.
   *
   * ```js
   * const { d, size } = QRCode.path(QRCode.encode(link));
   * element.innerHTML = `<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR code">
   *   <rect width="${size}" height="${size}" fill="#fff"/><path d="${d}"/></svg>`;
   * ```
   *
   * The ground has to be lighter than the path, whatever the page's colours are.
   *
   * @returns `d` for the path, and the `size` of the square that it lies in, margins included.
   */
  path(code: QRCodeSymbol, options?: QRCodeMargin): { d: string; size: number };

  /**
   * Draws a text as a whole SVG document, black on white, for a file or a download.
   *
   * ```js
   * element.href = URL.createObjectURL(new Blob([QRCode.svg(link)], { type: 'image/svg+xml' }));
   * ```
   *
   * @throws what {@link QRCode.encode} throws.
   */
  svg(text: string, options?: QRCodeOptions & QRCodeMargin): string;
};

/** How much of a code may be lost: about 7 % at L, 15 % at M, 25 % at Q, 30 % at H. */
type QRCodeLevel = 'L' | 'M' | 'Q' | 'H';

interface QRCodeOptions {
  /** The level of error correction; `'M'` where there is none. */
  level?: QRCodeLevel;

  /** From 1 to 40, in place of the smallest that holds the text. */
  version?: number;

  /** From 0 to 7, in place of the best one. */
  mask?: number;
}

interface QRCodeMargin {
  /** The quiet zone in whole modules; 4 where there is none. Readers may fail with less. */
  margin?: number;
}

/** A QR code. It is frozen, with all of its rows. */
interface QRCodeSymbol {
  /** From 1, of 21 modules in each direction, to 40, of 177. */
  readonly version: number;

  readonly level: QRCodeLevel;

  /** From 0 to 7. */
  readonly mask: number;

  /** How many modules there are in each direction, without the quiet zone. */
  readonly size: number;

  /** The rows from the top, each from the left; `true` is dark. */
  readonly modules: readonly (readonly boolean[])[];
}
