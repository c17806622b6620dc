/*
 * LinkRows makes a link for each row of a table, as `referral-tool links` does: the same bytes, and the same reasons.
 *
 *   LinkRows.links(bytes, { format: 'csv', appID: '1300230302', at: Date.now() })
 *     → { problem, rows: [{ line, referrer, link, reason }], output, rejects, bad }
 *
 * Bytes are a string with a character each, so that what is not UTF-8 passes through. Works behind store-page.js and
 * referral-bridge.js.
 */
{
  const LONGEST_ROW = 1 << 20;
  const PARTS = ['page', 'storefront', 'slug', 'pt', 'ct', 'ppid'];
  const MISSING_QUOTE = 'a quote opens here that does not close';
  const TOKEN = 'token-of-a-row';
  const OBEYED = /[\0- \x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

  // A lone surrogate becomes U+FFFD, as wherever a page writes UTF-8.
  const bytes = text => unescape(encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd')));
  const text = bytes => /[^\0-\x7f]/.test(bytes) ? StorePage.text(bytes, { fatal: true }) : bytes;
  const encode = text => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd'))
    .replace(/[!'()*]/g, mark => `%${mark.charCodeAt().toString(16).toUpperCase()}`);
  const plural = (count, noun) => `${count.toLocaleString('en')} ${noun}${count == 1 ? '' : 's'}`;
  const start = (text, count) => Array.from(text.slice(0, 2 * count)).slice(0, count).join('');
  const quoted = text => `'${bytes(text).length > 80 ? `${start(text, 80)}…` : text}'`;

  // Text from outside, which may be as long as a row.
  const shortened = text => bytes(text).length > 200 ? `${start(text, 160)}…` : text;

  const fail = (reason, column) => {
    throw Object.assign(Error(column == null ? reason : `${shortened(column)}: ${shortened(reason)}`), { isOurs: true });
  };

  // A row ends at LF or CRLF outside of quotes. One whose quotes are wrong is its first line and no more.
  const scan = function* (table, format) {
    const separator = format == 'tsv' ? '\t' : ',';
    const ends = new Map();
    let line = 1;
    for (let position = 0; position < table.length;) {
      const row = format == 'csv' || format == 'tsv' ? rowAt(table, position, separator, format == 'csv', ends) : null;
      yield { ...row, start: position, line };
      line += row.lines;
      position = row.next;
    }
  };

  // A quote that opens in one line and closes in another may lead a long way, only for the row to be wrong. Then the next line
  // comes the same way, so that `ends` has for each such quote where the last one of its row closes, or Infinity. Each byte is
  // looked at a few times only: of two cells in quotes that go on in another line none begins inside of the other.
  const rowAt = (table, start, separator, hasQuotes, ends) => {
    const limit = start + LONGEST_ROW;
    const cells = [];
    const openings = [];
    let last = -1;
    const wrong = (end, problem = MISSING_QUOTE) => {
      for (const opening of openings) ends.set(opening, end);
      return lineAt(table, start, problem);
    };
    for (let end = start; ; end += 1) {
      const from = end;
      const isQuoted = hasQuotes && table[from] == '"';
      if (isQuoted) {
        const known = ends.get(from);
        if (known >= limit) return wrong(known);
        end = endOfQuotes(table, from);
        if (known == null && table.slice(from, end || table.length).includes('\n')) openings.push(from);
        if (!end) return wrong(Infinity);
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
        // On a later line it is rather the opening quote that is wrong.
        const isOneLine = isShort && !table.slice(start, end).includes('\n');
        return wrong(Infinity, isOneLine ? 'text stands behind a closing quote' : MISSING_QUOTE);
      }
      if (!isShort) return wrong(last);
      const next = Math.min(table.length, end + (isBroken ? 2 : 1));
      // A carriage return in front of the line feed belongs to the line's end.
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

  const csv = cell => /[,"\n\r]/.test(cell) ? `"${cell.replace(/"/g, '""')}"` : cell;

  // Like the command's: how many letters must be put in, left out, replaced or swapped with their neighbour.
  const distance = (a, b) => {
    const rows = [Array.from({ length: b.length + 1 }, (_, index) => index)];
    for (let i = 0; i < a.length; i += 1) {
      const row = [i + 1];
      for (let j = 0; j < b.length; j += 1) {
        let least = Math.min(row[j] + 1, rows[i][j + 1] + 1, rows[i][j] + (a[i] == b[j] ? 0 : 1));
        if (i && j && a[i] == b[j - 1] && a[i - 1] == b[j]) least = Math.min(least, rows[i - 1][j - 1] + 1);
        row.push(least);
      }
      rows.push(row);
    }
    return rows[a.length][b.length];
  };

  const missing = (name, names, format) => {
    const shown = names.slice(0, 8).map(quoted).join(', ');
    const more = names.length > 8 ? ` and ${names.length - 8} more` : '';
    const near = names.map(other => ({ other, steps: distance([...name], [...start(other, 40)]) })).sort((a, b) => a.steps - b.steps)[0];
    let hint = near.steps <= Math.max(1, Math.floor(name.length / 3)) ? `; did you mean '${near.other}'?` : '';
    for (const [separator, said] of [[';', "';'"], ['\t', 'a tab'], [',', 'a comma']]) {
      if (names.length == 1 && names[0].includes(separator)) {
        hint = `; its cells seem to be separated by ${said}, and ${format} is expected`;
      }
    }
    return `there is no column ${quoted(name)}, only ${shown}${more}${hint}`;
  };

  const landingPage = (address, item = 'ref') => {
    const [, scheme, base, query, fragment] = /^(https?:\/\/)([^?#]*)\??([^#]*)([^]*)/i.exec(address) ?? [];
    if (!scheme || !base || /^[/:@]/.test(base) || OBEYED.test(address)) {
      fail('an address begins with https:// or http:// and a host');
    }
    if (!item) fail('a query item has a name');
    const name = encode(item);
    const items = query.split('&').filter(other => other && other != name && !other.startsWith(`${name}=`));
    const head = `${scheme}${base}?${[...items, `${name}=`].join('&')}`;
    return referrer => head + encode(referrer) + fragment;
  };

  // Where a token is over its size, the reason is the command's shorter one.
  const words = ({ part, message, verdict }, parts) => {
    const size = part => bytes(parts[part] ?? '').length;
    if (verdict == 'tooLong') return [PARTS.reduce((longest, part) => size(part) > size(longest) ? part : longest), message];
    if (part == 'ct') return ['ct', `${bytes(parts.ct).length} bytes, at most 40`];
    return [part, message];
  };

  const storePage = parts => {
    for (const part of ['slug', 'storefront']) {
      if (parts.page != null && parts[part] != null) fail('it goes with an app id; a page has an address of its own', part);
    }
    for (const [part, other] of [['pt', 'ct'], ['ct', 'pt']]) {
      if (parts[part] == null && parts[other] != null) fail(`missing, and the App Store counts no ${other} without it`, part);
    }
    try {
      return parts.page == null ? StorePage.make(parts) : StorePage.with(parts.page, parts);
    } catch (error) {
      if (!error.part) throw error;
      const [part, problem] = words(error, parts);
      return fail(problem, part);
    }
  };

  const linkMaker = ({ landing, ref, at, ...options }) => {
    const address = landing && landingPage(landing, ref);
    const pages = new Map();
    // Most rows differ in their campaign tokens alone, and most of these need no escape: their pages are made once, and cut.
    const pageFor = parts => {
      let pieces = [];
      if (parts.ct != null && /^[\w.~-]{1,40}$/.test(parts.ct)) {
        try {
          pieces = pageOf({ ...parts, ct: TOKEN }).split(TOKEN);
        } catch {} // the page itself says why, below
      }
      const isCut = pieces.length == 2 && pieces.join('').length < 60000;
      return isCut ? pieces.join(parts.ct) : pageOf(parts);
    };
    const pageOf = parts => {
      const key = PARTS.map(part => parts[part] ?? '').join('\0');
      if (!pages.has(key)) {
        const all = { ...options, ...parts };
        // A row's own address stands for itself, whatever the options said of another one.
        if (parts.page != null) Object.assign(all, { slug: parts.slug, storefront: parts.storefront });
        if (all.page == null && all.appID == null) fail('missing, and no --page or --app-id is given', 'page');
        const page = storePage(all);
        if (pages.size >= 1024) pages.clear();
        pages.set(key, page);
      }
      return pages.get(key);
    };
    return ({ referrer, parameters, parts }) => {
      if (!referrer) fail('missing', 'referrer');
      let ed;
      try {
        ed = ReferralBridge.payload(Object.assign(Object.create(null), parameters, { timestamp: at, referrer }));
      } catch {
        fail('with its parameters it makes a payload of over 8,192 bytes', 'referrer');
      }
      if (address) return address(referrer);
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
    if (!row || row.end - row.start > LONGEST_ROW) fail('the first line, which must name the columns, is longer than 1 MiB');
    if (table.slice(row.start, row.end).includes('\0')) fail('there is a NUL byte: it is no text, or it is UTF-16; save it as UTF-8');
    if (row.problem) fail(row.problem);
    let names;
    try {
      names = row.cells.map(cell => text(cellAt(table, cell)));
    } catch {
      fail('it is not UTF-8');
    }
    const places = new Map();
    names.forEach((name, index) => {
      if (places.has(name)) fail(`two columns are called ${quoted(name)}, number ${places.get(name) + 1} and number ${index + 1}`);
      places.set(name, index);
    });
    if (!places.has('referrer')) fail(missing('referrer', names, format));
    if (places.has('link')) fail("there is a column 'link' already; rename it, since the links get that name");
    for (const name of names) {
      if (!options.landing && ['param.', 'param.timestamp', 'param.referrer'].includes(name)) {
        fail(`the column ${quoted(name)} names no parameter of a payload`);
      }
    }
    if (!options.landing && options.page == null && options.appID == null && !places.has('page')) {
      fail("which page? Give an app id under “Make”, or a column 'page'");
    }
    return names;
  };

  // A landing page's address takes the referrer alone: all else is that page's own.
  const valuesOf = (table, cells, names, isForLandingPage) => {
    const values = { referrer: '', parameters: Object.create(null), parts: {} };
    cells.forEach((cell, index) => {
      const name = names[index];
      const isParameter = name.startsWith('param.');
      if (name != 'referrer' && (isForLandingPage || !isParameter && !PARTS.includes(name))) return;
      const raw = cellAt(table, cell);
      if (!raw) return;
      let value;
      try {
        value = text(raw);
      } catch {
        fail('not UTF-8', name);
      }
      if (isParameter) values.parameters[name.slice(6)] = value;
      else if (name == 'referrer') values.referrer = value;
      else values.parts[name] = value;
    });
    return values;
  };

  const readable = bytes => {
    try {
      return text(bytes);
    } catch {
      return bytes;
    }
  };

  const reasonColumn = (names, name = 'reason') => names.includes(name) ? reasonColumn(names, `rejected.${name}`) : name;

  const tableOf = (whole, { format = 'csv', ...options }) => {
    if (/^(\xff\xfe|\xfe\xff)/.test(whole)) fail('it is UTF-16; save it as UTF-8');
    const mark = whole.startsWith('\xef\xbb\xbf') ? '\xef\xbb\xbf' : '';
    const table = whole.slice(mark.length);
    const separator = format == 'tsv' ? '\t' : ',';
    const scanner = scan(table, format);
    const { value: first } = scanner.next();
    const names = columnsOf(table, first, format, options);
    const header = table.slice(first.start, first.end);
    const lineEnd = table.slice(first.end, first.next) || '\n';

    const makeLink = linkMaker(options);
    const output = [`${mark}${header}${separator}link${lineEnd}`];
    const rejects = [`${mark}${reasonColumn(names)}${separator}${header}${lineEnd}`];
    const rows = [];
    const place = names.indexOf('referrer');
    for (const { cells, problem, start, end, next, line } of scanner) {
      if (start == end) continue;
      const row = { line, referrer: cells[place] ? readable(cellAt(table, cells[place])) : '', link: null, reason: null };
      rows.push(row);
      const whole = table.slice(start, end);
      const ending = table.slice(end, next);
      try {
        if (whole.length > LONGEST_ROW) fail('the row is longer than 1 MiB');
        if (problem) fail(problem);
        if (cells.length != names.length) fail(`${plural(cells.length, 'cell')}, but ${plural(names.length, 'column')}`);
        if (whole.includes('\0')) fail('there is a NUL byte in the row');
        row.link = makeLink(valuesOf(table, cells, names, options.landing));
        const link = bytes(row.link);
        output.push(whole, separator, format == 'tsv' ? link : csv(link), ending || lineEnd);
      } catch (error) {
        if (!error.isOurs) throw error;
        row.reason = error.message;
        const reason = bytes(row.reason);
        rejects.push(format == 'tsv' ? reason.replace(/[\t\n\r]/g, ' ') : csv(reason), separator, whole, ending || '\n');
      }
    }
    const bad = rows.filter(({ reason }) => reason != null).length;
    return { problem: null, rows, bad, output: output.join(''), rejects: bad ? rejects.join('') : '' };
  };

  // An address that a page's snippet makes the link from, as an element.
  const escaped = text => text.replace(/[&<>"'\x01-\x1f]/g, mark =>
    ({ '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' })[mark] ?? `&#${mark.charCodeAt()};`);

  // The name that `dataset` turns back into the parameter's; null for one that it cannot, and for `on`, the snippet's own.
  const attribute = name => name == 'on' || !/^[a-z][\w.]*$/.test(name)
    ? null : `data-referral-${name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`)}`;

  globalThis.LinkRows = {
    links(bytes, options) {
      try {
        return tableOf(bytes, options);
      } catch (error) {
        if (!error.isOurs) throw error;
        return { problem: error.message, rows: [], bad: 0, output: '', rejects: '' };
      }
    },

    attribute,

    element(page, referrer, parameters) {
      const others = Object.keys(parameters).sort().map(name => ` ${attribute(name)}="${escaped(parameters[name])}"`);
      return `<a href="${escaped(page)}" data-referrer="${escaped(referrer)}"${others.join('')}>${escaped(referrer)}</a>`;
    },

    landingPage,
    bytes,
    plural,
  };
}
