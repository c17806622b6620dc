/**
 * Addresses of App Store pages, made and taken apart by the rules of the library's `StorePage`.
 *
 * ```js
 * StorePage.make({ appID: '1300230302', storefront: 'us', slug: 'trestle', pt: '9', ct: 'spring' })
 * // 'https://apps.apple.com/us/app/trestle/id1300230302?pt=9&ct=spring&mt=8'
 * ```
 */
declare const StorePage: {
  /**
   * Takes an address apart, white space around it left out.
   *
   * @throws {StorePageError} with the part `'page'` where it is not that of an App Store page.
   */
  parse(address: string): StorePageParts;

  /**
   * Makes the address of a page. What is `null` or `undefined` is left out; an empty string is a mistake.
   *
   * `pt` and `ct` come together, and `mt=8` with them. A lone surrogate becomes U+FFFD.
   *
   * @throws {StorePageError} for the first part that is wrong or missing.
   */
  make(parts: { appID: string | number; storefront?: string | null; slug?: string | null } & StorePageItems): string;

  /**
   * Puts a campaign, a custom product page or both on an address, in place of its own. Whatever is not given stays, an
   * `mt` too, and every other item byte for byte; with nothing given the address is the one that {@link parse} gives.
   *
   * @throws {StorePageError}
   */
  with(address: string, items?: StorePageItems): string;
};

/** What an address says; `null` for what it lacks or what the App Store would not count. */
interface StorePageParts {
  /** The address without white space around it. */
  address: string;

  /** The app's digits, as they stand. */
  appID: string;

  /** The country, two letters, as they stand. */
  storefront: string | null;

  /** The app's name, decoded. */
  slug: string | null;

  /** The provider token, decoded. Without a campaign token of 1 to 40 bytes it counts nothing, and both are `null`. */
  pt: string | null;

  /** The campaign token, decoded; `null` as well where there is no provider token. */
  ct: string | null;

  /** The UUID of a custom product page. */
  ppid: string | null;
}

/** What App Store Connect counts a page's visits under. */
interface StorePageItems {
  /** The provider token: the number that App Store Connect gave the developer's account. */
  pt?: string | number | null;

  /** The campaign token, 1 to 40 bytes of UTF-8. */
  ct?: string | number | null;

  /** The UUID of a custom product page. */
  ppid?: string | null;
}

/** Why an address is none, or cannot be made. Its message is a sentence fit to show. */
interface StorePageError extends Error {
  /** What is to be mended. */
  readonly part: 'page' | 'appID' | 'storefront' | 'slug' | 'pt' | 'ct' | 'ppid';
}
