// Read: shows the verdict on each copied string, its reason, its payload, and the way to make it pass.

const MAXIMUM_CARDS = 200;

// `notALink` is “Not a link”.
const verdictTitle = verdict => verdict.replace(/^.|[A-Z]/g, (letter, index) => index ? ` ${letter.toLowerCase()}` : letter.toUpperCase());

// The work pauses after this many milliseconds so that the page can handle the next key, but does at least this many steps.
const SLICE = 8;
const MINIMUM_STEPS = 40;

// The number of signatures that are judged concurrently, in other threads.
const SIGNATURES = 100;

let options = {};
let fixedNow;
let signers = [];
let obstacle;
let strings = [];
// The lines in which an address may end that goes on in the next one.
let continued = [];
// The time of each string's tap, or null, and the verdict on its signature if it comes to that. They depend only on the
// string, the app, the hosts and the signers, so each string is read once.
let cache = new Map();
let cacheKey;
let times = [];
// The indices of all strings with a tap, the newest tap first.
let newestFirst = null;
let found = null;
let cardCount = 0;
let sliceTimer;

const formatTime = time => Math.abs(time) < 8.64e15 ? new Date(time).toISOString().replace('T', ' ').replace('Z', ' UTC') : `${time} ms`;

// The judgment on a text with the address of the landing page under “Make”, as somebody pastes it in the app; or null.
const judgeLanding = (string, now) => {
  const { landing: page, 'referrer-item': item, items } = campaign;
  const found = PastedText.find(string + (continued.includes(string) ? '\n-' : ''), { page, from: pagePath() ?? item ?? 'via', handedOn: LinkRows.handedOn(items, item) });
  if (!found) return null;
  if (found.isCut) return { verdict: 'malformedPayload', reason: 'The address was cut, or something was added to it. Copy the whole address.' };
  if (!found.referrer) return { verdict: 'noPayload', reason: 'The address is the landing page’s, but it names no referrer.' };
  try {
    LinkRows.payload(found.referrer, found.parameters, now);
  } catch {
    return { verdict: 'tooLong', reason: 'The payload is longer than 8,192 bytes.' };
  }
  return { verdict: 'found', reason: `The address of the landing page names the referrer.${found.note}`, ...found, timestamp: now, age: 0, isLanding: true };
};

// Whether a string looks like the address of a landing page: of the one under “Make”, or of any page with a referrer.
const isLandingPage = string => /^https?:\/\/[^/?#]/i.test(string) && (PastedText.matches(campaign.landing ?? '', string)
  || StorePage.splitQuery(string).items.some(({ name }) => name == (campaign['referrer-item'] ?? 'via')));

// Whether the string passes, or fails only by its time or its signature, without the text at its end. An unlimited pattern would take
// time that grows with the square of a row of marks.
const beginsWithLink = string => ReferralReader.judge(string.trim().replace(/\W{0,40}([^!-~]|%[89A-F]|$).*/s, ''), options).timestamp != null;

// Whether a payload that isn't UTF-8 is JSON in Latin-1.
const isLatin1 = string => {
  try {
    const item = StorePage.splitQuery(string).items.filter(({ name }) => name == 'ed').pop();
    const digits = StorePage.percentDecode(item.value).replace(/[- ]/g, '+').replace(/_/g, '/');
    return JSON.parse(atob(digits));
  } catch {
    return false;
  }
};

