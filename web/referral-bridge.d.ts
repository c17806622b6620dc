/**
 * The script's only global. Loading the script, or `import 'referral-bridge'`, also starts listening for clicks on links
 * with `data-referrer`.
 *
 * ```html
 * <script src="referral-bridge.js" defer></script>
 * <a href="https://apps.apple.com/us/app/trestle/id1300230302" data-referrer="spring-newsletter">Get Trestle</a>
 * ```
 */
declare const ReferralBridge: {
  /**
   * Writes a tap as the `ed` of a referral link.
   *
   * ```js
   * ReferralBridge.payload({ timestamp: Date.now(), referrer: 'alice', pack: 'gold' })
   * // 'eyJ0aW1lc3RhbXAiOjE3OTUyMjQ3NTA2OTAsInJlZmVycmVyIjoiYWxpY2UiLCJwYWNrIjoiZ29sZCJ9'
   * ```
   *
   * A lone surrogate becomes U+FFFD.
   *
   * @throws {Error} if an app couldn't read it: without a referrer, with a time below 10^11 or not below 10^16, with a
   * parameter that isn't a string, or with more than 8,192 bytes of JSON.
   */
  payload<Name extends string>(tap: ReferralTap<Name>): string;

  /**
   * Adds an `ed` to an address, after its other query items and before its fragment. It replaces any other `ed`.
   *
   * ```js
   * ReferralBridge.link('https://apps.apple.com/app/id1300230302?mt=8#top', ed)
   * // 'https://apps.apple.com/app/id1300230302?mt=8&ed=eyJ0…#top'
   * ```
   *
   * @throws {Error} if the link would be longer than 65,536 bytes.
   */
  link(address: string, ed: string): string;

  /**
   * Copies a link as plain text and as a URL. Call it in the handler of a tap or a key, before any `await`: browsers allow it
   * nowhere else.
   *
   * ```js
   * button.onclick = () => ReferralBridge.copy(ReferralBridge.link(page, ReferralBridge.payload(tap)), button);
   * ```
   *
   * @param element The element that was pressed. It gets the `referral:copied` event.
   * @returns Whether the link was copied. After `false`, the browser's asynchronous clipboard may still copy it.
   */
  copy(text: string, element: HTMLElement | SVGElement): boolean;
};

/**
 * A tap on a link. All other members are parameters for the app, and strings: write a number as `'7'`, and other data as JSON.
 *
 * ```ts
 * const tap: ReferralTap<'pack'> = { timestamp: Date.now(), referrer: 'alice', pack: 'gold' };
 * ```
 */
type ReferralTap<Name extends string = never> = {
  /** The time of the tap in Unix milliseconds, such as `Date.now()`. */
  timestamp: number;

  /** Who sent the person. Not empty. */
  referrer: string;
} & { [member in Name]: member extends 'timestamp' ? number : string };

/**
 * Tells the page about an attempt to copy a link. Its target is the link, and it bubbles out of shadow roots.
 *
 * ```js
 * document.addEventListener('referral:copied', ({ detail }) => {
 *   if (detail.copied) status.textContent = 'The link is on your clipboard.';
 * });
 * ```
 *
 * A link that can't be written, for example because its referrer is too long, is an ordinary link without this event.
 */
interface ReferralCopiedEvent extends CustomEvent<{ readonly link: string; readonly copied: boolean }> {
  readonly type: 'referral:copied';
}

interface GlobalEventHandlersEventMap {
  'referral:copied': ReferralCopiedEvent;
}

interface WindowEventMap {
  'referral:copied': ReferralCopiedEvent;
}

interface ShadowRootEventMap {
  'referral:copied': ReferralCopiedEvent;
}
