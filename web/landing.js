{
  const find = id => document.getElementById(id);
  const store = find('store');

  // Only what gets copied is spoken of: nothing where this script or the snippet does not run, where nobody sent the person,
  // or where it is more than a link can hold, which is when these throw.
  try {
    const { dataset } = store;
    const referrer = new URLSearchParams(location.search).get(dataset.referrerFrom) || dataset.referrer;
    const tap = {};
    // As the snippet has them.
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

  // Elsewhere than on the devices that copy, the way goes on with the page's own address, whoever sent people in it.
  if (!/Mac.*5$|iP[aho]/.test(navigator.userAgent + navigator.maxTouchPoints) && /^http/.test(location.protocol)) {
    try {
      const phone = find('phone');
      const image = new Image();
      image.src = 'data:image/svg+xml,' + encodeURIComponent(QRCode.svg(location.href.split('#')[0]));
      image.alt = phone.dataset.code;
      phone.prepend(image);
      phone.hidden = false;
    } catch {} // an address too long for a code
  }
}
