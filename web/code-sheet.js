/*
 * CodeSheet draws the QR codes of a sheet that people print, and saves them as files. Needs qr-code.js.
 *
 *   CodeSheet.picture(link)  → an <svg> element; throws a RangeError if the link is too long
 *   CodeSheet.fill(figure, link, name, referrer)  adds the picture, and buttons that save it
 *   CodeSheet.save(link, referrer, 'svg')  saves a code under the name of its referrer
 *   CodeSheet.download('links.csv', content, 'text/csv')  saves a file
 */
{
  const draw = (tag, attributes, ...children) => {
    const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const name in attributes) element.setAttribute(name, attributes[name]);
    element.append(...children);
    return element;
  };

  // Modules of whole pixels are easier to scan.
  const picture = text => {
    const { d, size } = QRCode.path(QRCode.encode(text));
    const side = size * Math.max(3, Math.floor(240 / size));
    return draw('svg', { viewBox: `0 0 ${size} ${size}`, width: side, height: side, 'shape-rendering': 'crispEdges' },
      draw('rect', { width: size, height: size, fill: '#fff' }), draw('path', { d, fill: '#000' }));
  };

  const download = (name, content, type) => {
    const address = URL.createObjectURL(content instanceof Blob ? content : new Blob([content], { type }));
    Object.assign(document.createElement('a'), { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60000);
  };

  // As an image of at least 1,024 by 1,024 pixels, or as a scalable one.
  const save = (text, name, extension) => {
    const file = `qr-${name.replace(/[^\w.-]+/g, '-').slice(0, 60)}.${extension}`;
    if (extension == 'svg') {
      download(file, QRCode.svg(text), 'image/svg+xml');
      return;
    }
    const { d, size } = QRCode.path(QRCode.encode(text));
    const scale = Math.ceil(1024 / size);
    const canvas = Object.assign(document.createElement('canvas'), { width: size * scale, height: size * scale });
    const context = canvas.getContext('2d');
    context.scale(scale, scale);
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size, size);
    context.fillStyle = '#000';
    context.fill(new Path2D(d));
    canvas.toBlob(blob => download(file, blob));
  };

  const fill = (figure, link, name, referrer) => {
    const code = picture(link);
    code.setAttribute('role', 'img');
    code.setAttribute('aria-label', `QR code of ${name}`);
    const row = Object.assign(document.createElement('p'), { className: 'row' });
    for (const extension of ['svg', 'png']) {
      const button = Object.assign(document.createElement('button'), { type: 'button', className: 'small', textContent: extension.toUpperCase() });
      button.setAttribute('aria-label', `Download the code of ${name} as ${extension.toUpperCase()}`);
      button.addEventListener('click', () => save(link, referrer, extension));
      row.append(button);
    }
    figure.prepend(code);
    figure.append(row);
  };

  globalThis.CodeSheet = { picture, fill, save, download };
}
