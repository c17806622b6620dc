// Page: makes a landing page, the same file as `referral-tool page` makes, and shows it.

// The parts of pages. They are used in the builder as in a page, so that its policy allows the preview's style.
const PAGE = Object.assign({parts}, { snippet: snippet.textContent, qr: find('qr').textContent });
const [PART_NAMES, TRANSLATIONS] = PAGE.translations;
PAGE.translations = Object.fromEntries(Object.entries(TRANSLATIONS).map(([tag, texts]) =>
  [tag, Object.fromEntries(PART_NAMES.map((name, index) => [name, texts[index]]))]));
const SENTENCE = /^text\.[a-z\d-]+\.([a-z]+)$/i;

// The user's own sentences, by language and part, such as `de.button`.
let sentences = new Map();
let icon = null;
let iconProblem = '';
let pageHTML = null;
let preview = null;
let pageCount = 0;

const pageLanguages = () => LandingPage.readLanguages(campaign.languages ?? 'en', PAGE.translations);
const ownSentences = tag => Object.fromEntries(LandingPage.parts.filter(part => sentences.has(`${tag}.${part}`))
  .map(part => [part, sentences.get(`${tag}.${part}`)]));

// Why there is no page yet, or ''.
const pageProblem = () => {
  const invalid = FIELDS.find(name => name != 'landing' && isInvalid(name));
  if (invalid) return correctFirst(invalid);
  if (!campaign.parameters) return 'Under “Make”, correct the parameters first.';
  if (campaign.app == null) return 'Under “Make”, enter an app.';
  if (campaign.title == null) return 'Enter the app’s name.';
  const unnamed = Object.keys(campaign.parameters).find(name => !LinkRows.attributeName(name));
  if ('items' in campaign.parameters) return 'On a landing page, a parameter can’t be named items.';
  if (find('ct-from-referrer').checked && campaign.pt == null) return 'Under “Make”, enter your account’s number (pt): without it, App Store Connect counts no campaign.';
  if (unnamed != null) return `An HTML attribute can’t hold a parameter named ${shownText(unnamed)}.`;
  if (pageLanguages().length > 1 && campaign['referrer-item'] == 'lang') return 'In several languages, the item lang names the language. Under “Make”, choose another query item.';
  if (pagePath() != null && find('keep').checked) return 'A path names the referrer for its own page only, so a site of several pages can’t keep it.';
  return iconProblem || pageLanguages().map(language => LandingPage.problem(language, ownSentences(language.tag), SENTENCE_LABELS, pageOptions())).find(Boolean) || '';
};

// The referrer of visitors whose address doesn't name one. The referrer under “Make” may be that of one campaign among many.
const pageReferrer = () => find('everybody').checked ? campaign.referrer : undefined;

// The path in which the referrer stands, such as `/for/*`, or undefined if it is an item.
const pagePath = () => campaign.landing && LinkRows.isPattern(campaign.landing) ? StorePage.splitQuery(campaign.landing).base.replace(/^https?:\/\/[^/]*/i, '') : undefined;

const pageOptions = languages => ({
  address: storePage(campaign), appID: campaign.app, name: campaign.title, tagline: campaign.tagline, icon: icon?.address, image: campaign.image,
  referrer: pageReferrer(), from: pagePath() ?? campaign['referrer-item'], parameters: campaign.parameters, hasBanner: find('banner').checked,
  handedOn: LinkRows.handedOn(campaign.items, campaign['referrer-item']), play: campaign.play, clip: campaign.clip, isForInvitations: find('invitations').checked,
  keepsReferrer: find('keep').checked, takesTokenFromReferrer: find('ct-from-referrer').checked, countTo: campaign['count-to'], languages, sentences: Object.fromEntries(pageLanguages().map(({ tag }) => [tag, ownSentences(tag)])),
});

