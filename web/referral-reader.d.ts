/**
 * Judges copied strings as the app does. A page loads `store-page.js` first.
 *
 * ```js
 * const { verdict, reason } = ReferralReader.judge(field.value, { appID: '1300230302' });
 * // 'expired', 'The tap was 6 min 2 s ago; it counts for less than 5 min.'
 * ```
 */
declare const ReferralReader: {
  /** Judges one string on its own. If it passes, its verdict is `found`. Never throws for a string. */
  judge(string: string, options?: ReferralReaderOptions): ReferralJudgment;

  /** Judges every string, and finds the newest tap that passes. On a tie, it finds the first in the list. */
  scan(strings: Iterable<string>, options?: ReferralReaderOptions): ReferralScan;

  /**
   * Judges one string on its own, and its signature.
   *
   * ```js
   * const { verdict } = await ReferralReader.judgeSigned(string, { appID: '1300230302', signers: [publicKey] });
   * // 'wrongSignature'
   * ```
   *
   * The verdicts `notSigned`, `wrongSignature` and `campaignOver` come after those on the payload and before those on the
   * times. Without signers in the list, it gives the verdict of `judge`.
   *
   * @throws {TypeError} if `signers` is not a list of 32 bytes each in base64, or if one is a point of small order.
   * @throws {Error} if signers are given and `canJudgeSignatures` would answer `false`.
   */
  judgeSigned(string: string, options: ReferralSignedReaderOptions): Promise<ReferralJudgment>;

  /** Judges every string and its signature, and finds the newest tap that passes. Throws the errors of `judgeSigned`. */
  scanSigned(strings: Iterable<string>, options: ReferralSignedReaderOptions): Promise<ReferralScan>;

  /**
   * Whether signatures can be judged here: the platform has Ed25519 in `crypto.subtle`, which only pages on https or on the
   * same device have.
   */
  canJudgeSignatures(): Promise<boolean>;
};

interface ReferralReaderOptions {
  /** The app that reads the strings. Without it, links to any app pass. */
  appID?: string | number | null;

  /** The current time in Unix milliseconds, `Date.now()` by default. */
  now?: number;

  /** The attribution window in seconds, 300 by default. At exactly this age a tap has expired. `Infinity` for no limit. */
  window?: number;

  /** How many seconds after now a tap may be, 30 by default. At exactly this distance it passes. */
  tolerance?: number;

  /** The newest tap that the app has reported, in Unix milliseconds. */
  reported?: number | null;

  /** Hosts besides the App Store's whose addresses can be referral links, such as `example.com`, without their subdomains. */
  hosts?: string[];

  /** Missing or empty. With others, `judge` and `scan` throw a `TypeError`, since a signature takes time to judge. */
  signers?: never[];
}

interface ReferralSignedReaderOptions extends Omit<ReferralReaderOptions, 'signers'> {
  /**
   * The app that reads the strings. The signature is for one app: for the one that the address names, or for this one. If
   * both are missing, the verdict on a signed string is `wrongSignature`.
   */
  appID?: string | number | null;

  /**
   * The public keys of those who may sign, each of them 32 bytes in standard base64, as `referral-tool key` prints them. One
   * of them must have signed. Bytes that are no key make no signature valid. A point of small order, such as 32 zero bytes, is
   * refused: anybody can sign for it.
   */
  signers: readonly string[];
}

/** What the app makes of a string. */
type ReferralVerdict =
  | 'notALink'
  | 'wrongApp'
  | 'noPayload'
  | 'malformedPayload'
  | 'tooLong'
  | 'notSigned'
  | 'wrongSignature'
  | 'campaignOver'
  | 'fromTheFuture'
  | 'expired'
  | 'alreadyReported'
  | 'found'
  | 'superseded';

/** The verdict on a string, with everything that could be read from it. The rest is `null`. */
interface ReferralJudgment {
  verdict: ReferralVerdict;

  /** Why, in a sentence that contains no part of the string. */
  reason: string;

  /** The address without white space around it, if its host is the App Store's or one of the hosts. */
  address: string | null;

  /** The digits of the app that the address names. */
  appID: string | null;

  /** Who sent the person. */
  referrer: string | null;

  /** The time of the tap in Unix milliseconds, even if the payload has seconds. */
  timestamp: number | null;

  /** The payload's other members whose values are strings, with `sig` and `until`. A member named `__proto__` is an own property. */
  parameters: Record<string, string> | null;

  /** The payload's text if it is valid UTF-8, even if it isn't JSON. */
  payload: string | null;

  /** How many milliseconds ago the tap was; negative if it is after now. */
  age: number | null;
}

interface ReferralScan {
  /** The judgment on the string with the verdict `found`. */
  found: ReferralJudgment | null;

  /** The index of that string. */
  foundIndex: number | null;

  /** A judgment on every string, in the order of the list. */
  judgments: ReferralJudgment[];
}
