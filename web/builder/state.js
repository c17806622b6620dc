// The campaign in the address's fragment, so that it can be bookmarked or sent and reaches no server; and the three parts.

const PANELS = ['make', 'many', 'read'];
let panel = 'make';
let writing;

const select = (name, isFocused) => {
  panel = name;
  for (const other of PANELS) {
    const tab = find(`tab-${other}`);
    tab.setAttribute('aria-selected', other == name);
    tab.tabIndex = other == name ? 0 : -1;
    find(other).hidden = other != name;
  }
  if (isFocused) find(`tab-${name}`).focus();
  if (name == 'many') updateMany();
  if (name == 'read') updateRead();
};

const written = () => {
  const items = FIELDS.filter(name => campaign[name] != null).map(name => [name, campaign[name]]);
  for (const name of Object.keys(campaign.parameters ?? {})) items.push([`param.${name}`, campaign.parameters[name]]);
  if (panel != 'make') items.push(['show', panel]);
  // Readable where that is safe.
  const encode = text => encodeURIComponent(text.replace(/[\ud800-\udfff]/gu, '\ufffd')).replace(/%(2F|3A|40|2C)/g, decodeURIComponent);
  return items.map(item => item.map(encode).join('=')).join('&');
};

// Some browsers allow only so many changes of the address, so that it waits for a pause between the keys.
const store = () => {
  clearTimeout(writing);
  writing = setTimeout(() => {
    try {
      history.replaceState(null, '', written() ? `#${written()}` : location.pathname + location.search);
    } catch {} // where even that is not allowed nothing is lost but the bookmark
  }, 200);
};

// Every item of a fragment, or an error where it is not one that this page wrote.
const parseFragment = text => {
  if (text.length > 65536) throw Error();
  const items = new Map();
  for (const item of text.split('&')) {
    const [, name, given] = /^([^=]+)=(.*)$/.exec(item).map(decodeURIComponent);
    if (items.has(name)) throw Error();
    const [, parameter] = /^param\.([^]+)$/.exec(name) ?? [];
    if (name == 'show') {
      if (!PANELS.includes(given)) throw Error();
    } else if (parameter) {
      if (['timestamp', 'referrer'].includes(parameter)) throw Error();
    } else if (!FIELDS.includes(name) || given.trim() != given || !given || RULES[name](given) != given) {
      throw Error();
    }
    // A field of one line holds no line break.
    if (/[\r\n]/.test(given)) throw Error();
    items.set(name, given);
  }
  return items;
};

const restore = () => {
  clearTimeout(writing);
  const text = location.hash.slice(1);
  let items = new Map();
  let notice = '';
  try {
    if (text) items = parseFragment(text);
  } catch {
    notice = 'The address of this page was changed or cut off on its way: nothing was filled in from it.';
  }
  setText(find('notice'), notice);
  for (const name of [...FIELDS, 'paste']) find(name).value = items.get(name) ?? '';
  find('parameters').replaceChildren();
  for (const [name, given] of items) if (name.startsWith('param.')) addParameter(name.slice(6), given);
  complain('paste');
  update();
  // What was sent stays as it was until somebody changes it.
  clearTimeout(writing);
  select(items.get('show') ?? 'make');
};

for (const name of PANELS) {
  find(`tab-${name}`).addEventListener('click', () => {
    select(name);
    store();
  });
  find(`tab-${name}`).addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1, Home: -PANELS.indexOf(name), End: 2 - PANELS.indexOf(name) }[key];
    if (step == null) return;
    select(PANELS[(PANELS.indexOf(name) + step + 3) % 3], true);
    store();
  });
}
addEventListener('hashchange', restore);
restore();