// The command that makes the same page.
const pageCommand = () => {
  const { app, title, tagline, image, 'referrer-item': item, items, play, clip, languages, parameters, ...rest } = campaign;
  const store = PAGE_FIELDS.filter(name => name != 'app' && rest[name] != null).map(name => [name, rest[name]]);
  const options = [['app-id', app], ...store, ['name', title], ['tagline', tagline], ['icon', icon?.name], ['image', image],
    ['referrer', pageReferrer()], ['referrer-item', pagePath() ?? item], ...LinkRows.handedOn(items, item).map(name => ['item', name]), ['play', play], ['clip', clip], ['count-to', campaign['count-to']], ...Object.entries(parameters).map(([name, text]) => ['param', `${name}=${text}`]),
    ['language', languages], ...pageLanguages().flatMap(({ tag }, index, all) => Object.entries(ownSentences(tag))
      .map(([part, text]) => ['text', `${all.length > 1 ? `${tag}.` : ''}${part}=${text}`]))].filter(([, text]) => text != null);
  if (options.some(([, text]) => StorePage.hasDisplayControl(text))) return [null, 'A command can’t hold a control character.'];
  const words = [...options.map(([name, text]) => `--${name}=${quoted(text)}`),
    ...['invitations', 'keep', 'ct-from-referrer', 'banner'].filter(name => find(name).checked).map(name => `--${name}`), '--out=get.html'];
  return [`referral-tool page \\\n    ${words.join(' \\\n    ')}`];
};

// The preview has no scripts, so their effects are shown here, for a visitor whose address names a referrer.
const showPreview = html => {
  const frame = find('preview');
  frame.onload = () => {
    const page = frame.contentDocument;
    page.getElementById('referrer').textContent = shownText(campaign.referrer ?? 'anna', 60);
    page.getElementById('copying').hidden = false;
    for (const name of ['kept', 'counted-name']) if (page.getElementById(name)) page.getElementById(name).hidden = false;
    if (find('invitations').checked) {
      page.getElementById('invite-code').textContent = '4F7K-9Q2M-XRKQ';
      page.getElementById('invited').hidden = page.getElementById('invitation').hidden = false;
    }
    page.addEventListener('click', event => event.preventDefault());
  };
  frame.srcdoc = html;
};

const showLanguages = () => {
  const menu = find('shown');
  let tags = ['en'];
  try {
    tags = pageLanguages().map(({ tag }) => tag);
  } catch {} // the field shows the error
  if (Array.from(menu.options, ({ value }) => value).join() != tags.join()) {
    const { value } = menu;
    menu.replaceChildren(...tags.map(tag => create('option', { value: tag }, PAGE.translations[tag]?.language ?? tag)));
    menu.value = tags.includes(value) ? value : tags[0];
  }
  if (find('sentences').dataset.shown == menu.value) return;
  find('sentences').dataset.shown = menu.value;
  const [language] = LandingPage.readLanguages(menu.value, PAGE.translations);
  find('sentences').replaceChildren(...LandingPage.parts.map(part => {
    const name = `${language.tag}.${part}`;
    const field = create('textarea', {
      id: `text-${part}`, value: sentences.get(name) ?? '', placeholder: language.translation?.[part] ?? '', lang: language.tag, dir: language.direction,
    });
    field.addEventListener('input', () => {
      const text = field.value.replace(/\s+/g, ' ').trim();
      if (text) sentences.set(name, text);
      else sentences.delete(name);
      updateMake();
    });
    return create('div', { className: 'field' }, create('label', { htmlFor: `text-${part}` }, SENTENCE_LABELS[part]), field);
  }));
};

const SENTENCE_LABELS = {
  button: 'Button', note: 'What is copied; {contents} shows it', signature: 'The word for a signature in it', plain: 'Second link', copied: 'After copying',
  failed: 'After a tap that may have copied nothing',
  play: 'Google Play’s button', playNote: 'What it carries; {contents} shows it',
  invited: 'The invitation', enter: 'Sentence above its code',
  kept: 'What the site keeps', counted: 'What the site counts', countedName: 'The same, if the address names a referrer',
  phone: 'Title above the QR code', scan: 'Sentence below it', local: 'In its place, if the page is opened as a file', code: 'The QR code in words', tagline: 'Tagline in this language', language: 'The language’s own name',
};

