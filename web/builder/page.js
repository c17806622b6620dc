// What the panels share: elements, fields and their errors, copying, durations and times.

const find = id => document.getElementById(id);

// Names and addresses are no words to complete, capitalize or correct.
for (const field of document.querySelectorAll('.field :is(input,textarea)')) Object.assign(field, { autocomplete: 'off', autocapitalize: 'off', spellcheck: false });

// Text goes through textContent or an attribute, never through HTML.
const create = (tag, properties, ...children) => {
  const element = document.createElement(tag);
  for (const name in properties) {
    if (name in element) element[name] = properties[name];
    else element.setAttribute(name, properties[name]);
  }
  element.append(...children);
  return element;
};

// For text with somebody else's in it, such as an error that quotes a field. The limit is that of a sentence with several quotations.
const sentence = text => shownText(text, 1000);

// The name of an address's first item stays on the line of its question mark.
const unbroken = text => text.split(/(\?[^\s?=]{1,40}=)/).map((part, index) => index % 2 ? create('span', { className: 'whole' }, part) : part);

const setText = (element, text) => {
  if (element.textContent != text) element.replaceChildren(...unbroken(text));
};

// For screen readers, which announce changes.
const announce = text => {
  find('announcement').textContent = '';
  setTimeout(() => setText(find('announcement'), text), 50);
};

const setInvalid = (field, isInvalid) => {
  if (isInvalid) field.setAttribute('aria-invalid', 'true');
  else field.removeAttribute('aria-invalid');
};

const setError = (name, message = '') => {
  setText(find(`${name}-error`), sentence(message));
  setInvalid(find(name), message);
};

const correctFirst = name => `Correct this field first: ${find(name).labels[0].textContent}.`;

const isInvalid = name => find(name).hasAttribute('aria-invalid');

// A field's value by a rule that throws, or undefined if the field is empty or invalid.
const readField = (name, rule = text => text) => {
  const text = find(name).value.trim();
  try {
    const value = text ? rule(text) : undefined;
    setError(name);
    return value;
  } catch ({ message }) {
    setError(name, message);
  }
};

// The text is also selected, so that users see it and can copy it themselves.
const copy = async (text, element) => {
  getSelection().selectAllChildren(element);
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return document.execCommand('copy');
  }
};

const addCopyButton = (name, text, copyNow = copy) => {
  const button = find(`copy-${name}`);
  const label = button.textContent;
  let timer;
  button.addEventListener('click', async () => {
    const isCopied = await copyNow(text(), find(`out-${name}`));
    button.textContent = isCopied ? 'Copied' : 'Not copied';
    announce(isCopied ? 'Copied.' : 'The browser didn’t copy the text. Select it and copy it yourself.');
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = label; }, 2000);
  });
};

const SECONDS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400, '': 1 };

const readDuration = text => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|[smhd]?)$/.exec(text) ?? [];
  if (!number) throw Error('Enter a number of seconds, or a number with ms, s, m, h or d, such as 90s or 1.5h.');
  return number * SECONDS[unit];
};

const readTime = text => {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const form = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,3})\d*)?(?:[Zz]|([+-]\d\d):?(\d\d)?)$/;
  const [, day, minute, second = ':00', fraction = '0', hours, minutes = '00'] = form.exec(text) ?? [];
  const time = Date.parse(`${day}T${minute}${second}.${fraction.padEnd(3, '0')}${hours ? `${hours}:${minutes}` : 'Z'}`);
  // Some browsers read February 30 as March 1 or 2.
  const isDay = day && new Date(`${day}T00:00Z`).getUTCDate() == Number(day.slice(8));
  if (!isDay || Number.isNaN(time)) throw Error('Enter Unix milliseconds (1795224750690), or an ISO 8601 time with a zone (2026-11-21T09:30:00Z).');
  return time;
};
