/*
 * ReferralReader judges copied strings as the app does, and says which rule each one breaks.
 *
 *   ReferralReader.judge(string, { appID: '1300230302' })
 *     → { verdict, reason, address, appID, referrer, timestamp, parameters, payload, age }
 *   ReferralReader.scan(strings, options)  → { found, foundIndex, judgments }
 *
 * Works as a script after store-page.js, and as a module.
 */
globalThis.StorePage ?? require('./store-page.js');
{
  // Not an Error: its stack takes long.
  const settle = (reason, verdict = 'malformedPayload') => {
    throw { verdict, reason };
  };

  const decode = value => {
    const bytes = StorePage.percentDecode(value);
    const [right, digits, padding] = /^([\w\-+/ ]*)(=*)/.exec(bytes);
    if (bytes[right.length] > '\xff') settle('The payload (ed) contains a percent sign without two hexadecimal digits after it.');
    // A form turns a plus into a space.
    const standard = digits.replace(/[- ]/g, '+').replace(/_/g, '/');
    const rest = digits.length % 4;
    const isRight = right == bytes && rest != 1 && (!padding || padding.length == (4 - rest) % 4)
      // Decoding drops the bits after the last byte.
      && btoa(atob(standard)).replace(/=/g, '') == standard;
    if (!isRight) settle('The payload (ed) is not base64: a character, its length, its padding or its last bits are wrong.');
    const payload = atob(standard);
    if (payload.length > 8192) settle('The payload is longer than 8,192 bytes.', 'tooLong');
    try {
      const text = StorePage.decodeUTF8(payload, { fatal: true });
      if (text[0] != '\ufeff') return text;
    } catch {}
    settle('The payload is not UTF-8, or begins with a byte order mark.');
  };

  // A JSON object as a Map, with the last of repeated members. JSON.parse would accept half of a surrogate pair.
  const members = json => {
    let position = 0;
    let depth = 0;
    const take = pattern => {
      pattern.lastIndex = position;
      const [found] = pattern.exec(json) ?? settle('The payload is not a JSON object.');
      position = pattern.lastIndex;
      return found;
    };
    const string = () => {
      // Up to the first fault; a high surrogate whose low one is broken is left out.
      const start = take(/"(?:[^"\\\0-\x1f]|\\(?:["\\/bfnrt]|u(?![dD][89abAB]..\\u(?![\da-fA-F]{4}))[\da-fA-F]{4}))*/y);
      const text = JSON.parse(`${start}"`);
      if (StorePage.toWellFormed(text) != text) settle('The payload contains half of a surrogate pair.');
      take(/"/y);
      return text;
    };
    const value = (next = json[position]) => {
      if (next == '"') return string();
      if (next != '{' && next != '[') {
        return Number(take(/true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y));
      }
      const found = new Map();
      depth += 1;
      if (depth > 64) settle('The payload is nested more than 64 deep.');
      take(/[{[][ \t\n\r]*/y);
      if (json[position] != (next == '{' ? '}' : ']')) {
        do {
          const name = next == '{' && string();
          if (next == '{') take(/[ \t\n\r]*:[ \t\n\r]*/y);
          found.set(name, value());
        } while (take(/[ \t\n\r]*,?[ \t\n\r]*/y).includes(','));
      }
      take(next == '{' ? /}/y : /]/y);
      depth -= 1;
      return found;
    };
    take(/[ \t\n\r]*(?={)/y);
    const found = value();
    take(/[ \t\n\r]*$/y);
    return found;
  };

  // Rounded down, so that 299,999.5 ms don't read as five minutes.
  const formatSpan = age => {
    const total = Math.abs(Math.floor(age));
    if (!(total < 2 ** 63)) return 'more than a lifetime';
    const rest = total % 864e5;
    const counts = { d: total / 864e5, h: rest / 36e5, min: rest / 6e4 % 60, s: rest / 1e3 % 60, ms: rest % 1e3 };
    const shown = Object.entries(counts).filter(([, count]) => count >= 1);
    return shown.map(([unit, count]) => `${Math.floor(count)} ${unit}`).join(' ') || '0 ms';
  };

  const judge = (string, { appID, now = Date.now(), window = 300, tolerance = 30, reported, hosts } = {}) => {
    const result = { address: null, appID: null, referrer: null, timestamp: null, parameters: null, payload: null, age: null };
    try {
      const { address, appID: named, last } = StorePage.components(string, hosts);
      Object.assign(result, { address, appID: named || null });
      if (appID != null && named && named !== `${appID}`) settle('The address is that of another app.', 'wrongApp');
      if (!last('ed')) settle('The address carries no referral: it has no query item ed, or an empty one.', 'noPayload');
      result.payload = decode(last('ed'));

      const { referrer, timestamp: stamp, ...others } = Object.fromEntries(members(result.payload));
      if (typeof referrer != 'string' || !referrer) settle('The referrer is missing, empty or not a string.');
      if (typeof stamp != 'number' || !(stamp > 0 && stamp < 1e16)) {
        settle('The timestamp is missing, not a number or out of range (Unix milliseconds from 10^11 to below 10^16).');
      }
      // In milliseconds this would be before March 1973, so it is in seconds.
      const timestamp = stamp < 1e11 ? stamp * 1000 : stamp;
      const parameters = Object.fromEntries(Object.entries(others).filter(([, text]) => typeof text == 'string'));
      const age = now - timestamp;
      Object.assign(result, { referrer, timestamp, parameters, age });

      // Rounded: 1.001 * 1000 is less than 1,001.
      const [counted, tolerated] = [window, tolerance].map(seconds => Math.round(seconds * 1e6) / 1000);
      if (age < -tolerated) settle(`The tap lies ${formatSpan(age)} after now; the clock tolerance is ${formatSpan(tolerated)}.`, 'fromTheFuture');
      // Also if now is NaN.
      if (!(age < counted)) settle(`The tap was ${formatSpan(age)} ago; it counts for less than ${formatSpan(counted)}.`, 'expired');
      // A reported time beyond the tolerance comes from a wrong clock.
      if (reported - now <= tolerated && timestamp <= reported) settle('This tap or a newer one was reported before.', 'alreadyReported');
      settle(`The tap ${age < 0 ? `lies ${formatSpan(age)} after now` : `was ${formatSpan(age)} ago`}.`, 'found');
    } catch (error) {
      const { verdict, message, reason = message } = error;
      if (!verdict) throw error;
      return Object.assign(result, { verdict, reason });
    }
  };

  globalThis.ReferralReader = {
    judge,
    formatSpan,

    scan(strings, { now = Date.now(), ...options } = {}) {
      const judgments = Array.from(strings, string => judge(string, { ...options, now }));
      const passed = judgments.filter(({ verdict }) => verdict == 'found');
      const found = passed.reduce((newest, tap) => newest?.timestamp >= tap.timestamp ? newest : tap, null);
      const reason = 'Another tap was found that is newer, or as new and in front of this one.';
      for (const tap of passed) if (tap != found) Object.assign(tap, { verdict: 'superseded', reason });
      return { found, foundIndex: found && judgments.indexOf(found), judgments };
    },
  };
}
