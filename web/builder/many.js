// Table: reads a table, and shows its rows with their links, by the rules of `referral-tool links`.

const MAXIMUM_ROWS = 300;
const MAXIMUM_CODES = 2000;
let file = null;
let tableTimer;

// A file's bytes in UTF-8. Excel often writes Windows-1252, in which every byte is a character, so the user checks the text.
const toUTF8 = bytes => {
  try {
    if (!/^(\xff\xfe|\xfe\xff|PK\x03\x04|\xd0\xcf\x11\xe0)/.test(bytes)) StorePage.decodeUTF8(bytes, { fatal: true });
    return { bytes };
  } catch {
    const text = new TextDecoder('windows-1252').decode(Uint8Array.from(bytes, byte => byte.charCodeAt()));
    // Bytes that it doesn't have become controls. With the mark, Excel opens the result as UTF-8.
    return /[\x80-\x9f\0]/.test(text) ? { bytes } : { bytes: StorePage.utf8(`\ufeff${text}`), isConverted: true };
  }
};

const toBytes = buffer => {
  const bytes = new Uint8Array(buffer);
  const pieces = [];
  for (let start = 0; start < bytes.length; start += 8192) {
    pieces.push(String.fromCharCode.apply(null, bytes.subarray(start, start + 8192)));
  }
  return pieces.join('');
};

// The table and the campaign under “Make”, whose parts a row can replace.
const readTable = () => {
  const bytes = file ? file.bytes : StorePage.utf8(find('table').value);
  const [line] = bytes.split('\n', 1);
  const isTabs = file && /\.(tsv|tab)$/i.test(file.name) || !(file && /\.csv$/i.test(file.name)) && line.includes('\t') && !line.includes(',');
  const at = readField('at', text => {
    const time = readTime(text);
    try {
      LinkRows.payload('-', {}, time);
    } catch {
      throw Error('Enter a time of at least 10^11 and less than 10^16 Unix milliseconds.');
    }
    return time;
  }) ?? Date.now();
  const referrerColumn = readField('referrer-column');
  return { bytes, options: { ...campaign, appID: campaign.app, at, referrerColumn, format: isTabs ? 'tsv' : 'csv' } };
};

const createRow = ({ line, referrer, link, reason }) => create('tr', {},
  create('td', {}, `${line}`), create('td', {}, shownText(referrer)), create('td', reason == null ? {} : { className: 'bad' }, ...unbroken(reason == null ? shownText(link, 65536) : sentence(reason))));

const fieldProblem = () => {
  if (isInvalid('at')) return 'Correct the time of the tap first.';
  // A token that is missing here can be a column of the table.
  const invalid = [...PAGE_FIELDS, 'landing', 'referrer-item', 'items'].find(name => isInvalid(name) && find(name).value.trim());
  return invalid && `Under “Make”, correct this field first: ${find(invalid).labels[0].textContent}.`;
};

// The rows with their links, which the command may already have made.
const readRows = (bytes, options, invalid = fieldProblem()) => {
  const own = bytes ? LinkRows.ready(bytes, options.format, options.referrerColumn) : null;
  if (own) return { rows: own, bad: own.filter(({ reason }) => reason != null).length, isReady: true };
  return bytes && !invalid ? LinkRows.links(bytes, options) : { rows: [], bad: 0 };
};

const updateTable = () => {
  clearSheet();
  const { bytes, options } = readTable();
  showMore();
  const invalid = fieldProblem();
  const { problem, rows, bad, ignored = [], trimmed = 0, isReady } = readRows(bytes, options, invalid);
  const parts = PAGE_FIELDS.filter(name => campaign[name] != null).map(name => `${name} ${shownText(campaign[name])}`).join(', ');
  setText(find('plan'), options.landing
    ? `From “Make”: links to ${sentence(options.landing)}. That page has the link to the App Store.`
    : `From “Make”: ${options.appID == null ? 'no app id' : parts}.`);
  setError('table', problem ? `${options.format.toUpperCase()}: ${problem}` : '');
  setText(find('table-note'), file ? `Read from ${shownText(file.name)}${file.isConverted ? ', which isn’t UTF-8, as Windows-1252. Check its letters. The downloads are UTF-8' : ''}. To replace it, type or paste a table here.` : 'Copied from a spreadsheet, with the header row.');

  const first = rows.slice(0, MAXIMUM_ROWS);
  const further = rows.slice(MAXIMUM_ROWS).filter(({ reason }) => reason != null).slice(0, MAXIMUM_ROWS);
  find('rows').replaceChildren(...[...first, ...further].map(createRow));
  let status = `${LinkRows.plural(rows.length, 'row')}: ${LinkRows.plural(rows.length - bad, 'link')}`;
  status += bad ? `, ${bad.toLocaleString('en')} rejected.` : '.';
  if (rows.length > first.length + further.length) {
    status += ` Only the first ${MAXIMUM_ROWS} ${further.length ? 'and the rejected rows ' : ''}are shown. The download has all of them.`;
  }
  if (isReady) status += ' The table has them already, so there is nothing to download. Below, make a sheet of their codes.';
  if (!bytes) status = 'No table yet.';
  else if (invalid && !isReady) status = invalid;
  else if (problem) status = 'The table can’t be read. The reason is below it.';
  setText(find('rows-status'), status);
  setText(find('rows-warning'), rows.length > bad && !isReady && !options.landing && !find('at').value.trim()
    ? 'These links get the time of the download and expire five minutes later. Links to a landing page don’t expire.' : '');
  const isUnsigned = options.landing && rows.some(({ reason }) => reason?.startsWith('param.'));
  setText(find('rows-unsigned'), isUnsigned
    ? 'Only a signed address of a landing page can contain any parameters; an unsigned one, those of “Parameters that a link may add” under “Make”. No private key belongs in a web page, so a command signs: under “Make”, open “Sign this campaign”, and use referral-tool links with this table.' : '');
  setText(find('rows-ignored'), ignored.length
    ? `${ignored.length == 1 ? 'This column has' : 'These columns have'} no effect on the links: ${ignored.map(name => `“${name}”`).join(', ')}.` : '');
  setText(find('rows-notes'), trimmed ? `White space around a referrer isn’t a part of it: ${LinkRows.plural(trimmed, 'row')}.` : '');
  find('rows-scroll').hidden = !rows.length;
  find('rows-files').hidden = !rows.length || isReady;
  find('save-rejects').hidden = !bad;
};

