// Many: a table in, its rows with their links out, by the rules of `referral-tool links`.

const SHOWN = 300;
let file = null;
let waiting;

const toBytes = buffer => {
  const bytes = new Uint8Array(buffer);
  const pieces = [];
  for (let start = 0; start < bytes.length; start += 8192) {
    pieces.push(String.fromCharCode.apply(null, bytes.subarray(start, start + 8192)));
  }
  return pieces.join('');
};

// What Make says and a row may say otherwise.
const planNow = () => {
  const plan = { landing: campaign.landing, ref: campaign.ref };
  for (const name in NAMES) plan[NAMES[name]] = campaign[name];
  return { ...plan, at: value('at', text => {
    const time = readTime(text);
    if (!(time >= 1e11 && time < 1e16)) throw Error('Its Unix milliseconds must lie between 10^11 and 10^16.');
    return time;
  }) ?? Date.now() };
};

const tableNow = () => {
  const text = find('table').value;
  const bytes = file ? file.bytes : LinkRows.bytes(text);
  const [line] = bytes.split('\n', 1);
  const isTabs = file && /\.(tsv|tab)$/i.test(file.name) || !(file && /\.csv$/i.test(file.name)) && line.includes('\t') && !line.includes(',');
  return { bytes, format: isTabs ? 'tsv' : 'csv' };
};

const rowOf = ({ line, referrer, link, reason }) => create('tr', {},
  create('td', {}, `${line}`), create('td', {}, referrer), create('td', reason == null ? {} : { className: 'bad' }, reason ?? link));

// What is wrong here or under Make is not to be passed over in silence.
const mending = () => {
  if (find('at').hasAttribute('aria-invalid')) return 'The moment of the tap has to be mended first.';
  const wrong = [...Object.keys(NAMES), 'landing', 'ref'].find(name => find(name).value.trim() && campaign[name] == null);
  return wrong && `Under “Make” this field has to be mended first: ${find(wrong).labels[0].textContent}.`;
};

const updateMany = () => {
  const plan = planNow();
  const { bytes, format } = tableNow();
  const isEmpty = !bytes;
  const wrong = mending();
  const { problem, rows, bad } = isEmpty || wrong ? { rows: [], bad: 0 } : LinkRows.links(bytes, { ...plan, format });
  const summary = ['storefront', 'slug', 'pt', 'ct', 'ppid'].filter(name => campaign[name] != null).map(name => `${name} ${campaign[name]}`);
  setText(find('plan'), plan.landing
    ? `From “Make”: links to ${plan.landing}. The App Store page is that page’s own.`
    : `From “Make”: ${plan.appID == null ? 'no app id' : [`app ${plan.appID}`, ...summary].join(', ')}.`);
  complain('table', problem ? `${format.toUpperCase()}: ${problem}` : '');
  setText(find('table-note'), file ? `Read from ${file.name}. Type here to take a table of your own instead.` : 'From a spreadsheet, with its first line.');

  const first = rows.slice(0, SHOWN);
  const further = rows.slice(SHOWN).filter(({ reason }) => reason != null).slice(0, SHOWN);
  find('rows').replaceChildren(...[...first, ...further].map(rowOf));
  const hidden = rows.length - first.length - further.length;
  let status = `${LinkRows.plural(rows.length, 'row')}: ${LinkRows.plural(rows.length - bad, 'link')}`;
  if (bad) status += `, ${bad.toLocaleString('en')} not taken`;
  if (hidden) status += `. Shown are the first ${SHOWN}${further.length ? ' and those not taken' : ''}; the file has all`;
  if (isEmpty) status = 'No table yet.';
  else if (wrong) status = wrong;
  else if (problem) status = 'This table cannot be read; the reason stands beside it.';
  setText(find('rows-status'), status.replace(/\.?$/, '.'));
  setText(find('rows-warning'), rows.length > bad && !plan.landing && !find('at').value.trim()
    ? 'These links are stamped with the moment of the download and count for five minutes from then on; links to a landing page do not grow old.' : '');
  find('rows-files').hidden = find('rows-scroll').hidden = !rows.length;
  find('save-rejects').hidden = !bad;
};

const isSeen = () => !find('many').hidden;

const later = () => {
  clearTimeout(waiting);
  // A large table waits for a pause between the keys.
  if (find('table').value.length > 20000) waiting = setTimeout(updateMany, 300);
  else updateMany();
};

const readFile = async chosen => {
  if (!chosen) return;
  try {
    file = { name: chosen.name, bytes: toBytes(await chosen.arrayBuffer()) };
    find('table').value = '';
    updateMany();
  } catch {
    complain('table', 'The file could not be read.');
  }
};

find('table').addEventListener('input', () => {
  file = null;
  later();
});
find('at').addEventListener('input', later);
find('file').addEventListener('change', ({ target }) => {
  readFile(target.files[0]);
});
for (const name of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  find('many').addEventListener(name, event => {
    event.preventDefault();
    find('drop').classList.toggle('over', name.startsWith('drage') || name == 'dragover');
    if (name == 'drop') readFile(event.dataTransfer.files[0]);
  });
}

const save = part => {
  const { bytes, format } = tableNow();
  const result = LinkRows.links(bytes, { ...planNow(), format })[part];
  const name = (file?.name ?? `referrals.${format}`).replace(/(\.\w+)?$/, `-${part == 'output' ? 'links' : 'rejects'}$1`);
  download(name, Uint8Array.from(result, byte => byte.charCodeAt()), `text/${format == 'csv' ? 'csv' : 'tab-separated-values'}`);
};
find('save').addEventListener('click', () => save('output'));
find('save-rejects').addEventListener('click', () => save('rejects'));
