// Shows an invitation on a page made with --invitations, if the address names a personal code. Comes after landing.js.
{
  const find = id => document.getElementById(id);
  const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

  // The product with α in the field of 32 elements, whose polynomial is x⁵ + x² + 1.
  const next = element => element << 1 ^ (element & 16 && 37);

  // The groups of a code, or undefined for any other text. InviteCode in the library has the same rules.
  const groups = text => {
    const [typed = ''] = /\P{White_Space}[^]*\P{White_Space}/u.exec(text) ?? [];
    const symbols = typed.replace(/[ .\u2010-\u2015-]/g, '');
    if (!/^[\da-tv-z]{12}$/i.test(symbols)) return;
    const written = symbols.toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1');
    // The two sums that the check symbols make zero: of cᵢ αⁱ, and of cᵢ α²ⁱ.
    let [first, second] = [0, 0];
    for (const symbol of Array.from(written).reverse()) {
      const element = ALPHABET.indexOf(symbol);
      first = next(first) ^ element;
      second = next(next(second)) ^ element;
    }
    if (first == 0 && second == 0) return written.match(/.{4}/g);
  };

  const code = groups(LandingAddress.named(location, find('store').dataset.referrerFrom).referrer);
  if (code) {
    find('invite-code').textContent = code.join('-');
    // Screen readers read each symbol.
    find('spelled').textContent = code.map(group => Array.from(group).join(' ')).join(', ');
    find('invited').hidden = false;
    find('invitation').hidden = false;
  }
}
