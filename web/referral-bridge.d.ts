/**
 * What the script puts under one global. Loading it, as a script or by `import 'referral-bridge'`, also starts
 * listening for clicks on links with `data-referrer`.
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
   * @throws {Error} where it would not read back: no referrer, a time under 10^11 or from 10^16 on, or more than
   * 8,192 bytes of JSON.
   */
  payload(tap: ReferralTap): string;

  /**
   * Puts an `ed` on an address, in place of any that it had, behind its other query items and before its fragment.
   *
   * ```js
   * ReferralBridge.link('https://apps.apple.com/app/id1300230302?mt=8#top', ed)
   * // 'https://apps.apple.com/app/id1300230302?mt=8&ed=eyJ0…#top'
   * ```
   *
   * @throws {Error} where the link would be longer than 65,536 bytes.
   */
  link(address: string, ed: string): string;

  /**
   * Copies a text as text and as an address. Call it in the very event of a tap or a key, before anything is awaited:
   * browsers allow it nowhere else.
   *
   * ```js
   * button.onclick = () => ReferralBridge.copy(ReferralBridge.link(page, ReferralBridge.payload(tap)), button);
   * ```
   *
   * @param element what was pressed. It gets the `referral:copied` event.
   * @returns whether it was copied. After `false` the browser's asynchronous clipboard may still have taken the text.
   */
  copy(text: string, element: HTMLElement | SVGElement): boolean;
};

/** A tap on a link. Every other member is a parameter for the app. */
interface ReferralTap {
  /** When, in Unix milliseconds, as `Date.now()` gives them. */
  timestamp: number;

  /** Who sent the person; not empty. */
  referrer: string;

  [parameter: string]: string | number;
}

/**
 * Tells a page of one attempt to copy a link, on that link. It bubbles, out of shadow roots too.
 *
 * ```js
 * document.addEventListener('referral:copied', ({ detail }) => {
 *   if (detail.copied) status.textContent = 'The link is on your clipboard.';
 * });
 * ```
 *
 * A link that cannot be written, of a referrer too long for instance, is an ordinary link and gets none.
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
