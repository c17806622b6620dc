// Comes after shown-text.js and landing-address.js.
{
  const find = id => document.getElementById(id);

  // A page in several languages uses the one in its address, or the first of the visitor's languages that it supports.
  const languages = Array.from(document.querySelectorAll('#languages a'));
  if (languages.length) {
    // A tag's forms: unchanged, with language and script, and with its language. zh-TW is closer to zh-Hant than to zh.
    const forms = tag => {
      try {
        const { language, script } = new Intl.Locale(tag).maximize();
        return [tag.toLowerCase(), language + script, language];
      } catch {
        return [tag];
      }
    };
    const known = languages.map(({ lang }) => forms(lang));
    const wanted = new URLSearchParams(location.search).getAll('lang').slice(0, 1).concat(navigator.languages);
    const places = wanted.flatMap(tag => forms(tag).map((form, index) => known.findIndex(forms => forms[index] == form)));
    const chosen = languages[places.find(place => place >= 0) ?? 0];
    const page = document.querySelector(`template[lang="${chosen.lang}"]`);
    if (page) {
      const icon = document.querySelector('.icon');
      document.querySelector('main').replaceChildren(page.content);
      document.querySelector('.app').prepend(icon);
      document.documentElement.lang = page.lang;
      document.documentElement.dir = page.dir;
      document.title = page.title;
    }
    chosen.setAttribute('aria-current', 'true');
    const rest = location.search.slice(1).replace(/^(lang=[^&]*(&|$))+/, '');
    for (const link of languages) link.href = `?lang=${link.lang}${rest && `&${rest}`}`;
  }

  const store = find('store');
  const { dataset } = store;
  // The snippet would take the attribute for a parameter.
  const handedOn = (dataset.referralItems ?? '').split(' ');
  store.removeAttribute('data-referral-items');
  // This pattern, and the one for devices below, are the snippet's own; a test compares them.
  const names = () => Object.keys(dataset).filter(name => /^referral(?!On$)[A-Z]/.test(name));

  // A valid signature is shown as a word, and the end of its campaign as a day. Any other values are shown as text.
  const showParameters = tap => {
    const isSigned = /^[\w-]{85}[AQgw]$/.test(tap.sig);
    const valueOf = (name, text) => isSigned && name == 'until' && /^[1-9]\d{11,13}$/.test(text) ? new Date(+text).toISOString().slice(0, 10) : text;
    find('signature').hidden = !isSigned;
    const first = find('referrer').parentElement;
    while (first.nextSibling?.data == ' ' && first.nextElementSibling?.localName == 'code') {
      first.nextElementSibling.remove();
      first.nextSibling.remove();
    }
    first.after(...Object.keys(tap).filter(key => !['timestamp', 'referrer', isSigned && 'sig'].includes(key)).flatMap(key => {
      const code = first.cloneNode(true);
      code.firstChild.removeAttribute('id');
      code.firstChild.textContent = shownText(`${key}=${valueOf(key, tap[key])}`, 60);
      return [' ', code];
    }));
  };

  const { referrer, parameters, isNamed } = LandingAddress.read(location, {
    from: dataset.referrerFrom, referrer: dataset.referrer, handedOn,
    parameters: Object.fromEntries(names().map(name => [name[8].toLowerCase() + name.slice(9), dataset[name]])),
  });
  for (const name of names()) delete dataset[name];
  // An address can have thousands of parameters. So many attributes are slow in browsers, and a link can't contain 1,200.
  for (const [name, text] of [...parameters].slice(0, 1200)) dataset[`referral${name[0].toUpperCase()}${name.slice(1)}`] = text;
  // The snippet reads no path, and an item comes first.
  if (isNamed) dataset.referrer = referrer;
  const tap = Object.fromEntries(parameters);

  // Android's visitors get Google Play, and those with an iPhone or iPad the App Store. Others see both.
  const isApple = /Mac.*5$|iP[aho]/.test(navigator.userAgent + navigator.maxTouchPoints);
  const play = find('play');
  const isAndroid = play && /Android/.test(navigator.userAgent) && !isApple;
  if (isAndroid) store.parentElement.hidden = true;
  else if (play && isApple) play.parentElement.hidden = true;

  // The page shows the contents only if a tap can copy them. Without the snippet, without a referrer, or with more text
  // than a link can contain, one of these lines throws.
  try {
    ReferralBridge.link(store.href, ReferralBridge.payload({ ...tap, timestamp: Date.now(), referrer }));
    find('referrer').textContent = shownText(referrer, 60);
    showParameters(tap);
    const kept = find('kept');
    if (kept) kept.hidden = !isNamed;
    if (isAndroid) {
      find('play-contents').replaceWith(find('contents'));
      find('play-note').hidden = false;
      play.setAttribute('aria-describedby', 'play-note');
      // Google Play passes the text to the app. It is written at the tap, as on the clipboard.
      const { href } = play;
      play.addEventListener('click', () => {
        const ed = ReferralBridge.payload({ ...tap, timestamp: Date.now(), referrer });
        play.href = `${href}&referrer=${encodeURIComponent(`ed=${ed}`)}`;
      });
    } else {
      store.setAttribute('aria-describedby', 'note');
      find('copying').hidden = false;
    }
  } catch {}
  addEventListener('referral:copied', ({ detail }) => {
    const status = find('status');
    status.textContent = detail.copied ? status.dataset.copied : status.dataset.failed;
  });

  // It isn't known whether Safari reads this, which a script has changed.
  const banner = document.querySelector('meta[name=apple-itunes-app][content*=app-clip]');
  if (banner && /^http/.test(location.protocol)) banner.content += `, app-argument=${location.href.split('#')[0].replace(/,/g, '%2C')}`;

  const icon = find('icon');
  if (icon) document.querySelector('link[rel=icon]').href = icon.src;

  // On devices that don't copy, the QR code leads to this page on an iPhone, with the referrer in the address. A file has no
  // address there.
  const phone = find('phone');
  if (!isApple && !isAndroid && location.protocol == 'file:') {
    find('scan').hidden = true;
    phone.hidden = find('local').hidden = false;
  } else if (!isApple && !isAndroid && /^http/.test(location.protocol)) {
    try {
      const image = new Image();
      image.src = 'data:image/svg+xml,' + encodeURIComponent(QRCode.svg(location.href.split('#')[0]));
      image.alt = phone.dataset.code;
      phone.prepend(image);
      phone.hidden = false;
    } catch {} // the address is too long for a QR code
  }
}
