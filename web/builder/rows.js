/*
 * LinkRows makes a link for each row of a table, with the same bytes and the same reasons as `referral-tool links`.
 *
 *   LinkRows.links(bytes, { format: 'csv', appID: '1300230302', at: Date.now() })
 *     → { problem, rows: [{ line, referrer, link, reason }], output, rejects, bad, ignored, formulas, notes }
 *
 * `ignored` names the columns without an effect on the links, `formulas` counts the cells of the output that a spreadsheet
 * reads as formulas, and `notes` are sentences on rows that may be mistakes.
 *
 * Bytes are a string with one character per byte, so that invalid UTF-8 passes through unchanged. Needs shown-text.js,
 * store-page.js and referral-bridge.js.
 */
{
  const { utf8, percentEncode, percentDecode } = StorePage;
  const MAXIMUM_ROW_LENGTH = 1 << 20;
  const PARTS = ['page', 'storefront', 'slug', 'pt', 'ct', 'ppid'];
  const unsigned = name =>
    `a link to a landing page can contain it only if --item names it or if the link is signed; give --item ${name} or --sign, or omit --landing`;
  const NOT_UTF8 = 'not UTF-8; save the table as CSV UTF-8';
  const MISSING_QUOTE = 'an opening quote has no closing quote';

  const decodeUTF8 = bytes => /[^\0-\x7f]/.test(bytes) ? StorePage.decodeUTF8(bytes, { fatal: true }) : bytes;
  const plural = (count, noun) => `${count.toLocaleString('en')} ${noun}${count == 1 ? '' : 's'}`;
  const prefix = (text, count) => Array.from(text.slice(0, 2 * count)).slice(0, count).join('');
  const quoted = text => `'${shownText(text)}'`;

  // A name between quotation marks, in which no character is invisible.
  const shown = name => `'${shownText(name, 80, /(?! )[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Zs}\p{Default_Ignorable_Code_Point}]/gu)}'`;

  // Text from a table can be as long as a row.
  const shortened = text => utf8(text).length > 200 ? `${prefix(text, 160)}…` : text;

  const fail = (reason, column) => {
    throw Object.assign(Error(column == null ? reason : `${shortened(column)}: ${shortened(reason)}`), { isRowError: true });
  };

  const isInvalidName = parameter => ['', 'timestamp', 'referrer'].includes(parameter);

  // The parameter that a column or an item of the builder's fragment is for, or undefined.
  const parameterName = column => column.startsWith('param.') ? column.slice(6) : undefined;

  const payload = (referrer, parameters, timestamp) =>
    ReferralBridge.payload(Object.assign(Object.create(null), parameters, { timestamp, referrer }));

  // The first line of a table, and without its quoted cells.
  const headerOf = (table, hasQuotes) => {
    const start = table.slice(0, MAXIMUM_ROW_LENGTH);
    const bare = hasQuotes ? start.replace(/(^|[,;\t])"[^"]*(?:""[^"]*)*(?:"|$)/g, '$1') : start;
    // Lines may end with CR alone. Some programs write several before a line feed.
    const [all, header, returns = ''] = /^((?:[^\r\n]+|\r+(?=\n))*)(\r*)/.exec(bare);
    return { header, hasReturns: !!returns && (all.length < bare.length || start.length < MAXIMUM_ROW_LENGTH) };
  };

  // Commas separate the cells of CSV. If its header has none outside of quotes, tabs do. If it has no tabs, semicolons do.
  const separatorOf = header => [',', '\t', ';'].find(separator => header.includes(separator)) ?? ',';

  // A row ends at LF or CRLF outside of quotes. A row with wrong quotes ends with its first line.
  const scan = function* (table, separator, hasQuotes) {
    const ends = new Map();
    let line = 1;
    for (let position = 0; position < table.length;) {
      const row = rowAt(table, position, separator, hasQuotes, ends);
      yield { ...row, start: position, line };
      line += row.lines;
      position = row.next;
    }
  };

  // A quoted cell over many lines can be long, and its row may turn out to be invalid. The scan then reads the same text
  // again, from the next line. `ends` keeps that linear: for each quote that opens such a cell, it contains the position of
  // the row's last closing quote, or Infinity.
  const rowAt = (table, start, separator, hasQuotes, ends) => {
    const limit = start + MAXIMUM_ROW_LENGTH;
    const cells = [];
    const openings = [];
    let last = -1;
    const brokenRow = (end, problem = MISSING_QUOTE) => {
      for (const opening of openings) ends.set(opening, end);
      return lineAt(table, start, problem);
    };
    for (let end = start; ; end += 1) {
      const from = end;
      const isQuoted = hasQuotes && table[from] == '"';
      if (isQuoted) {
        const known = ends.get(from);
        if (known >= limit) return brokenRow(known);
        end = endOfQuotes(table, from);
        if (known == null && table.slice(from, end || table.length).includes('\n')) openings.push(from);
        if (!end) return brokenRow(Infinity);
        last = end - 1;
      } else {
        while (end < table.length && table[end] != separator && table[end] != '\n') end += 1;
      }
      const isShort = last < limit;
      if (end < table.length && table[end] == separator) {
        if (isShort) cells.push({ from, to: end, isQuoted });
        continue;
      }
      const isBroken = isQuoted && table[end] == '\r' && table[end + 1] == '\n';
      if (end < table.length && table[end] != '\n' && !isBroken) {
        // On a later line the opening quote is more likely the wrong one.
        const isOneLine = isShort && !table.slice(start, end).includes('\n');
        return brokenRow(Infinity, isOneLine ? 'there is text after a closing quote' : MISSING_QUOTE);
      }
      if (!isShort) return brokenRow(last);
      const next = Math.min(table.length, end + (isBroken ? 2 : 1));
      // A carriage return before the line feed is part of the line end.
      if (!isQuoted && next > end && end > from && table[end - 1] == '\r') end -= 1;
      cells.push({ from, to: end, isQuoted });
      const isLong = hasQuotes && cells.some(cell => cell.isQuoted);
      const lines = (next > end ? 1 : 0) + (isLong ? table.slice(start, end).split('\n').length - 1 : 0);
      return { cells, end, next, lines };
    }
  };

  const lineAt = (table, start, problem) => {
    const feed = table.indexOf('\n', start);
    const end = feed < 0 ? table.length : feed;
    return {
      cells: [],
      problem,
      end: feed > start && table[end - 1] == '\r' ? end - 1 : end,
      next: feed < 0 ? end : end + 1,
      lines: feed < 0 ? 0 : 1,
    };
  };

  const endOfQuotes = (table, opening) => {
    for (let position = opening + 1;;) {
      const quote = table.indexOf('"', position);
      if (quote < 0) return 0;
      if (table[quote + 1] != '"') return quote + 1;
      position = quote + 2;
    }
  };

  const cellAt = (table, { from, to, isQuoted }) => isQuoted ? table.slice(from + 1, to - 1).replace(/""/g, '"') : table.slice(from, to);

  const csvCell = (cell, separator) => cell.includes(separator) || /["\n\r]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell;

  // A column's name in the form for comparison. Only ASCII letters are lowercased.
  const columnKey = name => {
    const trimmed = name.replace(/^[\t-\r ]+|[\t-\r ]+$/g, '');
    const key = trimmed.replace(/[A-Z]+/g, letters => letters.toLowerCase());
    return key.startsWith('param.') ? `param.${trimmed.slice(6)}` : key;
  };

  const missing = (name, names, format) => {
    const all = names.slice(0, 8).map(shown).join(', ');
    const more = names.length > 8 ? ` and ${names.length - 8} more` : '';
    const near = name == 'referrer' && names.find(name => /^ref+er+er$/.test(columnKey(name).replace(/[^!-~]/g, '')));
    let hint = near ? `; rename ${shown(near)} to 'referrer'` : '';
    for (const [separator, said] of [[';', "';'"], ['\t', 'a tab'], [',', 'a comma']]) {
      if (names.length == 1 && names[0].includes(separator)) {
        hint = `; its cells seem to be separated by ${said}, and ${format} is expected`;
      }
    }
    return `there is no column ${quoted(name)}, only ${all}${more}${hint}`;
  };

  const isStore = address => /^https?:\/\/(apps|itunes)\.apple\.com(?=[:/?#]|$)/i.test(address);

  // The names of the items that a landing page passes on without a signature.
  const handedOn = (text, item = 'ref') => {
    const names = (text ?? '').split(/[\s,]+/).filter(Boolean);
    names.forEach((name, index) => {
      if (!attributeName(name) || ['sig', 'until', 'timestamp', 'referrer'].includes(name)) {
        throw Error(`${name} can’t be an item that the page passes on. A name is a lowercase letter, followed by letters, digits, _ or ., but not on, sig or until.`);
      }
      if (name == item) throw Error(`${name} is the item that names the referrer.`);
      if (names.indexOf(name) < index) throw Error(`${name} is named twice.`);
    });
    return names;
  };

  const landingPage = (address, item = 'ref', passed = []) => {
    const { base, items, fragment } = StorePage.splitQuery(address);
    if (!/^https?:\/\/[^/:@]/i.test(base) || address.includes(' ') || StorePage.hasDisplayControl(address)) {
      fail('an address begins with https:// or http:// and a host');
    }
    if (isStore(base)) fail('a landing page is your own page, not one of the App Store');
    if (!item) fail('a query item has a name');
    // Compares decoded names, so that the page can't find another referrer first.
    const own = [item, ...passed].map(utf8);
    const others = items.filter(({ name }) => !own.includes(percentDecode(name.replace(/\+/g, ' ')))).map(({ item }) => item);
    const head = `${base}?${[...others, `${percentEncode(item)}=`].join('&')}`;
    return (referrer, parameters = {}) => head + percentEncode(referrer)
      + Object.keys(parameters).filter(name => passed.includes(name) && parameters[name]).sort()
        .map(name => `&${percentEncode(name)}=${percentEncode(parameters[name])}`).join('') + fragment;
  };

  // For the tokens, the command's reasons are shorter than StorePage's.
  const failForPart = ({ part, message, verdict }, parts) => {
    const size = part => utf8(parts[part] ?? '').length;
    if (verdict == 'tooLong') fail(message, PARTS.reduce((longest, part) => size(part) > size(longest) ? part : longest));
    const isToken = part == 'pt' || part == 'ct';
    if (isToken && parts[part] == null) fail(`missing; without it, the App Store doesn't count the ${part == 'pt' ? 'ct' : 'pt'}`, part);
    fail(part == 'ct' ? `${size('ct')} bytes, at most 40` : message, part);
  };

  const storePage = parts => {
    for (const part of ['slug', 'storefront']) {
      if (parts.page != null && parts[part] != null) fail('it needs an app ID; a page has its own address', part);
    }
    try {
      return parts.page == null ? StorePage.make(parts) : StorePage.with(parts.page, parts);
    } catch (error) {
      if (!error.part) throw error;
      return failForPart(error, parts);
    }
  };

  const linkMaker = ({ landing, ref, items, at, referrerColumn, ...options }) => {
    const address = landing && landingPage(landing, ref, handedOn(items, ref));
    const pages = new Map();
    // Most rows differ only in a campaign token without escapes. Their page is made once for tokens of the same length.
    const pageFor = parts => {
      let pieces = [];
      if (parts.ct != null && percentEncode(parts.ct) == parts.ct) {
        const placeholder = '~'.repeat(parts.ct.length);
        try {
          pieces = pageOf({ ...parts, ct: placeholder }).split(placeholder);
        } catch {} // pageOf below throws the same error for the row's own token
      }
      return pieces.length == 2 ? pieces.join(parts.ct) : pageOf(parts);
    };
    const pageOf = parts => {
      const key = PARTS.map(part => parts[part] ?? '').join('\0');
      if (!pages.has(key)) {
        const all = { ...options, ...parts };
        // A row's page replaces the slug and the storefront of the options.
        if (parts.page != null) Object.assign(all, { slug: parts.slug, storefront: parts.storefront });
        if (all.page == null && all.appID == null) fail('missing, and no --page or --app-id is given', 'page');
        const page = storePage(all);
        if (pages.size >= 1024) pages.clear();
        pages.set(key, page);
      }
      return pages.get(key);
    };
    return ({ referrer, parameters, parts }) => {
      if (!referrer) fail('missing', referrerColumn);
      let ed;
      try {
        ed = payload(referrer, parameters, at);
      } catch {
        fail('with its parameters, the payload is longer than 8,192 bytes', referrerColumn);
      }
      if (address) return address(referrer, parameters);
      const page = pageFor(parts);
      try {
        return ReferralBridge.link(page, ed);
      } catch {
        return fail('the link is longer than 65,536 bytes');
      }
    };
  };

  const columnsOf = (table, row, format, options) => {
    if (!table) fail("it is empty; it must begin with the columns' names");
    if (!row || row.end - row.start > MAXIMUM_ROW_LENGTH) fail('the first line, which must name the columns, is longer than 1 MiB');
    if (table.slice(row.start, row.end).includes('\0')) fail('there is a NUL byte; the file is not text, or it is UTF-16; save it as UTF-8');
    if (/^("?)sep=.?\1$/i.test(table.slice(row.start, row.end))) {
      fail('only Excel reads a line sep=; remove it, so that the first line names the columns');
    }
    if (row.problem) fail(row.problem);
    let names;
    try {
      names = row.cells.map(cell => decodeUTF8(cellAt(table, cell)));
    } catch {
      fail(`it is ${NOT_UTF8}`);
    }
    const { referrerColumn } = options;
    const places = new Map();
    const keys = names.map(columnKey);
    const referrer = columnKey(referrerColumn);
    keys.forEach((key, index) => {
      const isUsed = key == 'link' || key == referrer || !setsNothing(key, options.landing);
      if (isUsed && places.has(key)) fail(`two columns are called ${shown(key)}, number ${places.get(key) + 1} and number ${index + 1}`);
      places.set(key, index);
    });
    if (!places.has(referrer)) fail(missing(referrerColumn, names, format));
    if (places.has('link')) fail(`there is a column ${shown(names[places.get('link')])} already; rename it, since the links need that name`);
    keys.forEach((key, index) => {
      if (key != referrer && isInvalidName(parameterName(key))) fail(`the column ${shown(names[index])} isn't the name of a possible parameter`);
    });
    if (!options.landing && options.page == null && options.appID == null && !places.has('page')) {
      fail("which page? Give an app id under “Make”, or a column 'page'");
    }
    return { names, keys, referrer };
  };

  // A landing page has its own link to the store, so columns can't change its parts.
  const setsNothing = (key, isForLandingPage) => parameterName(key) == null && (isForLandingPage || !PARTS.includes(key));

  const valuesOf = (table, cells, { names, keys, referrer }, isForLandingPage, passed) => {
    const values = { referrer: '', parameters: Object.create(null), parts: {} };
    cells.forEach((cell, index) => {
      const key = keys[index];
      const parameter = key == referrer ? null : parameterName(key);
      if (key != referrer && setsNothing(key, isForLandingPage)) return;
      const raw = cellAt(table, cell);
      if (!raw) return;
      let value;
      try {
        value = decodeUTF8(raw);
      } catch {
        fail(NOT_UTF8, names[index]);
      }
      if (parameter != null && isForLandingPage && !passed.includes(parameter)) fail(unsigned(parameter), key);
      if (parameter != null) values.parameters[parameter] = value;
      else if (key == referrer) {
        values.referrer = value.trim();
        values.isTrimmed = values.referrer != value;
      }
      else values.parts[key] = value;
    });
    return values;
  };

  // Spreadsheets remove quotation marks where they have no meaning, and many begin a row after a carriage return.
  // A table is bytes, so a sign in full width is three of them.
  const formula = String.raw`(?:[=+\-@\t\r\n\0]|\xef\xbc[\x8b\x8d\x9d\xa0])`;
  const [quotedFormula, bareFormula] = [RegExp(`^${formula}`), RegExp(`(?:^|\\r)"*${formula}`)];
  const isFormula = (table, { from, to, isQuoted }) =>
    isQuoted ? quotedFormula.test(table.slice(from + 1, to - 1)) : bareFormula.test(table.slice(from, to));

  const displayText = bytes => {
    try {
      return decodeUTF8(bytes);
    } catch {
      return bytes;
    }
  };

  // A probable mistake in an address that is accepted, and the solution.
  const pageNote = address => StorePage.splitQuery(address).items.some(({ name }) => name.startsWith('amp;'))
    ? "it contains &amp;, as in HTML, so the store doesn't recognize the items after it; write & in its place" : null;

  // The name of an added column.
  const addedColumn = (names, name) => names.includes(name) ? addedColumn(names, `rejected.${name}`) : name;

  // Finds rows that may be mistakes, among the first ones, as the command does.
  const noteTaker = () => {
    const MAXIMUM_COUNT = 20000;
    const lineOfLink = new Map();
    const alike = new Map();
    const [links, referrers, trimmed, pages] = [[], [], [], []];
    let count = 0;
    let mistake;
    const said = (places, text) => {
      const others = places.length - 3;
      const all = [...places.slice(0, 3), ...others > 0 ? [`${plural(others, 'other')}`] : []];
      return places.length ? [`${text}: ${all.length > 1 ? `${all.slice(0, -1).join(', ')} and ` : ''}${all[all.length - 1]}`] : [];
    };
    return {
      add({ line, link }, { referrer, isTrimmed, parts: { page } }) {
        count += 1;
        if (count > MAXIMUM_COUNT) return;
        if (lineOfLink.has(link)) links.push(`line ${line} (as line ${lineOfLink.get(link)})`);
        else lineOfLink.set(link, line);
        const key = Array.from(referrer, letter => letter.toLowerCase()).join('').replace(/\p{White_Space}/gu, '');
        const others = alike.get(key) ?? new Map();
        if (!others.has(referrer)) {
          if (others.size) referrers.push(`line ${line} (like line ${others.values().next().value})`);
          alike.set(key, others.set(referrer, line));
        }
        if (isTrimmed) trimmed.push(`line ${line}`);
        const note = page && pageNote(page);
        if (note) {
          mistake = note;
          pages.push(`line ${line}`);
        }
      },
      notes: () => [
        ...said(links, 'the same link as in an earlier row'),
        ...said(referrers, 'referrers that differ only by letter case or white space are different referrers'),
        ...said(trimmed, 'white space around a referrer isn\'t a part of it'),
        ...said(pages, `page: ${mistake}`),
      ],
    };
  };

  // The value of a row in a column, for display.
  const textIn = (table, cells, keys) => name => {
    const cell = cells[keys.indexOf(name)];
    return cell ? displayText(cellAt(table, cell)) : '';
  };

  // A table without its byte order mark, its separator, and its rows. CR alone is read as a line feed.
  const open = (bytes, format) => {
    const [byteOrderMark] = /^(\xef\xbb\xbf)?/.exec(bytes);
    const hasQuotes = format != 'tsv';
    const text = bytes.slice(byteOrderMark.length);
    const { header, hasReturns } = headerOf(text, hasQuotes);
    const table = hasReturns ? text.replace(/\r/g, '\n') : text;
    const separator = hasQuotes ? separatorOf(header) : '\t';
    return { byteOrderMark, table, hasQuotes, separator, scanner: scan(table, separator, hasQuotes) };
  };

  const convert = (bytes, { format = 'csv', ...others }) => {
    const options = { ...others, referrerColumn: others.referrerColumn ?? 'referrer' };
    if (/^(\xff\xfe|\xfe\xff)/.test(bytes)) fail('it is UTF-16; save it as UTF-8');
    // A ZIP archive, which most spreadsheet files are, and the older files of Excel.
    if (/^(PK\x03\x04|\xd0\xcf\x11\xe0)/.test(bytes)) fail('it is a spreadsheet file; save it as CSV');
    const { byteOrderMark, table, hasQuotes, separator, scanner } = open(bytes, format);
    const cellText = hasQuotes ? text => csvCell(text, separator) : text => text.replace(/[\t\n\r]/g, ' ');
    const { value: first } = scanner.next();
    const columns = columnsOf(table, first, format, options);
    const { names, keys } = columns;
    const header = table.slice(first.start, first.end);
    const lineEnd = table.slice(first.end, first.next) || '\n';

    const makeLink = linkMaker(options);
    const passed = handedOn(options.items, options.ref);
    const output = [`${byteOrderMark}${header}${separator}link${lineEnd}`];
    const rejects = [byteOrderMark, ...['reason', 'line'].map(name => addedColumn(keys, name) + separator), header, lineEnd];
    const noting = noteTaker();
    const rows = [];
    const formulasIn = cells => cells.filter(cell => isFormula(table, cell)).length;
    let formulas = formulasIn(first.cells);
    for (const { cells, problem, start, end, next, line } of scanner) {
      if (start == end) continue;
      const whole = table.slice(start, end);
      const ending = table.slice(end, next);
      // A row without any value stays as it is, without a link.
      if (cells.length == names.length && !cells.some(cell => cellAt(table, cell)) && whole.length <= MAXIMUM_ROW_LENGTH) {
        output.push(whole, separator, ending || lineEnd);
        continue;
      }
      const text = textIn(table, cells, keys);
      const referrer = text(columns.referrer).trim();
      const row = { line, referrer, name: text('name') || referrer, link: null, reason: null };
      rows.push(row);
      try {
        if (whole.length > MAXIMUM_ROW_LENGTH) fail('the row is longer than 1 MiB');
        if (problem) fail(problem);
        if (cells.length != names.length) fail(`${plural(cells.length, 'cell')}, but ${plural(names.length, 'column')}`);
        if (whole.includes('\0')) fail('there is a NUL byte in the row');
        const values = valuesOf(table, cells, columns, options.landing, passed);
        row.link = makeLink(values);
        noting.add(row, values);
        output.push(whole, separator, cellText(utf8(row.link)), ending || lineEnd);
        formulas += formulasIn(cells);
      } catch (error) {
        if (!error.isRowError) throw error;
        row.reason = error.message;
        rejects.push(cellText(utf8(row.reason)), separator, line, separator, whole, ending || '\n');
      }
    }
    const bad = rows.filter(({ reason }) => reason != null).length;
    const ignored = Array.from(new Set(names.filter((name, index) =>
      keys[index] && keys[index] != columns.referrer && setsNothing(keys[index], options.landing))), name => shown(name).slice(1, -1));
    return { problem: null, rows, bad, output: output.join(''), rejects: bad ? rejects.join('') : '', ignored, formulas, notes: noting.notes() };
  };

  // The links in a table's column `link`, such as those that the command has signed; null without such a column.
  const ready = (bytes, format, referrerColumn = 'referrer') => {
    const { table, scanner } = open(bytes, format);
    const { value: first } = scanner.next();
    const keys = first?.cells.map(cell => columnKey(displayText(cellAt(table, cell)))) ?? [];
    if (!keys.includes('link')) return null;
    return Array.from(scanner).filter(({ start, end }) => start < end).map(({ cells, line }) => {
      const text = textIn(table, cells, keys);
      const link = text('link');
      let reason = null;
      if (isStore(link)) reason = 'link: it leads to the App Store, and expires five minutes after it was made';
      else if (!/^https?:\/\/[^/:@ ]/i.test(link)) reason = 'link: an address begins with https:// or http:// and a host';
      const referrer = text(columnKey(referrerColumn));
      return { line, referrer, name: text('name') || referrer, link: reason ? null : link, reason };
    });
  };

  const escapeHTML = text => text.replace(/[&<>"'\x01-\x1f]/g, mark =>
    ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[mark] ?? `&#${mark.charCodeAt()};`);

  // The attribute that the snippet reads a parameter from, or null. The attribute for `on` has another meaning.
  const attributeName = name => !/^(?!on$)[a-z][\w.]*$/.test(name)
    ? null : `data-referral-${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

  globalThis.LinkRows = {
    links(bytes, options) {
      try {
        return convert(bytes, options);
      } catch (error) {
        if (!error.isRowError) throw error;
        return { problem: error.message, rows: [], bad: 0, output: '', rejects: '', ignored: [], formulas: 0, notes: [] };
      }
    },

    ready,
    attributeName,
    escapeHTML,

    // A link for a page with the snippet. With an item, the page's own address names the referrer in it.
    element(page, referrer, parameters, { item, title } = {}) {
      const others = Object.keys(parameters).sort().map(name => ` ${attributeName(name)}="${escapeHTML(parameters[name])}"`);
      const from = item ? ` data-referrer-from="${escapeHTML(item)}"` : ` data-referrer="${escapeHTML(referrer)}"`;
      const text = title ? `Get ${escapeHTML(title)}` : 'Get the app';
      return `<a href="${escapeHTML(page)}"${from}${others.join('')}>${text}</a>`;
    },

    isInvalidName,
    parameterName,
    payload,
    handedOn,
    landingPage,
    pageNote,
    plural,
  };
}
