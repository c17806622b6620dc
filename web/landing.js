{
  const find = id => document.getElementById(id);
  const store = find('store');

  // The page names the referrer only if a tap can copy it. Without the snippet, without a referrer, or with more text than
  // a link can hold, one of these lines throws.
  try {
    const { dataset } = store;
    const referrer = new URLSearchParams(location.search).get(dataset.referrerFrom) || dataset.referrer;
    const tap = {};
    // This pattern, and the one for devices below, are the snippet's own; a test compares them.
    for (const name in dataset) {
      if (/^referral(?!On$)[A-Z]/.test(name)) tap[name[8].toLowerCase() + name.slice(9)] = dataset[name];
    }
    ReferralBridge.link(store.href, ReferralBridge.payload(Object.assign(tap, { timestamp: Date.now(), referrer })));
    const letters = [...referrer];
    find('referrer').textContent = letters.length > 60 ? letters.slice(0, 60).join('') + '…' : referrer;
    store.setAttribute('aria-describedby', 'note');
    find('copying').hidden = false;
  } catch {}
  addEventListener('referral:copied', ({ detail }) => {
    const status = find('status');
    if (detail.copied) status.textContent = status.dataset.copied;
  });

  const icon = find('icon');
  if (icon) document.querySelector('link[rel=icon]').href = icon.src;

  // On devices that don't copy, the QR code takes people to this page on their iPhone. It keeps the referrer in the address.
  if (!/Mac.*5$|iP[aho]/.test(navigator.userAgent + navigator.maxTouchPoints) && /^http/.test(location.protocol)) {
    try {
      const phone = find('phone');
      const image = new Image();
      image.src = 'data:image/svg+xml,' + encodeURIComponent(QRCode.svg(location.href.split('#')[0]));
      image.alt = phone.dataset.code;
      phone.prepend(image);
      phone.hidden = false;
    } catch {} // the address is too long for a QR code
  }
}
