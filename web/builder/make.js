// Make: a campaign's fields in, and its link, its page's address, its snippet and its code out, at each key.

const snippet = find('snippet');
const NAMES = { app: 'appID', storefront: 'storefront', slug: 'slug', pt: 'pt', ct: 'ct', ppid: 'ppid' };
const FIELDS = [...Object.keys(NAMES), 'referrer', 'landing', 'ref'];
const TOO_LONG = 'It is too long: with its parameters a payload holds 8,192 bytes.';
const RULES = {
  app: text => StorePage.make({ appID: text }) && text,
  storefront: text => StorePage.make({ appID: 1, storefront: text }) && text,
  slug: text => StorePage.make({ appID: 1, slug: text }) && text,
  pt: text => text,
  ct: text => StorePage.make({ appID: 1, pt: 1, ct: text }) && text,
  ppid: text => StorePage.make({ appID: 1, ppid: text }) && text,
  referrer: text => {
    if (LinkRows.bytes(text).length > 8000) throw Error(TOO_LONG);
    return text;
  },
  landing: text => {
    try {
      LinkRows.landingPage(text);
    } catch {
      throw Error('An address begins with https:// or http:// and a host, and has no blank in it.');
    }
    return text;
  },
  ref: text => text,
};

let campaign = {};
let made = {};
let codeText = null;

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
    update();
  });
  find('parameters').append(item);
  return item;
};

const readParameters = () => {
  const parameters = Object.create(null);
  let message = '';
  for (const item of find('parameters').children) {
    const [name, text] = Array.from(item.querySelectorAll('input'), input => input.value);
    let problem = '';
    if (!name && text) problem = 'A parameter has a name.';
    else if (['timestamp', 'referrer'].includes(name)) problem = `${name}: a payload has a member of that name already.`;
    else if (name in parameters) problem = `${name}: it is given twice.`;
    else if (name) parameters[name] = text;
    if (problem) item.querySelector('input').setAttribute('aria-invalid', 'true');
    else item.querySelector('input').removeAttribute('aria-invalid');
    message ||= problem;
  }
  setText(find('parameters-error'), message);
  return message ? null : parameters;
};

// One of the outputs: its text, or why there is none.
const show = (name, text, why = '') => {
  made[name] = text;
  setText(find(`out-${name}`), text ?? why);
  find(`copy-${name}`).hidden = text == null;
};

const payload = () => ReferralBridge.payload(Object.assign(
  Object.create(null), campaign.parameters, { timestamp: Date.now(), referrer: campaign.referrer }));

const stamped = () => ReferralBridge.link(made.page, payload());

const showCode = text => {
  const picture = find('code-picture');
  const isNew = text != codeText;
  codeText = text;
  let why = made.address ? 'Leads to your landing page.' : 'Leads to the store page, and carries no referrer: a landing page does.';
  if (text == null) why = 'Give the app id, or a landing page and a referrer.';
  if (isNew) {
    picture.replaceChildren();
    if (text != null) {
      try {
        const { d, size } = QRCode.path(QRCode.encode(text));
        const draw = (tag, attributes, ...children) => {
          const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
          for (const name in attributes) element.setAttribute(name, attributes[name]);
          element.append(...children);
          return element;
        };
        // Of whole pixels, which cameras like better.
        const side = size * Math.max(3, Math.floor(240 / size));
        picture.append(draw('svg', { viewBox: `0 0 ${size} ${size}`, width: side, height: side, 'shape-rendering': 'crispEdges' },
          draw('rect', { width: size, height: size, fill: '#fff' }), draw('path', { d, fill: '#000' })));
      } catch ({ message }) {
        codeText = null;
        why = message;
      }
    }
  }
  picture.hidden = find('code-files').hidden = codeText == null;
  setText(find('code-note'), why);
};

