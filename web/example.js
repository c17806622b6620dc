// Whoever invited you stands in the page's own address: example.html?ref=alice
const referrer = new URLSearchParams(location.search).get('ref');
if (referrer) document.getElementById('referrer').textContent = referrer;

document.addEventListener('referral:copied', ({ detail }) => {
  if (detail.copied) document.getElementById('status').textContent = 'The link is on your clipboard now. Open Trestle within five minutes.';
});
