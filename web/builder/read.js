// Read: every string's verdict with its reason, what the payload says, and what would have made it pass.

const MANY = 200;
const VERDICTS = {
  notALink: 'Not a link', wrongApp: 'Another app’s', noPayload: 'No payload', malformedPayload: 'Malformed payload', tooLong: 'Too long',
  fromTheFuture: 'From the future', expired: 'Expired', alreadyReported: 'Reported before', found: 'Found', superseded: 'Superseded',
};

// A turn of work ends after so many milliseconds, so that the next key is answered at once, but not before so many steps.
const TURN = 8;
const LEAST = 40;

let options = {};
let fixedNow;
let strings = [];
// The moment of each string's tap, or null: each is read once, as long as it is read as the same app.
let known = new Map();
let knownAs;
let taps = [];
// Which strings hold a tap, the newest first.
let newest = null;
let found = null;
let shownCount = 0;
let working;

const moment = time => Math.abs(time) < 8.64e15 ? new Date(time).toISOString().replace('T', ' ').replace('Z', ' UTC') : `${time} ms`;

const remedy = ({ verdict, reason, appID, timestamp, age }, { window, tolerance }) => {
  const counted = Math.round(window * 1000);
  switch (verdict) {
    case 'notALink':
      if (reason.includes('begin')) return 'It passes as a whole address, from https:// on, with nothing in front.';
      if (reason.includes('user name')) return 'It passes without what stands in front of the @, and the @.';
      if (reason.includes('host')) return 'It passes on apps.apple.com, or where the app names this host among its own (More hosts).';
      return 'It passes with /id and the app’s digits in its path.';
    case 'wrongApp': return `It passes in the app ${appID}; here the app id is another.`;
    case 'noPayload': return 'It passes if it is copied by a tap on a link with data-referrer, on a page with the snippet; an address from the browser’s bar has no ed.';
    case 'malformedPayload': return 'It passes if the whole link arrives as the snippet wrote it; this one was cut off, changed on its way or written by hand.';
    case 'tooLong': return 'It passes with a shorter referrer and fewer parameters: 8,192 bytes for the payload, 65,536 for the link.';
    case 'fromTheFuture': return `It passes from ${moment(timestamp - tolerance * 1000)} on, or with a tolerance of ${Math.ceil(-age / 1000)}s. A clock may be wrong.`;
    case 'expired': return `It passed until ${moment(timestamp + counted)}. With a window over ${Math.floor(age / 1000)}s it passes still; a new tap passes anyhow.`;
    case 'superseded': return 'It passes alone, or as the newest tap.';
    default: return window == Infinity ? 'It passes for good.' : `It passes until ${moment(timestamp + counted)}.`;
  }
};

const table = rows => create('table', {}, create('tbody', {}, ...rows.map(([name, text]) =>
  create('tr', {}, create('th', { scope: 'row' }, name), create('td', {}, text)))));

const cardOf = (judgment, string, number) => {
  const { verdict, reason, appID, referrer, timestamp, parameters, payload } = judgment;
  const rows = [];
  if (appID != null) rows.push(['app id', appID]);
  if (referrer != null) {
    rows.push(['referrer', referrer], ['timestamp', `${timestamp} (${moment(timestamp)})`], ['age', '']);
    for (const name of Object.keys(parameters)) rows.push([name, parameters[name]]);
  } else if (payload != null) rows.push(['payload', payload]);
  const shown = string.length > 300 ? `${string.slice(0, 300)}…` : string;
  return create('article', { className: `card verdict ${verdict}` },
    create('h3', {}, `${number}. ${VERDICTS[verdict]}`), create('p', { className: 'reason' }, reason),
    create('p', { className: 'quiet remedy' }, remedy(judgment, options)), create('pre', {}, shown || '(an empty line)'),
    ...rows.length ? [table(rows)] : []);
};

const ageText = age => {
  const seconds = Math.floor(Math.abs(age) / 1000);
  const said = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']].map(([size, unit], index, all) =>
    [Math.floor((index ? seconds % all[index - 1][0] : seconds) / size), unit]).filter(([count]) => count);
  return `${said.map(([count, unit]) => `${count} ${unit}`).join(' ') || '0 s'}${age < 0 ? ' after now' : ''}`;
};

const readNext = () => {
  const string = strings[taps.length];
  if (!known.has(string)) known.set(string, ReferralReader.judge(string, options).timestamp);
  taps.push(known.get(string));
};

const judge = place => ReferralReader.judge(strings[place], options);