const updatePage = async () => {
  showLanguages();
  pageCount += 1;
  const count = pageCount;
  const why = pageProblem();
  let obstacle = why;
  let html = null;
  let shown = null;
  if (!why) {
    try {
      html = await LandingPage.html(pageOptions(campaign.languages ?? 'en'), PAGE);
      shown = (await LandingPage.html(pageOptions(find('shown').value), PAGE)).replace(/<script>[^]*?<\/script>/g, '');
    } catch ({ message }) {
      obstacle = message;
    }
  }
  if (count != pageCount) return;
  const isNew = pageHTML != html || preview != shown;
  [pageHTML, preview] = [html, shown];
  const path = obstacle ? undefined : pagePath();
  const example = path == null ? `?${shownText(campaign['referrer-item'] ?? 'via')}=anna` : shownText(path.replace('*', 'anna'));
  const hints = [
    ...pageReferrer() == null ? [`Only visitors whose address names a referrer copy a link, as with ${example}.`] : [],
    ...pageReferrer() == null && find('everybody').checked ? ['For the others, enter a referrer under “Make”.'] : [],
    ...path == null ? [] : [`Let your server answer each address that begins with ${shownText(path.slice(0, -1))} with this file.`],
  ];
  setText(find('page-status'), obstacle || hints.join(' '));
  find('page-file').hidden = find('preview').hidden = html == null;
  if (shown != null && isNew) showPreview(shown);
  showOutput('command', ...why ? [null, why] : pageCommand());
};

const ICON_NOTE = find('icon-note').textContent;
// A bitmap is scaled down to the first of these sizes at which its file is small enough.
const ICON_SIDES = [512, 384, 256, 128];

const scaledDown = async image => {
  for (const side of ICON_SIDES) {
    const scale = Math.min(1, side / Math.max(image.naturalWidth, image.naturalHeight));
    const canvas = create('canvas', { width: Math.ceil(image.naturalWidth * scale), height: Math.ceil(image.naturalHeight * scale) });
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    const file = await new Promise(resolve => canvas.toBlob(resolve, 'image/png'));
    if (file.size <= IconFile.MAXIMUM_SIZE) return { file, size: `${canvas.width} by ${canvas.height} pixels` };
  }
};

const dataAddress = async (file, type) => `data:${type};base64,${btoa(toBytes(await file.arrayBuffer()))}`;

// The icon in a file: its name for the command, its address, a note, and the smaller file if there is one.
const loadIcon = async chosen => {
  const { name, size } = chosen;
  const type = IconFile.type(toBytes(await chosen.slice(0, IconFile.MAXIMUM_SIZE).arrayBuffer()));
  const isLarge = size > IconFile.MAXIMUM_SIZE;
  if (type == 'image/svg+xml') {
    if (isLarge) throw Error(`it has ${size} bytes, and an icon has at most ${IconFile.MAXIMUM_SIZE}`);
    return { name, address: await dataAddress(chosen, type), note: '' };
  }
  const image = create('img', { src: URL.createObjectURL(chosen) });
  try {
    await image.decode();
    const { naturalWidth: width, naturalHeight: height } = image;
    const shape = width == height ? '' : `It has ${width} by ${height} pixels, and the page shows only the square in its middle. `;
    if (!isLarge) return { name, address: await dataAddress(chosen, type), note: shape };
    const smaller = await scaledDown(image);
    return {
      name: name.replace(/(\.\w+)?$/, '-small.png'), address: await dataAddress(smaller.file, 'image/png'), smaller: smaller.file,
      note: `${shape}It has more than 256 KiB, so it is scaled down to ${smaller.size}. The command needs the smaller file too.`,
    };
  } finally {
    URL.revokeObjectURL(image.src);
  }
};

const readIcon = async chosen => {
  icon = null;
  iconProblem = '';
  if (chosen) {
    try {
      icon = await loadIcon(chosen);
    } catch ({ name, message }) {
      // The browser's own errors have other names.
      iconProblem = name == 'Error' ? `The icon: ${message}.` : 'The icon can’t be read.';
    }
  }
  setError('icon', iconProblem);
  setText(find('icon-note'), icon?.note || ICON_NOTE);
  find('save-icon').hidden = !icon?.smaller;
  updatePage();
};

find('save-icon').addEventListener('click', () => CodeSheet.download(icon.name, icon.smaller));
find('icon').addEventListener('change', ({ target }) => {
  readIcon(target.files[0]);
});
for (const name of ['invitations', 'everybody', 'keep', 'banner']) find(name).addEventListener('input', updateMake);
find('shown').addEventListener('change', updatePage);
find('save-page').addEventListener('click', () => CodeSheet.download('get.html', pageHTML, 'text/html'));
addCopyButton('command', () => outputs.command);