const remedy = ({ verdict, reason, appID, timestamp, parameters, age, isLanding }, { window, tolerance }, string) => {
  const counted = Math.round(window * 1000);
  if (reason.includes('was cut')) return '';
  if (isLanding || /Payload/.test(verdict)) {
    for (const [text, source, mark] of [['&amp;', 'page', '&'], ['=3D', 'mail', '=']]) {
      if (string.includes(text)) return `It contains ${text}, as in the source of a ${source}: write ${mark} in its place.`;
    }
  }
  if (isLanding && verdict == 'found') return 'It counts if it opens the app, or if somebody pastes it there.';
  switch (verdict) {
    case 'notALink':
      if (reason.includes('user name')) return 'To pass, the address must not have a user name and an @ before its host.';
      if (isLandingPage(string)) return 'This is the address of a landing page. Open it, tap its button, and paste the copied link; or name the page under “Make”.';
      if (reason.includes('begin')) {
        if (/(http|itms)[a-z-]{0,9}:..(apps|itunes)\.apple\.com\//i.test(string)) return 'The string contains a link; pass the link alone.';
        if (/https?:../i.test(string)) return 'The address in it has another host.';
        return 'To pass, the string must be a whole address that begins with https://.';
      }
      if (reason.includes('host')) return 'To pass, the host must be apps.apple.com or one of the app’s additional hosts.';
      return 'To pass, the address must have /id and the app’s digits in its path.';
    case 'wrongApp': return `It passes in the app ${appID}. The app id on this page is different.`;
    case 'noPayload':
      if (reason.includes('landing page')) return 'Open it, tap its button, and paste the copied link.';
      return 'To pass, the link must come from a tap on a link with data-referrer, on a page with the snippet. The address in a browser’s address bar has no ed.';
    case 'malformedPayload':
      if (beginsWithLink(string)) return 'Text follows the link; pass the link alone.';
      if (reason.includes('UTF-8') && isLatin1(string)) return 'The payload is Latin-1, as btoa writes it; encode its text as UTF-8 first.';
      return 'To pass, the link must arrive as the snippet wrote it. This one was cut off, changed, or written by hand.';
    case 'tooLong': return 'To pass, the referrer and the parameters must be shorter: 8,192 bytes for the payload, 65,536 for the link.';
    case 'notSigned': return 'To pass, the link must come from an address or a page that referral-tool made with --sign.';
    case 'wrongSignature':
      if (appID == null && options.appID == null) return 'To pass, it needs the app id under “More”: this address names none, and a signature is for one app.';
      return 'It passes if one of the signers made it for this app, and it is unchanged. A signer may be missing.';
    case 'campaignOver': return `A tap before ${formatTime(Number(parameters.until))} passes.`;
    case 'fromTheFuture': return `It passes from ${formatTime(timestamp - tolerance * 1000)} on, or with a clock tolerance of ${Math.ceil(-age / 1000)}s. A clock may be wrong.`;
    case 'expired': return `It passed until ${formatTime(timestamp + counted)}. It passes with an attribution window of more than ${Math.floor(age / 1000)}s. A new tap passes, too.`;
    case 'superseded': return 'It passes if it is the newest tap or the only one.';
    default: return window == Infinity ? 'It doesn’t expire.' : `It passes until ${formatTime(timestamp + counted)}.`;
  }
};

const createTable = rows => create('table', {}, create('tbody', {}, ...rows.map(([name, text]) =>
  create('tr', {}, create('th', { scope: 'row' }, shownText(name)), create('td', {}, sentence(text))))));

const createCard = (judgment, string, number) => {
  const { verdict, reason, appID, referrer, timestamp, parameters, payload } = judgment;
  const rows = [];
  if (appID != null) rows.push(['app id', appID]);
  if (referrer != null) {
    rows.push(['referrer', referrer], ['timestamp', `${timestamp} (${formatTime(timestamp)})`], ['age', '']);
    for (const name of Object.keys(parameters)) rows.push([name, parameters[name]]);
  } else if (payload != null) rows.push(['payload', payload]);
  return create('article', { className: `card verdict ${verdict}` },
    create('h3', {}, `${number}. ${verdictTitle(verdict)}`), create('p', { className: 'reason' }, reason),
    create('p', { className: 'quiet remedy' }, remedy(judgment, options, string)), create('pre', {}, ...unbroken(shownText(string, 300) || '(empty line)')),
    ...rows.length ? [createTable(rows)] : []);
};

// In whole seconds, since a card changes only that often.
const formatAge = age => {
  const span = ReferralReader.formatSpan(Math.trunc(age / 1000) * 1000).replace(/^0 ms$/, '0 s');
  return age < 0 ? `${span} after now` : span;
};

const readNext = () => {
  const string = strings[times.length];
  if (!cache.has(string)) cache.set(string, { time: ReferralReader.judge(string, options).timestamp });
  times.push(cache.get(string).time);
};

// Reads the next strings, whose signatures take time, and continues unless the input has changed meanwhile.
const readSigned = async () => {
  const [list, own] = [strings, cache];
  let why;
  try {
    await Promise.all(list.slice(times.length, times.length + SIGNATURES).filter(string => !own.has(string)).map(async string => {
      const { verdict, reason, timestamp } = await ReferralReader.judgeSigned(string, { ...options, signers, window: Infinity, tolerance: Infinity });
      own.set(string, { time: timestamp, fall: timestamp != null && verdict != 'found' && { verdict, reason } });
    }));
  } catch ({ message }) {
    why = message || 'No signature can be judged here.';
  }
  if (list != strings) return;
  if (why) stop(`${why} In a terminal, referral-tool decode --signer judges signatures.`);
  // Other events come first, which some browsers forget while signatures are judged.
  sliceTimer = setTimeout(work);
};

const judge = index => Object.assign(ReferralReader.judge(strings[index], options), cache.get(strings[index]).fall);

// The newest tap that passes. It comes after all taps that are too far in the future.
const findNewest = () => {
  let [low, high] = [0, newestFirst.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (judge(newestFirst[middle]).verdict == 'fromTheFuture') low = middle + 1;
    else high = middle;
  }
  return newestFirst.slice(low, low + 1).find(index => judge(index).verdict == 'found') ?? null;
};

// Updates the text of a card that depends on the time, or creates a new card for another string or another verdict.
const showCard = index => {
  const string = strings[index];
  let card = find('verdicts').children[index];
  const isSame = card && card.string === string && card.cacheKey == cacheKey;
  if (isSame && times[index] == null) return;
  let judgment = judge(index);
  if (judgment.verdict == 'found' && index != found) [, judgment] = ReferralReader.scan([strings[found], string], options).judgments;
  if (!isSame || !card.classList.contains(judgment.verdict)) {
    const newCard = Object.assign(createCard(judgment, string, index + 1), { string, cacheKey });
    if (card) card.replaceWith(newCard);
    else find('verdicts').append(newCard);
    card = newCard;
  }
  setText(card.querySelector('.reason'), judgment.reason);
  setText(card.querySelector('.remedy'), remedy(judgment, options, string));
  for (const row of card.querySelectorAll('tr')) {
    if (row.firstChild.textContent == 'age' && judgment.age != null) setText(row.lastChild, formatAge(judgment.age));
  }
};

const cardLimit = () => Math.min(strings.length, MAXIMUM_CARDS);

// Reads each string, finds the newest tap and shows the cards, a slice at a time.
const work = () => {
  clearTimeout(sliceTimer);
  const start = performance.now();
  let steps = 0;
  const isOver = () => steps++ >= MINIMUM_STEPS && performance.now() - start > SLICE;
  const count = LinkRows.plural(strings.length, 'string');
  const needsSignature = () => signers.length && !cache.has(strings[times.length]);
  while (times.length < strings.length && !needsSignature() && !isOver()) readNext();
  if (times.length < strings.length) {
    // In steps of ten percent, because each change lays out the page.
    setText(find('verdict-status'), `${count}: ${Math.floor(times.length / strings.length * 10)}0% read.`);
    if (needsSignature()) {
      readSigned();
      return;
    }
  } else if (newestFirst || !isOver()) {
    if (!newestFirst) {
      newestFirst = [...times.keys()].filter(index => times[index] != null && !cache.get(strings[index]).fall).sort((a, b) => times[b] - times[a] || a - b);
      if (cache.size > 2 * strings.length) cache = new Map(strings.map(string => [string, cache.get(string)]));
    }
    if (!cardCount) {
      options.now = fixedNow ?? Date.now();
      found = findNewest();
    }
    while (cardCount < cardLimit() && !isOver()) showCard(cardCount++);
  }
  if (!newestFirst || cardCount < cardLimit()) {
    sliceTimer = setTimeout(work);
    return;
  }
  const { children } = find('verdicts');
  while (children.length > cardCount) children[cardCount].remove();
  const result = found == null ? 'no referral found.' : `sent by ${shownText(judge(found).referrer)}.`;
  const hint = strings.length > MAXIMUM_CARDS ? ` Only the first ${MAXIMUM_CARDS} are shown.` : '';
  setText(find('verdict-status'), strings.length ? `${count}: ${result}${hint}` : obstacle ?? 'No strings yet.');
};

const updateAges = () => {
  if (find('read').hidden || !newestFirst || cardCount < cardLimit()) return;
  cardCount = 0;
  work();
};

const stop = why => {
  obstacle = why;
  strings = times = [];
};

const updateRead = () => {
  options = {
    appID: readField('read-app', RULES.app),
    hosts: readField('hosts', text => text.split(/[\s,]+/).filter(Boolean).map(host => {
      if (/[/:@?#]/.test(host)) throw Error('Enter host names such as example.com, without https:// and without a path.');
      return host;
    })),
    window: readField('window', text => text == 'none' ? Infinity : readDuration(text)) ?? 300,
    tolerance: readField('tolerance', readDuration) ?? 30,
  };
  fixedNow = readField('now', readTime);
  if (campaign.landing) Object.assign(options, { landing: judgeLanding, now: fixedNow ?? Date.now() });
  signers = readField('signers', text => text.split(/[\s,]+/).filter(Boolean).map(signer => {
    if (!ReferralReader.isSigner(signer)) throw Error('Enter public keys as referral-tool key prints them, 44 characters each, separated by spaces, commas or lines.');
    return signer;
  })) ?? [];
  showMore();
  const text = find('strings').value;
  continued = text.trimEnd().split('\n').slice(0, -1).filter(line => /[-=&?]\s*$/.test(line));
  const key = JSON.stringify([options.appID, options.hosts, signers, campaign.landing && [campaign.landing, campaign['referrer-item'], campaign.items, fixedNow, continued]]);
  if (key != cacheKey) {
    cache = new Map();
    // Nothing is shown as found until its signature is judged.
    if (signers.length) find('verdicts').replaceChildren();
  }
  cacheKey = key;
  obstacle = null;
  // A blank line is a string, as it is for `referral-tool decode`.
  strings = text ? text.replace(/\n$/, '').split('\n') : [];
  times = [];
  const wrong = ['read-app', 'hosts', 'window', 'tolerance', 'now', 'signers'].find(isInvalid);
  if (wrong) stop(correctFirst(wrong));
  newestFirst = null;
  cardCount = 0;
  // A key in a long list doesn't wait for a slice of work.
  clearTimeout(sliceTimer);
  if (strings.length > MAXIMUM_CARDS) sliceTimer = setTimeout(work);
  else work();
};

for (const name of ['strings', 'read-app', 'hosts', 'window', 'tolerance', 'now', 'signers']) find(name).addEventListener('input', updateRead);
find('paste-button').addEventListener('click', async () => {
  setText(find('clipboard-error'), '');
  try {
    find('strings').value = await navigator.clipboard.readText();
    updateRead();
  } catch {
    setText(find('clipboard-error'), 'The browser doesn’t let this page read the clipboard. Paste into the field instead.');
    find('strings').focus();
  }
});
setInterval(updateAges, 1000);