// The newest tap that passes. All taps that lie too far after now come first.
const findNewest = () => {
  let [low, high] = [0, newest.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (judge(newest[middle]).verdict == 'fromTheFuture') low = middle + 1;
    else high = middle;
  }
  return newest.slice(low, low + 1).find(place => judge(place).verdict == 'found') ?? null;
};

// The words that change while nobody types; a verdict or a string that changes makes its card anew.
const showCard = place => {
  const string = strings[place];
  let card = find('verdicts').children[place];
  const isSame = card && card.string === string && card.readAs == knownAs;
  if (isSame && taps[place] == null) return;
  let judgment = judge(place);
  if (judgment.verdict == 'found' && place != found) [, judgment] = ReferralReader.scan([strings[found], string], options).judgments;
  if (!isSame || !card.classList.contains(judgment.verdict)) {
    const made = Object.assign(cardOf(judgment, string, place + 1), { string, readAs: knownAs });
    if (card) card.replaceWith(made);
    else find('verdicts').append(made);
    card = made;
  }
  setText(card.querySelector('.reason'), judgment.reason);
  setText(card.querySelector('.remedy'), remedy(judgment, options));
  for (const row of card.querySelectorAll('tr')) {
    if (row.firstChild.textContent == 'age' && judgment.age != null) setText(row.lastChild, ageText(judgment.age));
  }
};

// Reads each string, finds the newest tap, and makes the cards: as much as fits into a turn.
const work = () => {
  clearTimeout(working);
  const start = performance.now();
  let steps = 0;
  const isOver = () => steps++ >= LEAST && performance.now() - start > TURN;
  const count = LinkRows.plural(strings.length, 'string');
  const last = Math.min(strings.length, MANY);
  while (taps.length < strings.length && !isOver()) readNext();
  if (taps.length < strings.length) {
    // Not at each turn: the page would be laid out as often.
    setText(find('verdict-status'), `${count}: ${Math.floor(taps.length / strings.length * 10)}0% read so far.`);
  } else if (newest || !isOver()) {
    if (!newest) {
      newest = [...taps.keys()].filter(place => taps[place] != null).sort((a, b) => taps[b] - taps[a] || a - b);
      if (known.size > 2 * strings.length) known = new Map(strings.map((string, place) => [string, taps[place]]));
    }
    if (!shownCount) {
      options.now = fixedNow ?? Date.now();
      found = findNewest();
    }
    while (shownCount < last && !isOver()) showCard(shownCount++);
  }
  if (!newest || shownCount < last) {
    working = setTimeout(work);
    return;
  }
  const { children } = find('verdicts');
  while (children.length > last) children[last].remove();
  const many = strings.length > MANY ? ` Shown are the first ${MANY}.` : '';
  const said = found == null ? 'no referral found.' : `sent by ${judge(found).referrer}.`;
  setText(find('verdict-status'), strings.length ? `${count}: ${said}${many}` : 'Nothing pasted yet.');
};

const tick = () => {
  // Not where it is at work still.
  if (find('read').hidden || !newest || shownCount < Math.min(strings.length, MANY)) return;
  shownCount = 0;
  work();
};

const updateRead = () => {
  options = {
    appID: value('read-app', RULES.app),
    hosts: value('hosts', text => text.split(/[\s,]+/).filter(Boolean).map(host => {
      if (/[/:@?#]/.test(host)) throw Error('A host is a name such as example.com, without https:// and without a path.');
      return host;
    })),
    window: value('window', text => text == 'none' ? Infinity : readDuration(text)) ?? 300,
    tolerance: value('tolerance', readDuration) ?? 30,
  };
  fixedNow = value('now', readTime);
  const as = JSON.stringify([options.appID, options.hosts]);
  if (as != knownAs) known.clear();
  knownAs = as;
  // As on the command's standard input a blank line is a string. A field has no line ends but LF.
  const text = find('strings').value;
  strings = text ? text.replace(/\n$/, '').split('\n') : [];
  taps = [];
  newest = null;
  shownCount = 0;
  work();
};

for (const name of ['strings', 'read-app', 'hosts', 'window', 'tolerance', 'now']) find(name).addEventListener('input', updateRead);
find('paste-button').addEventListener('click', async () => {
  setText(find('clipboard-error'), '');
  try {
    find('strings').value = await navigator.clipboard.readText();
    updateRead();
  } catch {
    setText(find('clipboard-error'), 'The browser does not let this page read the clipboard; paste into the field instead.');
    find('strings').focus();
  }
});
setInterval(tick, 1000);
