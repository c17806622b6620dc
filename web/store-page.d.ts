/**
 * Makes and parses addresses of App Store pages, by the rules of the library's `StorePage`.
 *
 * ```js
 * StorePage.make({ appID: '1300230302', storefront: 'us', slug: 'trestle', pt: '9', ct: 'spring' })
 * // 'https://apps.apple.com/us/app/trestle/id1300230302?pt=9&ct=spring&mt=8'
 * ```
 */
declare const StorePage: {
  /**
   * Parses an address. White space around it is ignored.
   *
   * @throws {StorePageError} with the part `'page'` if it isn't the address of an App Store page.
   */
  parse(address: string): StorePageParts;

  /**
   * Makes the address of a page. Parts that are `null` or `undefined` are left out. An empty string is an error.
   *
   * `pt` and `ct` need each other, and add `mt=8`. A lone surrogate becomes U+FFFD.
   *
   * @throws {StorePageError} for the first part that is invalid or missing.
   */
  make(parts: { appID: string | number; storefront?: string | null; slug?: string | null } & StorePageItems): string;

  /**
   * Adds a campaign, a custom product page or both to an address, or replaces those it has. All other items stay byte for
   * byte, `mt` included. Without items, the result is the address that {@link parse} returns.
   *
   * @throws {StorePageError}
   */
  with(address: string, items?: StorePageItems): string;
};

/** The parts of an address. A part is `null` if it's missing, or if the App Store would ignore it. */
interface StorePageParts {
  /** The address without white space around it. */
  address: string;

  /** The app's digits, unchanged. */
  appID: string;

  /** The country code of two letters, in their case. */
  storefront: string | null;

  /** The app's name, decoded. */
  slug: string | null;

  /** The provider token, decoded; `null` without a campaign token of 1 to 40 bytes. */
  pt: string | null;

  /** The campaign token, decoded; `null` without a provider token. */
  ct: string | null;

  /** The UUID of a custom product page. */
  ppid: string | null;
}

/** The items by which App Store Connect counts visits to a page. */
interface StorePageItems {
  /** The provider token: the number of the developer's account in App Store Connect, digits only. */
  pt?: string | number | null;

  /** The campaign token, 1 to 40 bytes of UTF-8. */
  ct?: string | number | null;

  /** The UUID of a custom product page. */
  ppid?: string | null;
}

/** Why an address is invalid or can't be made. Its message is a sentence to show to people. */
interface StorePageError extends Error {
  /** The part to correct. */
  readonly part: 'page' | 'appID' | 'storefront' | 'slug' | 'pt' | 'ct' | 'ppid';
}
