/**
 * Judges what somebody copied as the app will. A page loads `store-page.js` in front of it.
 *
 * ```js
 * const { verdict, reason } = ReferralReader.judge(field.value, { appID: '1300230302' });
 * // 'expired', 'The tap was 6 min 2 s ago; it counts for less than 5 min.'
 * ```
 */
declare const ReferralReader: {
  /** Judges one string by itself; one that passes is `found`. Takes any string, and throws for none. */
  judge(string: string, options?: ReferralReaderOptions): ReferralJudgment;

  /** Judges every string and finds the newest tap that passes; of equals the first. One never hides another. */
  scan(strings: Iterable<string>, options?: ReferralReaderOptions): ReferralScan;
};

interface ReferralReaderOptions {
  /** The app whose referrals count; without one any app's. */
  appID?: string | number | null;

  /** The present in Unix milliseconds; this moment without it. */
  now?: number;

  /** How many seconds a tap counts, 300 without it: at exactly this age it has expired. `Infinity` for no limit. */
  window?: number;

  /** How many seconds after now a tap may lie, 30 without it: at exactly this distance it passes. */
  tolerance?: number;

  /** The newest tap that was reported before, in Unix milliseconds. */
  reported?: number | null;

  /** Hosts besides the App Store's whose addresses may carry a referral, such as `example.com`; no subdomains. */
  hosts?: string[];
}

/** What came of a string. */
type ReferralVerdict =
  | 'notALink'
  | 'wrongApp'
  | 'noPayload'
  | 'malformedPayload'
  | 'tooLong'
  | 'fromTheFuture'
  | 'expired'
  | 'alreadyReported'
  | 'found'
  | 'superseded';

/** The verdict on a string, with as much of it as could be read; `null` for the rest. */
interface ReferralJudgment {
  verdict: ReferralVerdict;

  /** Why, in a sentence with nothing of the string in it. */
  reason: string;

  /** The address without white space around it, of whatever is on a host that counts. */
  address: string | null;

  /** The digits of the app that the address names. */
  appID: string | null;

  /** Who sent the person. */
  referrer: string | null;

  /** The moment of the tap in Unix milliseconds, also where the payload has seconds. */
  timestamp: number | null;

  /** The payload's other members whose values are strings. One called `__proto__` is the object's own. */
  parameters: Record<string, string> | null;

  /** The payload's text as soon as it is UTF-8, whether it is JSON or not. */
  payload: string | null;

  /** How many milliseconds before now the tap was; negative after now. */
  age: number | null;
}

interface ReferralScan {
  /** The judgment on the string that is found. */
  found: ReferralJudgment | null;

  /** Which string that is. */
  foundIndex: number | null;

  /** A judgment on every string, in the order of the list. */
  judgments: ReferralJudgment[];
}