const scheduleTable = () => {
  clearTimeout(tableTimer);
  // A large table waits for a pause between keys.
  if (find('table').value.length > 20000) tableTimer = setTimeout(updateTable, 300);
  else updateTable();
};

const readFile = async chosen => {
  if (!chosen) return;
  try {
    file = { name: chosen.name, ...toUTF8(toBytes(await chosen.arrayBuffer())) };
    find('table').value = '';
    updateTable();
  } catch {
    setError('table', 'The file can’t be read.');
  }
};

find('table').addEventListener('input', () => {
  file = null;
  scheduleTable();
});
for (const name of ['at', 'referrer-column']) find(name).addEventListener('input', scheduleTable);
find('file').addEventListener('change', ({ target }) => {
  readFile(target.files[0]);
});
for (const name of ['dragenter', 'dragover', 'dragleave', 'drop']) {
  find('many').addEventListener(name, event => {
    event.preventDefault();
    find('drop').classList.toggle('over', name == 'dragenter' || name == 'dragover');
    if (name == 'drop') readFile(event.dataTransfer.files[0]);
  });
}

// A printable sheet with one code per row, above its name or its referrer.
const makeSheet = () => {
  const { bytes, options } = readTable();
  const { rows, isReady } = readRows(bytes, options);
  const good = rows.filter(({ link }) => link != null);
  const problems = [];
  let pictures = [];
  if (!options.landing && !isReady) problems.push('A printed code needs an address that doesn’t expire. Under “Make”, enter the address of a landing page.');
  else if (!good.length) problems.push(bytes ? 'No row has a link. The reasons are in the table above.' : 'Enter a table first.');
  else {
    pictures = good.slice(0, MAXIMUM_CODES).flatMap(({ line, referrer, name, link }) => {
      try {
        // Two people may have the same name.
        const code = create('bdi', {}, shownText(referrer));
        const figure = create('figure', {}, create('figcaption', { dir: 'auto' }, ...name == referrer ? [code] : [create('bdi', {}, shownText(name.replace(/\s+/g, ' '))), ' (', code, ')']));
        CodeSheet.fill(figure, link, figure.textContent, referrer);
        return [figure];
      } catch {
        problems.push(`The address in line ${line} is too long for a QR code.`);
        return [];
      }
    });
    if (good.length > MAXIMUM_CODES) problems.push(`Only the first ${MAXIMUM_CODES.toLocaleString('en')} codes are shown. Divide the table for more.`);
    if (rows.length > good.length) problems.push(`No code for ${LinkRows.plural(rows.length - good.length, 'rejected row')}.`);
  }
  setText(find('sheet-status'), [...pictures.length ? [`${LinkRows.plural(pictures.length, 'code')}.`] : [], ...problems].join(' '));
  find('sheet').replaceChildren(...pictures);
  find('sheet').style.setProperty('--side', `${find('side').value}mm`);
  find('print').hidden = !pictures.length;
};

const clearSheet = () => {
  find('sheet').replaceChildren();
  find('print').hidden = true;
  setText(find('sheet-status'), '');
};

find('make-sheet').addEventListener('click', makeSheet);
find('side').addEventListener('change', () => find('sheet').style.setProperty('--side', `${find('side').value}mm`));
find('print').addEventListener('click', () => print());

const save = (part, suffix) => {
  const { bytes, options } = readTable();
  const name = (file?.name ?? `referrals.${options.format}`).replace(/(\.\w+)?$/, `-${suffix}$1`);
  const content = Uint8Array.from(LinkRows.links(bytes, options)[part], byte => byte.charCodeAt());
  CodeSheet.download(name, content, options.format == 'csv' ? 'text/csv' : 'text/tab-separated-values');
};
find('save').addEventListener('click', () => save('output', 'links'));
find('save-rejects').addEventListener('click', () => save('rejects', 'rejects'));
