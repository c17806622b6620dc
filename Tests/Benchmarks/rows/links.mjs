// The job of `referral-tool links` in plain JavaScript: node links.mjs PAGE PT TIMESTAMP [by-hand] <in.csv >out.csv

import { createInterface } from 'node:readline';

const [page, providerToken, time, way] = process.argv.slice(2);
const timestamp = Number(time);
const url = new URL(page);
url.searchParams.set('pt', providerToken);
const { hash } = url;
const start = `${url.href.slice(0, url.href.length - hash.length)}&ct=`;

const encodedData = (referrer, parameters) =>
  Buffer.from(JSON.stringify({ timestamp, referrer, ...parameters })).toString('base64url');

// As one writes it first.
function linkByURL(referrer, campaignToken, parameters) {
  url.searchParams.set('ct', campaignToken);
  url.searchParams.set('ed', encodedData(referrer, parameters));
  return url.href;
}

// As one writes it when that is too slow.
function linkByHand(referrer, campaignToken, parameters) {
  return `${start}${encodeURIComponent(campaignToken)}&ed=${encodedData(referrer, parameters)}${hash}`;
}

const link = way === 'by-hand' ? linkByHand : linkByURL;

// A row's cells; undefined where a quote is still open, since a line break may stand in quotes.
function cells(row) {
  if (!row.includes('"')) return row.split(',');
  const cells = [];
  let cell = '';
  let isQuoted = false;
  for (let i = 0; i < row.length; i++) {
    const character = row[i];
    if (character === '"') {
      if (isQuoted && row[i + 1] === '"') cell += row[i++];
      else isQuoted = !isQuoted;
    } else if (character === ',' && !isQuoted) {
      cells.push(cell);
      cell = '';
    } else {
      cell += character;
    }
  }
  return isQuoted ? undefined : [...cells, cell];
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
let referrer, campaignToken, greeting;
let isFirst = true;
let open = '';
let output = '';

lines.on('line', line => {
  const row = open + line;
  const values = cells(row);
  if (!values) {
    open = `${row}\n`;
    return;
  }
  open = '';
  if (isFirst) {
    isFirst = false;
    referrer = values.indexOf('referrer');
    campaignToken = values.indexOf('ct');
    greeting = values.indexOf('param.greeting');
    output = `${row},link\n`;
    return;
  }
  const parameters = greeting < 0 ? undefined : { greeting: values[greeting] };
  output += `${row},${link(values[referrer], values[campaignToken], parameters)}\n`;
  if (output.length > 65_536) flush();
});
lines.on('close', flush);

function flush() {
  if (!process.stdout.write(output)) {
    lines.pause();
    process.stdout.once('drain', () => lines.resume());
  }
  output = '';
}