const update = () => {
  campaign = {};
  made = {};
  for (const name of FIELDS) campaign[name] = value(name, RULES[name]);
  const { app, referrer, landing, ref, ...parts } = campaign;
  const parameters = campaign.parameters = readParameters();
  const ct = find('ct').value.trim();
  const count = LinkRows.bytes(ct).length;
  setText(find('ct-note'), `${count} of at most 40 bytes.${[...ct].length > 30 ? ' App Store Connect’s own form takes 30 characters.' : ''}`);
  for (const [name, other] of [['pt', 'ct'], ['ct', 'pt']]) {
    if (!find(name).value.trim() && campaign[other] != null) {
      complain(name, `The token ${name} is missing: the App Store counts neither pt nor ct alone.`);
    }
  }
  // The field that a pasted address came into is no part of the campaign.
  const isWrong = FIELDS.find(name => find(name).hasAttribute('aria-invalid'));

  let why = '';
  if (app == null && !isWrong) why = 'Give the app id.';
  else if (isWrong && !['landing', 'ref'].includes(isWrong)) why = 'Something beside a field above has to be mended first.';
  made.page = why ? null : StorePage.make({ appID: app, ...Object.fromEntries(Object.keys(NAMES).filter(name => name != 'app').map(name => [name, parts[name]])) });
  let whyNot = why;
  if (!why && referrer == null) whyNot = 'Say who sends people: the referrer.';
  else if (!why && !parameters) whyNot = 'A parameter has to be mended first.';

  let link = null;
  let whyNoAddress = landing ? 'Say who sends people: the referrer.' : 'Give the address of a landing page.';
  // A tap on a landing page holds no more than one here.
  if (referrer != null && parameters) {
    try {
      payload();
      if (!whyNot) link = stamped();
    } catch {
      complain('referrer', TOO_LONG);
      whyNot ||= TOO_LONG;
      if (landing) whyNoAddress = TOO_LONG;
    }
  }
  show('link', link, whyNot);
  const unnamed = parameters && Object.keys(parameters).find(name => !LinkRows.attribute(name));
  show('element', whyNot || unnamed != null ? null : LinkRows.element(made.page, referrer, parameters),
    whyNot || `${unnamed}: no attribute gives the snippet a parameter of this name.`);
  show('address', landing && referrer != null && whyNoAddress != TOO_LONG ? LinkRows.landingPage(landing, ref)(referrer) : null, whyNoAddress);
  showCode(made.address ?? made.page);
  store();
};

// An address that is pasted fills in the fields; what else it says is told.
const fillIn = () => {
  let parts = null;
  const text = find('paste').value.trim();
  complain('paste');
  setText(find('paste-note'), 'Paste it, and the fields below fill in.');
  if (text) {
    try {
      parts = StorePage.parse(text);
    } catch ({ message }) {
      complain('paste', message);
    }
  }
  if (parts) {
    for (const name in NAMES) find(name).value = parts[NAMES[name]] ?? '';
    const rest = parts.address.replace(/^[^?#]*\??/, '').split(/[&#]/)
      .filter(item => item && !/^(pt|ct|ppid|mt|ed|id)(=|$)/.test(item));
    setText(find('paste-note'), `Filled in below.${rest.length ? ` Left out: ${rest.join(', ')}` : ''}`);
  }
  update();
};

find('paste').addEventListener('input', fillIn);
for (const name of FIELDS) find(name).addEventListener('input', update);
find('parameters').addEventListener('input', update);
find('add').addEventListener('click', () => addParameter().querySelector('input').focus());

for (const name of ['element', 'address']) copies(find(`copy-${name}`), find(`out-${name}`), () => made[name]);
copies(find('copy-link'), find('out-link'), () => {
  show('link', stamped());
  return made.link;
}, ReferralBridge.copy);

const fixed = {
  inline: `<script>${snippet.textContent}</script>\n`,
  policy: "script-src '{hash}'",
  source: '<script src="referral-bridge.min.js" integrity="{integrity}" crossorigin="anonymous" defer></script>',
};
for (const name in fixed) {
  setText(find(`out-${name}`), fixed[name]);
  copies(find(`copy-${name}`), find(`out-${name}`), () => fixed[name]);
}

const fileName = () => `qr-${(campaign.referrer ?? campaign.app ?? 'code').replace(/[^\w.-]+/g, '-').slice(0, 60)}`;

find('svg').addEventListener('click', () => download(`${fileName()}.svg`, QRCode.svg(codeText), 'image/svg+xml'));
find('png').addEventListener('click', () => {
  const { modules, size } = QRCode.encode(codeText);
  const side = Math.ceil(1024 / (size + 8));
  const canvas = create('canvas', { width: (size + 8) * side, height: (size + 8) * side });
  const context = canvas.getContext('2d');
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = '#000';
  modules.forEach((row, y) => row.forEach((isDark, x) => {
    if (isDark) context.fillRect((x + 4) * side, (y + 4) * side, side, side);
  }));
  canvas.toBlob(blob => download(`${fileName()}.png`, blob));
});
