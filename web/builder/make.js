// Make: reads a campaign from the fields, and shows its link, landing page, snippet and QR code after each key.

const snippet = find('snippet');
const PAGE_FIELDS = ['app', 'storefront', 'slug', 'pt', 'ct', 'ppid'];
const MAKE_FIELDS = [...PAGE_FIELDS, 'referrer', 'landing', 'referrer-item', 'items'];
const FIELDS = [...MAKE_FIELDS, 'title', 'tagline', 'languages', 'image', 'play', 'clip', 'count-to'];
const TOO_LONG = 'The referrer and the parameters are too long: a payload holds at most 8,192 bytes.';

const storePage = ({ app, ...rest }) => StorePage.make({ appID: app, ...rest });

const checkShown = text => {
  if (!LandingPage.isShown(text)) throw Error('Enter text without control characters.');
  return text;
};

// The parts of an address in the App Store, whose scheme may be missing.
const parseStore = text => StorePage.parse(text.includes('://') ? text : `https://${text}`);

// Each one throws an Error with a message for a value that is invalid by itself.
const RULES = {
  landing: text => {
    try {
      LinkRows.landingPage(text);
    } catch ({ message }) {
      throw Error(/App Store/.test(message) ? 'Enter the address of a page of your own. This one is the App Store’s, where a referrer is lost.'
        : /host/.test(message) ? message : 'Enter an address that begins with https:// or http:// and a host, without spaces.');
    }
    return text;
  },
  'referrer-item': text => {
    if (LinkRows.isPattern(find('landing').value.trim())) throw Error('The * of the landing page is the referrer’s place, so leave this field empty.');
    if (/^ed$|\//.test(text)) throw Error('Enter a name without /, other than ed.');
    return text;
  },
  items: text => LinkRows.handedOn(text, find('referrer-item').value.trim() || 'via') && text,
  title: checkShown,
  tagline: checkShown,
  languages: text => LandingPage.readLanguages(text, PAGE.translations) && text,
  image: LandingPage.checkImage,
  play: LandingPage.checkPackage,
  clip: LandingPage.checkBundle,
  'count-to': LandingPage.checkCountAddress,
};
for (const name of PAGE_FIELDS) {
  RULES[name] = text => {
    if (name == 'app' && text.includes('/')) return parseStore(text).appID;
    const others = { pt: { ct: '-' }, ct: { pt: '1' } }[name];
    storePage({ app: '1', ...others, [name]: text });
    return text;
  };
}

let campaign = {};
let outputs = {};
let shownCode = null;

const addParameter = (name = '', text = '') => {
  const number = addParameter.count = (addParameter.count ?? 0) + 1;
  const field = (part, label, value) => create('div', {},
    create('label', { htmlFor: `${part}-${number}` }, label),
    create('input', {
      id: `${part}-${number}`, className: part, value, autocomplete: 'off', spellcheck: false, 'aria-describedby': 'parameters-error',
    }));
  const remove = create('button', { type: 'button', className: 'small', 'aria-label': `Remove parameter ${number}` }, 'Remove');
  const item = create('li', {}, field('name', 'Parameter', name), field('text', 'Value', text), remove);
  remove.addEventListener('click', () => {
    item.remove();
    find('add').focus();
    updateMake();
  });
  find('parameters').append(item);
  return item;
};

// The parameters, or null if one is invalid.
const readParameters = () => {
  const parameters = Object.create(null);
  let message = '';
  for (const item of find('parameters').children) {
    const [name, text] = Array.from(item.querySelectorAll('input'), input => input.value);
    let problem = '';
    if (!name && text) problem = 'A parameter needs a name.';
    else if (name && LinkRows.isInvalidName(name)) problem = `A parameter can’t be named ${shownText(name)}.`;
    else if (name in parameters) problem = `Two parameters are named ${shownText(name)}.`;
    else if (name) parameters[name] = text;
    setInvalid(item.querySelector('input'), problem);
    message ||= problem;
  }
  setText(find('parameters-error'), message);
  return message ? null : parameters;
};

// Shows an output, or the reason why there is none.
const showOutput = (name, text, why = '') => {
  outputs[name] = text;
  setText(find(`out-${name}`), text ?? why);
  find(`copy-${name}`).hidden = text == null;
};

const quoted = text => /^[\w@:,./+-]+$/.test(text) ? text : `'${text.replace(/'/g, "'\\''")}'`;

// The command that makes the landing page's address, or the element for a page with the snippet, with a signature; or why not.
// A command can't contain control characters, which a terminal would read as keys.
const signing = () => {
  const { referrer, parameters, landing, 'referrer-item': item, items, app, ...rest } = campaign;
  const taken = ['sig', 'until'].find(name => name in parameters);
  if (taken) return [null, `A signature writes the parameter ${taken} itself.`];
  try {
    LinkRows.payload(referrer, { ...parameters, sig: 'A'.repeat(86), until: '1'.repeat(13) }, Date.now());
  } catch {
    return [null, TOO_LONG];
  }
  const options = { 'app-id': app, ...landing ? { to: 'txt', landing, 'referrer-item': item } : { to: 'html', ...rest }, sign: 'signing-key.pem',
    until: `${new Date(Date.now() + 30 * 864e5).toISOString().slice(0, 10)}T00:00:00Z` };
  const given = Object.entries(options).filter(([, text]) => text != null);
  if (given.some(([, text]) => StorePage.hasDisplayControl(text))) return [null, 'A command can’t hold a control character.'];
  // With an equals sign, a value can't be read as an option.
  const words = given.map(([name, text]) => ` \\\n    --${name}=${quoted(text)}`);
  // JSON can contain any character as an escape.
  const members = [['referrer', referrer], ...Object.entries(parameters).map(([name, value]) => [`param.${name}`, value])];
  const json = JSON.stringify(Object.fromEntries(members.map(member => member.map(StorePage.toWellFormed))));
  const escaped = mark => StorePage.hasDisplayControl(mark) ? `\\u${mark.charCodeAt().toString(16).padStart(4, '0')}` : mark;
  return [`printf '%s\\n' ${quoted(Array.from(json, escaped).join(''))} |\n  referral-tool links --from=jsonl${words.join('')}`];
};

const landingAddress = () => {
  const { landing, 'referrer-item': item, items, referrer, parameters } = campaign;
  return LinkRows.landingPage(landing, item, LinkRows.handedOn(items, item))(referrer, parameters);
};
const makePayload = () => LinkRows.payload(campaign.referrer, campaign.parameters, Date.now());
const makeLink = () => ReferralBridge.link(outputs.page, makePayload());

const showCode = text => {
  const picture = find('code-picture');
  let why = outputs.address ? 'Leads to your landing page.'
    : 'Leads to the App Store page, without the referrer. For a code with the referrer, add a landing page.';
  if (text == null) why = 'Enter a landing page and a referrer.';
  if (text != shownCode) {
    shownCode = text;
    picture.replaceChildren();
    if (text != null) {
      try {
        picture.append(CodeSheet.picture(text));
      } catch ({ message }) {
        shownCode = null;
        why = message;
      }
    }
  }
  picture.hidden = find('code-files').hidden = shownCode == null;
  setText(find('code-note'), why);
};

const updateMake = () => {
  campaign = {};
  outputs = {};
  for (const name of FIELDS) campaign[name] = readField(name, RULES[name]);
  const { app, pt, ct, referrer, landing, 'referrer-item': item } = campaign;
  const parameters = campaign.parameters = readParameters();
  const token = find('ct').value.trim();
  setText(find('ct-note'), `${StorePage.utf8(token).length} of at most 40 bytes.${
    [...token].length > 30 ? ' App Store Connect’s form accepts 30 characters.' : ''}`);
  try {
    storePage({ app: '1', pt, ct });
  } catch ({ part, message }) {
    if (!isInvalid(part)) setError(part, message);
  }
  const invalid = MAKE_FIELDS.find(isInvalid);

  let why = '';
  if (invalid && !['landing', 'referrer-item', 'items'].includes(invalid)) why = 'Correct the marked field first.';
  else if (app == null) why = 'Enter an app.';
  outputs.page = why ? null : storePage(campaign);
  let whyNoAddress = landing ? 'Enter a referrer.' : 'Enter the address of a landing page.';
  if (!why && referrer == null) why = 'Enter a referrer.';
  else if (!why && !parameters) why = 'Correct the parameters first.';

  let link = null;
  if (referrer != null && parameters) {
    try {
      // A tap on the landing page writes the same payload, so the limit is the same.
      makePayload();
      if (!why) link = makeLink();
    } catch {
      setError('referrer', TOO_LONG);
      why ||= TOO_LONG;
      if (landing) whyNoAddress = TOO_LONG;
    }
  }
  showOutput('link', link, why);
  const unnamed = parameters && Object.keys(parameters).find(name => !LinkRows.attributeName(name));
  if (unnamed != null) why ||= `An HTML attribute can’t hold a parameter named ${shownText(unnamed)}.`;
  if (parameters && [referrer, ...Object.values(parameters)].some(text => text?.includes('\0'))) why ||= 'HTML can’t contain the character U+0000.';
  const { title } = campaign;
  const whyNoElement = why || (landing && LinkRows.isPattern(landing) ? 'Only a page made under “Page” reads the referrer from its path.' : '');
  showOutput('element', whyNoElement ? null : LinkRows.element(outputs.page, referrer, parameters, { item: landing && (item ?? 'via'), title }), whyNoElement);
  if (invalid) why ||= 'Correct the marked field first.';
  showOutput('signed', ...why ? [null, why] : signing());
  if (landing && referrer != null && !parameters) whyNoAddress = 'Correct the parameters first.';
  let address = null;
  try {
    if (landing && referrer != null && parameters && whyNoAddress != TOO_LONG) address = landingAddress();
  } catch {
    whyNoAddress = 'In a path, . and .. aren’t referrers.';
    setError('referrer', whyNoAddress);
  }
  showOutput('address', address, whyNoAddress);
  showCode(outputs.address ?? outputs.page);
  showMore();
  if (panel == 'page') updatePage();
  saveFragment();
};

// Fills in the fields from an address in the App Store, and lists its other items.
const APP_NOTE = find('app-note').textContent;
const fillIn = () => {
  let parts = null;
  let note = APP_NOTE;
  try {
    if (find('app').value.includes('/')) parts = parseStore(find('app').value.trim());
  } catch {} // the field shows the error
  if (parts) {
    for (const name of PAGE_FIELDS) find(name).value = parts[name == 'app' ? 'appID' : name] ?? '';
    const { items, fragment } = StorePage.splitQuery(parts.address);
    const others = items.filter(({ name }) => !['pt', 'ct', 'ppid', 'mt', 'ed', 'id'].includes(name)).map(({ item }) => item);
    if (fragment.length > 1) others.push(fragment);
    const isEscaped = items.some(({ name }) => name.startsWith('amp;'));
    note = `The parts of the address are in their fields.${isEscaped ? ' But it contains &amp;, as in HTML, so the store doesn\'t recognize the items after it; write & in its place.' : ''}${others.length ? ` Left out: ${sentence(others.join(', '))}` : ''}`;
  }
  setText(find('app-note'), note);
  updateMake();
};

// Shows what is filled in behind each “More”, which opens for an error.
const showMore = () => {
  for (const more of document.querySelectorAll('.more')) {
    const values = Array.from(more.querySelectorAll('input:not([type])'), ({ value }) => value.trim()).filter(Boolean);
    setText(more.querySelector('summary span'), values.map(value => shownText(value, 20)).join(', '));
    if (more.querySelector('[aria-invalid]')) more.open = true;
  }
};

find('app').addEventListener('input', fillIn);
for (const name of [...FIELDS.slice(1), 'parameters']) find(name).addEventListener('input', updateMake);
find('add').addEventListener('click', () => addParameter().querySelector('input').focus());

for (const name of ['element', 'address', 'signed']) addCopyButton(name, () => outputs[name]);
addCopyButton('link', () => {
  showOutput('link', makeLink());
  return outputs.link;
}, async (text, element) => ReferralBridge.copy(text, element) || copy(text, element));

const FIXED = {
  key: 'referral-tool key --out signing-key.pem',
  inline: `<script>${snippet.textContent}</script>\n`,
  policy: "script-src '{hash}'",
  source: '<script src="referral-bridge.min.js" integrity="{integrity}" crossorigin="anonymous" defer></script>',
};
for (const name in FIXED) {
  setText(find(`out-${name}`), FIXED[name]);
  addCopyButton(name, () => FIXED[name]);
}

for (const extension of ['svg', 'png']) {
  find(extension).addEventListener('click', () => CodeSheet.save(shownCode, campaign.referrer ?? campaign.app ?? 'code', extension));
}
