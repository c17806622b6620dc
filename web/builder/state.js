// Keeps the campaign in the page's fragment, which people can bookmark or share and no server sees. Switches between the panels.

const PANELS = ['make', 'page', 'many', 'read'];
// The check boxes. The fragment names those that are checked.
const BOXES = ['invitations', 'everybody', 'keep', 'ct-from-referrer', 'banner'];
let panel = 'make';
let fragmentTimer;

const selectPanel = (name, isFocused) => {
  panel = name;
  for (const other of PANELS) {
    const tab = find(`tab-${other}`);
    tab.setAttribute('aria-selected', other == name);
    tab.tabIndex = other == name ? 0 : -1;
    find(other).hidden = other != name;
  }
  if (isFocused) find(`tab-${name}`).focus();
  if (name == 'page') updatePage();
  if (name == 'many') updateTable();
  if (name == 'read') updateRead();
};

const writeFragment = () => {
  const items = FIELDS.filter(name => campaign[name] != null).map(name => [name, campaign[name]]);
  for (const name in campaign.parameters) items.push([`param.${name}`, campaign.parameters[name]]);
  for (const [name, text] of sentences) items.push([`text.${name}`, text]);
  for (const name of BOXES) if (find(name).checked) items.push([name, 'yes']);
  if (panel != 'make') items.push(['show', panel]);
  // These characters are safe in a fragment, and easier to read without escapes.
  const encode = text => StorePage.percentEncode(text).replace(/%(2[1789ACF]|3A|40)/g, decodeURIComponent);
  return items.map(item => item.map(encode).join('=')).join('&');
};

// Browsers limit how often a page may change its address.
const saveFragment = () => {
  clearTimeout(fragmentTimer);
  fragmentTimer = setTimeout(() => {
    const fragment = writeFragment();
    try {
      history.replaceState(null, '', fragment ? `#${fragment}` : location.pathname + location.search);
    } catch {} // the page still works, without a bookmark
  }, 200);
};

// The items of a fragment. Throws for anything that writeFragment doesn't write.
const parseFragment = text => {
  if (text.length > 65536) throw Error();
  const items = new Map();
  for (const item of text.split('&')) {
    const [, name, value] = /^([^=]+)=(.*)$/.exec(item).map(decodeURIComponent);
    const parameter = LinkRows.parameterName(name);
    if (name == 'show') {
      if (!PANELS.includes(value)) throw Error();
    } else if (BOXES.includes(name)) {
      if (value != 'yes') throw Error();
    } else if (SENTENCE.test(name)) {
      if (!LandingPage.isShown(value)) throw Error();
    } else if (parameter == null) {
      if (!FIELDS.includes(name) || value.trim() != value || !value) throw Error();
      RULES[name]?.(value);
    } else if (LinkRows.isInvalidName(parameter)) {
      throw Error();
    }
    // An input element drops line breaks.
    if (items.has(name) || /[\r\n]/.test(value)) throw Error();
    items.set(name, value);
  }
  return items;
};

const restoreFragment = () => {
  const text = location.hash.slice(1);
  let items = new Map();
  let notice = '';
  try {
    if (text) items = parseFragment(text);
  } catch {
    notice = 'The address of this page was changed or cut off. Nothing was filled in from it.';
  }
  setText(find('notice'), notice);
  for (const name of FIELDS) find(name).value = items.get(name) ?? '';
  find('parameters').replaceChildren();
  for (const name of BOXES) find(name).checked = items.has(name);
  sentences = new Map();
  for (const [name, value] of items) {
    const parameter = LinkRows.parameterName(name);
    if (parameter != null) addParameter(parameter, value);
    if (SENTENCE.test(name)) sentences.set(name.slice('text.'.length), value);
  }
  setText(find('app-note'), APP_NOTE);
  updateMake();
  // The address stays as it is until somebody changes a field.
  clearTimeout(fragmentTimer);
  selectPanel(items.get('show') ?? 'make');
};

PANELS.forEach((name, index) => {
  find(`tab-${name}`).addEventListener('click', () => {
    selectPanel(name);
    saveFragment();
  });
  find(`tab-${name}`).addEventListener('keydown', ({ key }) => {
    const target = { ArrowRight: index + 1, ArrowLeft: index - 1, Home: 0, End: -1 }[key];
    if (target == null) return;
    selectPanel(PANELS[(target + PANELS.length) % PANELS.length], true);
    saveFragment();
  });
});
addEventListener('hashchange', restoreFragment);
restoreFragment();
