// Read: every string's verdict with its reason, what the payload says, and what would have made it pass.

const MANY = 200;
const VERDICTS = {
  notALink: 'Not a link', wrongApp: 'Another app’s', noPayload: 'No payload', malformedPayload: 'Malformed payload', tooLong: 'Too long',
  fromTheFuture: 'From the future', expired: 'Expired', alreadyReported: 'Reported before', found: 'Found', superseded: 'Superseded',
};

let options = {};
let strings = [];

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

const cardOf = (judgement, string, number) => {
  const { verdict, reason, appID, referrer, timestamp, parameters, payload } = judgement;
  const rows = [];
  if (appID != null) rows.push(['app id', appID]);
  if (referrer != null) {
    rows.push(['referrer', referrer], ['timestamp', `${timestamp} (${moment(timestamp)})`], ['age', '']);
    for (const name of Object.keys(parameters)) rows.push([name, parameters[name]]);
  } else if (payload != null) rows.push(['payload', payload]);
  const shown = string.length > 300 ? `${string.slice(0, 300)}…` : string;
  return create('article', { className: `card verdict ${verdict}` },
    create('h3', {}, `${number}. ${VERDICTS[verdict]}`), create('p', { className: 'reason' }, reason),
    create('p', { className: 'quiet remedy' }, remedy(judgement, options)), create('pre', {}, shown || '(an empty line)'),
    ...rows.length ? [table(rows)] : []);
};

const ageText = age => {
  const seconds = Math.floor(Math.abs(age) / 1000);
  const said = [[86400, 'd'], [3600, 'h'], [60, 'min'], [1, 's']].map(([size, unit], index, all) =>
    [Math.floor((index ? seconds % all[index - 1][0] : seconds) / size), unit]).filter(([count]) => count);
  return `${said.map(([count, unit]) => `${count} ${unit}`).join(' ') || '0 s'}${age < 0 ? ' after now' : ''}`;
};

const judged = () => ReferralReader.scan(strings, { ...options, now: options.now ?? Date.now() });

// The words that change while nobody types; a verdict that changes makes its card anew.
const tick = () => {
  if (!strings.length || find('read').hidden) return;
  const { judgements, found } = judged();
  const cards = find('verdicts').children;
  judgements.slice(0, MANY).forEach((judgement, index) => {
    if (!cards[index].classList.contains(judgement.verdict)) cards[index].replaceWith(cardOf(judgement, strings[index], index + 1));
    const card = cards[index];
    setText(card.querySelector('.reason'), judgement.reason);
    setText(card.querySelector('.remedy'), remedy(judgement, options));
    for (const row of card.querySelectorAll('tr')) {
      if (row.firstChild.textContent == 'age' && judgement.age != null) setText(row.lastChild, ageText(judgement.age));
    }
  });
  const many = judgements.length > MANY ? ` Shown are the first ${MANY}.` : '';
  setText(find('verdict-status'), `${LinkRows.plural(judgements.length, 'string')}: ${found ? `sent by ${found.referrer}.` : 'no referral found.'}${many}`);
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
    now: value('now', readTime),
  };
  // As on the command's standard input: LF or CRLF ends a line, and a blank line is a string.
  const text = find('strings').value;
  strings = text ? text.replace(/\r?\n$/, '').split(/\r?\n/) : [];
  const { judgements } = judged();
  find('verdicts').replaceChildren(...judgements.slice(0, MANY).map((judgement, index) => cardOf(judgement, strings[index], index + 1)));
  if (!strings.length) setText(find('verdict-status'), 'Nothing pasted yet.');
  tick();
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
