// The page of `referral-tool links --sheet`: draws its codes, a few at a time, and prints them.
{
  const SLICE = 30; // ms
  const find = id => document.getElementById(id);
  const sheet = find('sheet');
  const waiting = Array.from(sheet.children).reverse();
  let problems = 0;

  const drawNext = () => {
    const figure = waiting.pop();
    const name = figure.querySelector('figcaption');
    try {
      CodeSheet.fill(figure, figure.dataset.link, name.textContent, figure.dataset.referrer);
    } catch {
      name.after(Object.assign(document.createElement('p'), { className: 'bad', textContent: 'The address is too long for a QR code.' }));
      problems += 1;
    }
  };

  const drawUntil = end => {
    while (waiting.length && performance.now() < end) drawNext();
    const count = sheet.children.length - problems - waiting.length;
    find('status').textContent = `${count.toLocaleString('en')} code${count == 1 ? '' : 's'}${waiting.length ? ' …' : '.'}`
      + (problems ? ` ${problems == 1 ? '1 address is' : `${problems} addresses are`} too long for a QR code.` : '');
  };

  const work = () => {
    drawUntil(performance.now() + SLICE);
    if (waiting.length) setTimeout(work);
  };

  find('side').addEventListener('change', ({ target }) => sheet.style.setProperty('--side', `${target.value}mm`));
  find('print').addEventListener('click', () => print());
  addEventListener('beforeprint', () => drawUntil(Infinity));
  find('controls').hidden = false;
  work();
}
