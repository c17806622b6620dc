// The page of `referral-tool report --html`: sorts and searches its table.
{
  const table = document.querySelector('.scroll table');
  if (table) {
    const body = table.tBodies[0];
    const rows = Array.from(body.rows);
    const heads = Array.from(table.tHead.rows[0].cells);
    const text = (row, column) => row.cells[column].textContent;
    const number = (row, column) => Number(row.cells[column].textContent.replace(/,/g, ''));

    const sort = (column, isDescending) => {
      const compare = heads[column].classList.contains('number')
        ? (a, b) => number(a, column) - number(b, column)
        : (a, b) => text(a, column).localeCompare(text(b, column), 'en');
      rows.sort((a, b) => (isDescending ? compare(b, a) : compare(a, b)));
      for (const row of rows) body.append(row);
      heads.forEach((head, index) => {
        if (index == column) head.setAttribute('aria-sort', isDescending ? 'descending' : 'ascending');
        else head.removeAttribute('aria-sort');
      });
    };

    heads.forEach((head, column) => {
      const button = Object.assign(document.createElement('button'), { type: 'button', textContent: head.textContent });
      button.addEventListener('click', () => {
        const last = head.getAttribute('aria-sort');
        sort(column, last ? last == 'ascending' : head.classList.contains('number'));
      });
      head.replaceChildren(button);
    });

    // Without marks and case, so that zoe finds Zoë.
    const plain = text => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
    const search = document.querySelector('.search');
    const status = search.querySelector('[role=status]');
    search.querySelector('input').addEventListener('input', event => {
      const wanted = plain(event.target.value.trim());
      let shown = 0;
      for (const row of rows) {
        row.hidden = !plain(text(row, 0)).includes(wanted);
        shown += row.hidden ? 0 : 1;
      }
      status.textContent = wanted ? `${shown.toLocaleString('en')} of ${rows.length.toLocaleString('en')}` : '';
    });
    search.hidden = false;
  }
}
