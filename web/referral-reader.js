/*
 * ReferralReader judges copied strings as the app does, and says which rule each one breaks.
 *
 *   ReferralReader.judge(string, { appID: '1300230302' })
 *     → { verdict, reason, address, appID, referrer, timestamp, parameters, payload, age }
 *   ReferralReader.scan(strings, options)  → { found, foundIndex, judgments }
 *   await ReferralReader.judgeSigned(string, { signers: ['base64 of a public key'], … })
 *   await ReferralReader.scanSigned(strings, options)  → the same, with the verdicts on signatures
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

  const refuseSigners = (signers, name) => {
    if (signers?.length ?? signers) throw TypeError(`With signers, use ReferralReader.${name}, which waits for the platform's Ed25519.`);
  };

  const judge = (string, { appID, now = Date.now(), window = 300, tolerance = 30, reported, hosts, signers, landing } = {}) => {
    refuseSigners(signers, 'judgeSigned');
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
      // Internal: the builder's judgment on a text with the address of a landing page.
      const page = ['notALink', 'wrongApp', 'noPayload'].includes(verdict) && landing?.(string, now);
      if (page) return Object.assign(result, { appID: null, age: null }, page);
      return Object.assign(result, { verdict, reason });
    }
  };

  const find = judgments => {
    const passed = judgments.filter(({ verdict }) => verdict == 'found');
    const found = passed.reduce((newest, tap) => newest?.timestamp >= tap.timestamp ? newest : tap, null);
    const reason = 'Another tap was found that is newer, or as new and in front of this one.';
    for (const tap of passed) if (tap != found) Object.assign(tap, { verdict: 'superseded', reason });
    return { found, foundIndex: found && judgments.indexOf(found), judgments };
  };

  const hexadecimal = bytes => Array.from(bytes, byte => byte.toString(16).padStart(2, '0')).join('');
  const fromBase64 = text => Uint8Array.from(atob(text), byte => byte.charCodeAt());
  const importKey = async bytes => crypto.subtle.importKey('raw', bytes, 'Ed25519', false, ['verify']);

  // The key is the curve's base point, which every Ed25519 accepts.
  const canJudgeSignatures = () => importKey(Uint8Array.of(0x58, ...Array(31).fill(0x66))).then(() => true, () => false);

  // A promise of each signer's key, or of null for bytes that are no point of the curve.
  const keys = new Map();
  const keyOf = signer => {
    if (!keys.has(signer)) {
      keys.set(signer, importKey(fromBase64(signer)).catch(async () => {
        if (await canJudgeSignatures()) return null;
        keys.delete(signer);
        throw Error('No signature can be judged here, because the platform has no Ed25519 in crypto.subtle, or the page is not on https.');
      }));
    }
    return keys.get(signer);
  };

  // The points whose order divides 8, without the sign of x: anybody can sign for them.
  const smallOrder = new RegExp(`^(?:0[01]${'00'.repeat(31)}|e[c-e]${'ff'.repeat(30)}7f|${
    '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05'}|${
    'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a'})$`);
  const hasSmallOrder = bytes => {
    bytes[31] &= 0x7f;
    return smallOrder.test(hexadecimal(bytes));
  };

  // The last of 43 digits has two bits too many, which are zero.
  const isSigner = signer => /^[A-Za-z\d+/]{42}[AEIMQUYcgkosw048]=$/.test(signer) && !hasSmallOrder(fromBase64(signer));

  const keysOf = async signers => {
    if (!Array.isArray(signers) || !signers.every(isSigner)) throw TypeError('The signers must be a list of public keys, each of them 32 bytes in base64, and no point of small order.');
    return (await Promise.all(signers.map(keyOf))).filter(Boolean);
  };

  // The curve's order. A signature with a number that isn't below it is another's with the order added, which not every
  // platform refuses.
  const isCanonical = signature =>
    BigInt(`0x${hexadecimal(Uint8Array.from(signature.slice(32)).reverse())}`)
      < BigInt('0x1000000000000000000000000000000014def9dea2f79cd65812631a5cf5d3ed');

  const isSignature = async (signature, message, keys) => {
    if (signature.length != 64 || !isCanonical(signature)) return false;
    for (const key of keys) {
      // Some platforms notice only now that the key is no point.
      if (await crypto.subtle.verify('Ed25519', key, signature, message).catch(() => false)) return true;
    }
    return false;
  };

  const isMadeBy = (keys, appID, referrer, { sig, ...claims }) => {
    // The last of 86 digits has four bits too many, which are zero.
    if (!/^[\w-]{85}[AQgw]$/.test(sig) || claims.until != null && !/^[1-9]\d{11,15}$/.test(claims.until)) return false;
    // The list sets the order, also of names like "12", which objects put first.
    const json = JSON.stringify({ ...claims, referrer }, ['referrer', ...Object.keys(claims).sort()]);
    const message = new TextEncoder().encode(`ReferralBridge signed referral 1\n${appID}\n${json}`);
    return isSignature(fromBase64(sig.replace(/-/g, '+').replace(/_/g, '/')), message, keys);
  };

  const judgeSigned = async (string, { signers, ...options } = {}) => {
    const keys = await keysOf(signers);
    const judgment = judge(string, options);
    const { appID, referrer, timestamp, parameters } = judgment;
    // Without parameters, the payload has a verdict already.
    if (!signers.length || !parameters) return judgment;
    const settled = (verdict, reason) => Object.assign(judgment, { verdict, reason });
    if (!parameters.sig) return settled('notSigned', 'The referral is not signed: it has no sig, or an empty one.');
    if (!await isMadeBy(keys, appID ?? options.appID, referrer, parameters)) {
      return settled('wrongSignature', 'No signer made the signature (sig) for this app, referrer and parameters, or sig or until is malformed.');
    }
    // BigInt doesn't round.
    if (parameters.until && timestamp >= BigInt(parameters.until)) {
      return settled('campaignOver', 'The tap came at or after the end of its campaign (until).');
    }
    return judgment;
  };

  globalThis.ReferralReader = {
    judge,
    judgeSigned,
    canJudgeSignatures,
    isSignature: async (signature, message, signers) => isSignature(signature, message, await keysOf(signers)),
    isSigner,
    formatSpan,

    scan(strings, { now = Date.now(), signers, ...options } = {}) {
      refuseSigners(signers, 'scanSigned');
      return find(Array.from(strings, string => judge(string, { ...options, now })));
    },

    async scanSigned(strings, { now = Date.now(), ...options } = {}) {
      const list = Array.from(strings);
      await keysOf(options.signers);
      return find(await Promise.all(list.map(string => judgeSigned(string, { ...options, now }))));
    },
  };
}
