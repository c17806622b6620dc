/**
 * Counts each referrer as a campaign of its own in App Store Connect. Import it beside the snippet:
 *
 * ```js
 * import 'referral-bridge/ct';
 * import 'referral-bridge';
 * ```
 *
 * It is for links with this attribute, whose address names your provider token `pt`:
 *
 * ```html
 * <a href="https://apps.apple.com/us/app/trestle/id1300230302?pt=9&ct=web&mt=8" data-referrer-from="via" data-referrer-ct>Get Trestle</a>
 * ```
 */
export {};
