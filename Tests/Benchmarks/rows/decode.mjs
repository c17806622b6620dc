// The job of `referral-tool decode --each` in plain JavaScript: node decode.mjs APP-ID NOW <links.txt >verdicts.jsonl

import { createInterface } from 'node:readline';

const HOSTS = new Set(['apps.apple.com', 'itunes.apple.com']);
const WINDOW = 300_000;
const TOLERANCE = 30_000;

const [appID, time] = process.argv.slice(2);
const app = `/id${appID}`;
const now = Number(time);

const fallen = verdict => ({ verdict, referrer: null, timestamp: null, parameters: null });

// A link's verdict, referrer, timestamp and parameters.
function judge(line) {
  let url;
  try {
    url = new URL(line);
  } catch {
    return fallen('notALink');
  }
  if (!HOSTS.has(url.hostname)) return fallen('notALink');
  if (!url.pathname.endsWith(app)) return fallen('wrongApp');
  const ed = url.searchParams.getAll('ed').at(-1);
  if (!ed) return fallen('noPayload');
  let payload;
  try {
    payload = JSON.parse(Buffer.from(ed, 'base64url').toString());
  } catch {
    return fallen('malformedPayload');
  }
  const { timestamp, referrer } = payload;
  if (typeof timestamp !== 'number' || typeof referrer !== 'string' || !referrer) return fallen('malformedPayload');
  const parameters = {};
  for (const name of Object.keys(payload).sort()) {
    const isOurs = name === 'timestamp' || name === 'referrer';
    if (!isOurs && typeof payload[name] === 'string') parameters[name] = payload[name];
  }
  const verdict = timestamp > now + TOLERANCE ? 'fromTheFuture' : timestamp <= now - WINDOW ? 'expired' : 'found';
  return { verdict, referrer, timestamp, parameters };
}

const lines = createInterface({ input: process.stdin, crlfDelay: Infinity });
let output = '';

lines.on('line', line => {
  output += `${JSON.stringify(judge(line))}\n`;
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
