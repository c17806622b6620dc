// What the three parts share: elements, fields and what is wrong with them, copying, files, times.

const find = id => document.getElementById(id);

// Everything that is shown goes through textContent or an attribute: nothing is ever read as HTML.
const create = (tag, properties, ...children) => {
  const element = document.createElement(tag);
  for (const name in properties) {
    if (name in element) element[name] = properties[name];
    else element.setAttribute(name, properties[name]);
  }
  element.append(...children);
  return element;
};

const setText = (element, text) => {
  if (element.textContent != text) element.textContent = text;
};

const say = text => {
  find('said').textContent = '';
  setTimeout(() => setText(find('said'), text), 50);
};

// A message beside a field, or none.
const complain = (name, message = '') => {
  setText(find(`${name}-error`), message);
  if (message) find(name).setAttribute('aria-invalid', 'true');
  else find(name).removeAttribute('aria-invalid');
};

// What a field holds by its rule, a function that throws or answers; undefined where it holds nothing or nothing right.
const value = (name, rule = text => text) => {
  const text = find(name).value.trim();
  try {
    const read = text ? rule(text) : undefined;
    complain(name);
    return read;
  } catch ({ message }) {
    complain(name, message);
  }
};

const copy = (text, element) => {
  let copied = false;
  const take = event => {
    if (event.type == 'copy') {
      event.clipboardData.setData('text/plain', text);
      copied = true;
    }
    event.preventDefault();
    event.stopImmediatePropagation();
  };
  // What is copied is selected too: some browsers copy nothing else, and one sees what it was.
  getSelection().selectAllChildren(element);
  for (const name of ['copy', 'beforecopy']) addEventListener(name, take, true);
  document.execCommand('copy');
  for (const name of ['copy', 'beforecopy']) removeEventListener(name, take, true);
  return copied;
};

// A button that copies a text and says so.
const copies = (button, element, text, way = copy) => {
  const before = button.textContent;
  let timer;
  const answer = copied => {
    button.textContent = copied ? 'Copied' : 'Not copied';
    say(copied ? 'Copied.' : 'The browser did not copy; select the text and copy it.');
    clearTimeout(timer);
    timer = setTimeout(() => { button.textContent = before; }, 2000);
  };
  button.addEventListener('click', async () => {
    const copied = text();
    if (way(copied, element)) return answer(true);
    try {
      await navigator.clipboard.writeText(copied);
      answer(true);
    } catch {
      answer(false);
    }
  });
};

const download = (name, content, type) => {
  const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
  create('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60000);
};

const UNITS = { ms: 0.001, s: 1, m: 60, h: 3600, d: 86400, '': 1 };

const readDuration = text => {
  const [, number, unit] = /^(\d+(?:\.\d+)?)(ms|[smhd]?)$/.exec(text) ?? [];
  if (!number) throw Error('A duration is a number and one of ms, s, m, h, d (90s, 1.5h), or a number of seconds.');
  return number * UNITS[unit];
};

const readTime = text => {
  if (/^\d+(\.\d+)?$/.test(text)) return Number(text);
  const form = /^(\d{4}-\d\d-\d\d)[Tt](\d\d:\d\d)(:\d\d)?(?:[.,](\d{1,3})\d*)?(?:[Zz]|([+-]\d\d):?(\d\d)?)$/;
  const [, day, minute, second = ':00', fraction = '0', hours, minutes = '00'] = form.exec(text) ?? [];
  const time = Date.parse(`${day}T${minute}${second}.${fraction.padEnd(3, '0')}${hours ? `${hours}:${minutes}` : 'Z'}`);
  // Some take the 30th of February for the 1st of March.
  const isDay = day && new Date(`${day}T00:00Z`).getUTCDate() == Number(day.slice(8));
  if (!isDay || Number.isNaN(time)) throw Error('A time is Unix milliseconds (1795224750690) or ISO 8601 with a zone (2026-11-21T09:30:00Z).');
  return time;
};
