/**
 * The script's only global. It draws text, such as a campaign's link, as QR codes (ISO/IEC 18004). Load it as a script or
 * import it.
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
   * The text is encoded as UTF-8 in byte mode. A lone surrogate becomes U+FFFD. The mask is the one with the lowest penalty
   * by the standard. On a tie, it's the first.
   *
   * @throws {RangeError} if the text is too long: 2,953 bytes fit at level L, 2,331 at M, 1,663 at Q and 1,273 at H. The
   * message says how many bytes there are and how many fit. Also if an option is invalid.
   * @throws {TypeError} if the text isn't a string.
   */
  encode(text: string, options?: QRCodeOptions): QRCodeSymbol;

  /**
   * Outlines the dark modules as one SVG path, in units of a module, with the quiet zone around them.
   *
   * ```js
   * const { d, size } = QRCode.path(QRCode.encode(link));
   * element.innerHTML = `<svg viewBox="0 0 ${size} ${size}" shape-rendering="crispEdges" role="img" aria-label="QR code">
   *   <rect width="${size}" height="${size}" fill="#fff"/><path d="${d}"/></svg>`;
   * ```
   *
   * The background must be lighter than the path, in dark mode too.
   *
   * @returns `d` for the path, and the `size` of its square with the margins.
   */
  path(code: QRCodeSymbol, options?: QRCodeMargin): { d: string; size: number };

  /**
   * Draws a text as an SVG document, black on white, for a file or a download.
   *
   * ```js
   * element.href = URL.createObjectURL(new Blob([QRCode.svg(link)], { type: 'image/svg+xml' }));
   * ```
   *
   * @throws The errors of {@link QRCode.encode}.
   */
  svg(text: string, options?: QRCodeOptions & QRCodeMargin): string;
};

/** How much of a code can be damaged: about 7 % at L, 15 % at M, 25 % at Q, 30 % at H. */
type QRCodeLevel = 'L' | 'M' | 'Q' | 'H';

interface QRCodeOptions {
  /** The level of error correction, `'M'` by default. */
  level?: QRCodeLevel;

  /** From 1 to 40. By default, the smallest that holds the text. */
  version?: number;

  /** From 0 to 7. By default, the best one. */
  mask?: number;
}

interface QRCodeMargin {
  /** The quiet zone in whole modules, 4 by default. Scanners may fail with less. */
  margin?: number;
}

/** A QR code. The object and its rows are frozen. */
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
