/**
 * Keeps the referrer in a page's address while the tab is open. Load the script on all pages of a site, or import it first:
 *
 * ```js
 * import 'referral-bridge/keep';
 * import 'referral-bridge';
 * ```
 *
 * It is for links with both attributes:
 *
 * ```html
 * <a href="https://apps.apple.com/us/app/trestle/id1300230302" data-referrer-from="via" data-referrer-keep>Get Trestle</a>
 * ```
 */
export {};
