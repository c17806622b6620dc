/*
 * LinkRows makes a link for each row of a table, with the same bytes and the same reasons as `referral-tool links`.
 *
 *   LinkRows.links(bytes, { format: 'csv', appID: '1300230302', at: Date.now() })
 *     → { problem, rows: [{ line, referrer, name, link, reason }], output, rejects, bad, ignored, trimmed }
 *
 * `ignored` names the columns without an effect on the links, and `trimmed` counts the referrers with white space around
 * them, which isn't a part of them.
 *
 * Bytes are a string with one character per byte, so that invalid UTF-8 passes through unchanged. Needs shown-text.js,
 * store-page.js, referral-bridge.js, landing-address.js and builder/web-address.js.
 */
{
  const { utf8, percentEncode, encodeItem, percentDecode } = StorePage;
  const MAXIMUM_ROW_LENGTH = 1 << 20;
  const MAXIMUM_ADDRESS_LENGTH = 2048;
  const PARTS = ['page', 'storefront', 'slug', 'pt', 'ct', 'ppid'];
  const NOT_UTF8 = 'not UTF-8; save the table as CSV UTF-8';
  const OPEN_QUOTE = 'an opening quote has no closing quote, so this is the last row that was read';

  const decodeUTF8 = (bytes, fatal = true) => /[^\0-\x7f]/.test(bytes) ? StorePage.decodeUTF8(bytes, { fatal }) : bytes;
  const plural = (count, noun) => `${count.toLocaleString('en')} ${noun}${count == 1 ? '' : 's'}`;
  const quoted = text => `'${shownText(text)}'`;

  const fail = (reason, column) => {
    throw Object.assign(Error(reason), { isRowError: true, column });
  };

  const attempt = (step, reason, column) => {
    try {
      return step();
    } catch {
      return fail(reason, column);
    }
  };

  const isInvalidName = parameter => ['', 'timestamp', 'referrer'].includes(parameter);

  // The parameter that a column or an item of the builder's fragment is for, or undefined.
  const parameterName = column => column.startsWith('param.') ? column.slice(6) : undefined;

  const payload = (referrer, parameters, timestamp) =>
    ReferralBridge.payload(Object.assign(Object.create(null), parameters, { timestamp, referrer }));

  // Commas separate the cells of CSV. If its first line has none outside of quotes, tabs do. If it has no tabs, semicolons do.
  const separatorOf = table => {
    const [header] = table.slice(0, MAXIMUM_ROW_LENGTH).replace(/(^|[,;\t])"[^"]*(?:""[^"]*)*(?:"|$)/g, '$1').split('\n', 1);
    return [',', '\t', ';'].find(separator => header.includes(separator)) ?? ',';
  };

  const scan = function* (table, separator) {
    let line = 1;
    let isLast = false;
    for (let position = 0; position < table.length && !isLast;) {
      const row = rowAt(table, position, separator);
      yield { ...row, start: position, line };
      // Nobody knows where the next row begins. After a line that is too long, the next line does.
      isLast = row.problem == OPEN_QUOTE && row.end - position <= MAXIMUM_ROW_LENGTH;
      line += table.slice(position, row.next).split('\n').length - 1;
      position = row.next;
    }
  };

  // A row ends at LF or CRLF outside of quotes. A row with wrong quotes is its first line.
  const rowAt = (table, start, separator) => {
    const cells = [];
    for (let end = start; ; end += 1) {
      const from = end;
      const isQuoted = table[from] == '"';
      if (isQuoted) {
        end = endOfQuotes(table, from, start + MAXIMUM_ROW_LENGTH);
        if (end < 0) return lineAt(table, start, OPEN_QUOTE);
      } else {
        while (end < table.length && table[end] != separator && table[end] != '\n') end += 1;
      }
      const isLast = table[end] != separator;
      // A carriage return before the line feed is part of the line end.
      if (isLast && !isQuoted && end < table.length && end > from && table[end - 1] == '\r') end -= 1;
      cells.push({ from, to: end, isQuoted });
      if (!isLast) continue;
      const lineEnd = /\r?(?:\n|$)/y;
      lineEnd.lastIndex = end;
      if (lineEnd.test(table)) return { cells, end, next: lineEnd.lastIndex };
      // On a later line the opening quote is more likely the wrong one.
      return lineAt(table, start, table.slice(start, end).includes('\n') ? OPEN_QUOTE : 'there is text after a closing quote');
    }
  };

  const lineAt = (table, start, problem) => {
    const line = table.slice(start, table.indexOf('\n', start) + 1 || table.length);
    return { cells: [], problem, end: start + line.replace(/\r?\n$/, '').length, next: start + line.length };
  };

  // The position after the closing quote, or -1 if there is none before the limit.
  const endOfQuotes = (table, opening, limit) => {
    for (let position = opening + 1;;) {
      const quote = table.indexOf('"', position);
      if (quote < 0 || quote >= limit) return -1;
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

  // What a column is for: 'referrer', 'parameter' or 'part' of the page. A landing page has its own link to the store, so columns
  // can't change its parts.
  const roleOf = (key, { referrerColumn, landing }) => {
    if (key == columnKey(referrerColumn)) return 'referrer';
    if (parameterName(key) != null) return 'parameter';
    return !landing && PARTS.includes(key) ? 'part' : null;
  };

  const missing = (name, names) => {
    const all = names.slice(0, 8).map(quoted).join(', ');
    const more = names.length > 8 ? ` and ${names.length - 8} more` : '';
    return `there is no column ${quoted(name)}, only ${all}${more}`;
  };

  const isStore = address => /^https?:\/\/(apps|itunes)\.apple\.com(?=[:/?#]|$)/i.test(address);

  // The names of the items that a landing page passes on without a signature.
  const handedOn = (text, item = 'via') => {
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

  // Whether the referrer stands in the path, in place of the * at its end.
  const isPattern = address => StorePage.splitQuery(address).base.endsWith('*');

  const landingPage = (address, item = 'via', passed = []) => {
    if (!/^https?:\/\/[^/?#]/i.test(address) || address.includes(' ') || StorePage.hasDisplayControl(address)) {
      fail("The address isn't complete: write it as https://example.com/get.");
    }
    const spelled = WebAddress.spelled(StorePage.toWellFormed(address));
    if (!spelled) fail("The host isn't valid. Beyond ASCII, write it in Punycode, as in xn--bcher-kva.example.");
    const { base, items, fragment } = StorePage.splitQuery(/^[\0-\x7f]*$/.test(address) ? address : spelled);
    if (isStore(base)) fail('a landing page is your own page, not one of the App Store');
    if (!item) fail('a query item has a name');
    // Compares decoded names, so that the page can't find another referrer first.
    const own = [item, ...passed].map(utf8);
    const others = items.filter(({ name }) => !own.includes(percentDecode(name.replace(/\+/g, ' ')))).map(({ item }) => item);
    return (referrer, parameters = {}) => {
      const given = Object.keys(parameters).filter(name => passed.includes(name) && parameters[name]).sort().map(name => [name, parameters[name]]);
      if (!isPattern(base)) given.unshift([item, referrer]);
      else if (/^\.{1,2}$/.test(referrer)) fail("a path can't contain . or .. as a referrer", 'referrer');
      const query = [...others, ...given.map(([name, value]) => `${percentEncode(name)}=${encodeItem(value)}`)].join('&');
      return `${isPattern(base) ? base.slice(0, -1) + encodeItem(referrer) : base}${query && `?${query}`}${fragment}`;
    };
  };

  // For the tokens, the command's reasons are shorter than StorePage's.
  const failForPart = ({ part, message, verdict }, parts) => {
    const size = part => utf8(parts[part] ?? '').length;
    if (verdict == 'tooLong') fail(message, PARTS.reduce((longest, part) => size(part) > size(longest) ? part : longest));
    const isToken = part == 'pt' || part == 'ct';
    if (isToken && parts[part] == null) fail(`missing; without it, the App Store doesn't count the ${part == 'pt' ? 'ct' : 'pt'}`, part);
    fail(part == 'ct' ? `${size('ct')} bytes, at most 40` : message.replace(/“([^]*)”/, (_, text) => `“${shownText(text)}”`), part);
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

  // Rows can be longer than these addresses, with which all links begin.
  const checkAddresses = ({ landing, appID, pt, ct, ...parts }) => {
    const tokens = (pt ?? ct) == null ? {} : { pt: pt ?? '1', ct: ct ?? '1' };
    const page = appID == null ? '' : storePage({ appID, ...parts, ...tokens });
    for (const [name, address] of [['landing page', landing ?? ''], ['page in the App Store', page]]) {
      if (utf8(address).length > MAXIMUM_ADDRESS_LENGTH) fail(`the address of the ${name} is longer than 2,048 bytes`);
    }
  };

  const linkMaker = ({ landing, 'referrer-item': item, items, at, ...options }) => {
    const address = landing && landingPage(landing, item, handedOn(items, item));
    return ({ referrer, parameters, parts }) => {
      if (!referrer) fail('missing', 'referrer');
      const ed = attempt(() => payload(referrer, parameters, at), 'with its parameters, the payload is longer than 8,192 bytes', 'referrer');
      if (address) return address(referrer, parameters);
      if (parts.page == null && options.appID == null) fail('missing, and no --page or --app-id is given', 'page');
      // A row's page replaces the slug and the storefront of the options.
      const { slug, storefront, ...others } = options;
      const page = storePage(parts.page == null ? { ...options, ...parts } : { ...others, ...parts });
      return attempt(() => ReferralBridge.link(page, ed), 'the link is longer than 65,536 bytes');
    };
  };

  // The columns, from the first line of a table.
  const columnsOf = (table, row, options) => {
    if (!table) fail("it is empty; it must begin with the columns' names");
    if (row.end - row.start > MAXIMUM_ROW_LENGTH) fail('the first line, which must name the columns, is longer than 1 MiB');
    if (table.slice(row.start, row.end).includes('\0')) fail('there is a NUL byte; the file is not text, or it is UTF-16; save it as UTF-8');
    if (row.problem) fail(row.problem);
    const columns = row.cells.map(cell => {
      const bytes = cellAt(table, cell);
      if (!cell.isQuoted && bytes.includes('\r')) fail('the lines seem to end with CR alone; save the table as CSV UTF-8');
      const name = attempt(() => decodeUTF8(bytes), `it is ${NOT_UTF8}`);
      const key = columnKey(name);
      return { name, key, role: roleOf(key, options) };
    });
    const index = key => columns.findIndex(column => column.key == key);
    columns.forEach(({ key, role }, second) => {
      const first = index(key);
      if ((role || key == 'link') && first < second) fail(`two columns are called ${quoted(key)}, number ${first + 1} and number ${second + 1}`);
    });
    if (columns.every(({ role }) => role != 'referrer')) fail(missing(options.referrerColumn, columns.map(({ name }) => name)));
    if (index('link') >= 0) fail(`there is a column ${quoted(columns[index('link')].name)} already; rename it, since the links need that name`);
    for (const { name, key, role } of columns) {
      if (role == 'parameter' && isInvalidName(parameterName(key))) fail(`the column ${quoted(name)} isn't the name of a possible parameter`);
    }
    if (!options.landing && options.appID == null && index('page') < 0) fail("which page? Give an app id under “Make”, or a column 'page'");
    return columns;
  };

  const valuesOf = (table, cells, columns, passed) => {
    const values = { referrer: '', parameters: Object.create(null), parts: {} };
    columns.forEach(({ name, key, role }, index) => {
      const bytes = role && cellAt(table, cells[index]);
      if (!bytes) return;
      const value = attempt(() => decodeUTF8(bytes), NOT_UTF8, name);
      const parameter = parameterName(key);
      if (role == 'referrer') values.referrer = value.trim();
      else if (role == 'part') values.parts[key] = value;
      else if (!passed || passed.includes(parameter)) values.parameters[parameter] = value;
      else {
        fail('a link to a landing page can contain it only if --item names it or if the link is signed; '
          + `give --item ${shownText(parameter)} or --sign, or omit --landing`, key);
      }
    });
    return values;
  };

  // The value of a row in a column, for display.
  const textIn = (table, cells, keys) => name => {
    const cell = cells[keys.indexOf(name)];
    return cell ? decodeUTF8(cellAt(table, cell), false) : '';
  };

  // A table without its byte order mark, its separator, and its rows.
  const open = (bytes, format) => {
    const [byteOrderMark] = /^(\xef\xbb\xbf)?/.exec(bytes);
    const table = bytes.slice(byteOrderMark.length);
    const separator = format == 'tsv' ? '\t' : separatorOf(table);
    return { byteOrderMark, table, separator, scanner: scan(table, separator) };
  };

  const convert = (bytes, options) => {
    checkAddresses(options);
    if (/^(\xff\xfe|\xfe\xff)/.test(bytes)) fail('it is UTF-16; save it as UTF-8');
    // A ZIP archive, which most spreadsheet files are, and the older files of Excel.
    if (/^(PK\x03\x04|\xd0\xcf\x11\xe0)/.test(bytes)) fail('it is a spreadsheet file; save it as CSV');
    const { byteOrderMark, table, separator, scanner } = open(bytes, options.format);
    const { value: first } = scanner.next();
    const columns = columnsOf(table, first, options);
    const keys = columns.map(({ key }) => key);
    const header = table.slice(first.start, first.end);
    const lineEnd = table.slice(first.end, first.next) || '\n';

    const makeLink = linkMaker(options);
    const passed = options.landing && handedOn(options.items, options['referrer-item']);
    const output = [byteOrderMark, header, separator, 'link', lineEnd];
    const rejects = [byteOrderMark, 'reason', separator, 'line', separator, header, lineEnd];
    const rows = [];
    let trimmed = 0;
    for (const { cells, problem, start, end, next, line } of scanner) {
      if (start == end) continue;
      const whole = table.slice(start, end);
      const ending = table.slice(end, next);
      // A row without any value stays as it is, without a link.
      if (cells.length == columns.length && !cells.some(cell => cellAt(table, cell))) {
        output.push(whole, separator, ending || lineEnd);
        continue;
      }
      const text = textIn(table, cells, keys);
      const given = text(columnKey(options.referrerColumn));
      const referrer = given.trim();
      const row = { line, referrer, name: text('name') || referrer, link: null, reason: null };
      rows.push(row);
      try {
        if (whole.length > MAXIMUM_ROW_LENGTH) fail('the row is longer than 1 MiB, and what is kept of it may be cut');
        if (problem) fail(problem);
        if (cells.length != columns.length) fail(`${plural(cells.length, 'cell')}, but ${plural(columns.length, 'column')}`);
        if (whole.includes('\0')) fail('there is a NUL byte in the row');
        row.link = makeLink(valuesOf(table, cells, columns, passed));
        if (referrer != given) trimmed += 1;
        output.push(whole, separator, csvCell(utf8(row.link), separator), ending || lineEnd);
      } catch (error) {
        if (!error.isRowError) throw error;
        const column = error.column == 'referrer' ? options.referrerColumn : error.column;
        row.reason = `${column == null ? '' : `${shownText(column)}: `}${error.message}`;
        rejects.push(csvCell(utf8(row.reason), separator), separator, line, separator, whole, ending || '\n');
      }
    }
    const bad = rows.filter(({ reason }) => reason != null).length;
    const ignored = Array.from(new Set(columns.filter(({ key, role }) => key && !role).map(({ name }) => name)), name => shownText(name));
    return { problem: null, rows, bad, output: output.join(''), rejects: bad ? rejects.join('') : '', ignored, trimmed };
  };

  // The links in a table's column `link`, such as those that the command has signed; null without such a column.
  const ready = (bytes, format, referrerColumn = 'referrer') => {
    const { table, scanner } = open(bytes, format);
    const { value: first } = scanner.next();
    const keys = first?.cells.map(cell => columnKey(decodeUTF8(cellAt(table, cell), false))) ?? [];
    if (!keys.includes('link')) return null;
    return Array.from(scanner).filter(({ start, end }) => start < end).map(({ cells, line, problem = null }) => {
      const text = textIn(table, cells, keys);
      const link = text('link');
      let reason = problem;
      if (isStore(link)) reason = 'link: it leads to the App Store, and expires five minutes after it was made';
      else if (!/^https?:\/\/[^/:@ ]/i.test(link)) reason ??= 'link: an address begins with https:// or http:// and a host';
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
    links(bytes, { format = 'csv', referrerColumn, ...options }) {
      try {
        return convert(bytes, { ...options, format, referrerColumn: referrerColumn ?? 'referrer' });
      } catch (error) {
        if (!error.isRowError) throw error;
        return { problem: error.message, rows: [], bad: 0, output: '', rejects: '', ignored: [], trimmed: 0 };
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
    isPattern,
    landingPage,
    plural,
  };
}
