// The published files are small, up to date and complete.

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const web = fileURLToPath(new URL('..', import.meta.url));
const read = name => readFileSync(join(web, name), 'utf8');

const inTemporaryFolder = use => {
  const folder = mkdtempSync(join(tmpdir(), 'referral-bridge-'));
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
};

for (const name of ['referral-bridge', 'referral-keep', 'qr-code', 'landing', 'landing-invitation', 'landing-count', 'referral-ct', 'code-sheet', 'sheet']) {
  test(`${name}.min.js is up to date with the readable file`, () => inTemporaryFolder(folder => {
    const fresh = join(folder, 'fresh.js');
    execFileSync(join(web, 'minify'), [name, fresh]);
    assert.equal(read(`${name}.min.js`), readFileSync(fresh, 'utf8'), 'run web/minify');
  }));
}

test('the snippet is as small as the README says, measured with the README\'s command', () => {
  const readme = readFileSync(join(web, '../README.md'), 'utf8');
  const [, most, command] = /at most ([\d,]+) bytes \(`([^`]+)`\)/.exec(readme.replace(/\s+/g, ' '));
  assert.equal(most, '1,024');
  const weight = Number(execFileSync('sh', ['-c', command], { cwd: join(web, '..'), encoding: 'utf8' }));
  assert.ok(weight > 500 && weight <= 1024, `${weight} bytes`);
});

test('the minified file does the same', () => {
  const program = name => `
    import ${JSON.stringify(join(web, name))};
    const { payload, link, copy } = globalThis.ReferralBridge;
    console.log(link('https://apps.apple.com/app/id1?ed=1#x', payload({ timestamp: 1e12, referrer: '\\ud800 "é"', 10: 'b', a: '/' })), typeof copy);`;
  const run = name => execFileSync(process.execPath, ['--input-type=module', '-e', program(name)], { encoding: 'utf8' });
  assert.equal(run('referral-bridge.min.js'), run('referral-bridge.js'));
});

test('a landing page has the snippet\'s own patterns', () => {
  const patterns = read('landing.js').match(/\/(\^referral|Mac).*?\//g);
  assert.equal(patterns.length, 2);
  for (const pattern of patterns) assert.ok(read('referral-bridge.js').includes(pattern), pattern);
});

test('the package contains what its exports name, and nothing else', () => inTemporaryFolder(folder => {
  const packed = JSON.parse(execFileSync('npm', ['pack', '--dry-run', '--json', '--offline', '--cache', folder], {
    cwd: web, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'],
  }))[0].files.map(file => file.path).sort();
  const scripts = ['qr-code', 'referral-bridge', 'referral-ct', 'referral-keep', 'referral-reader', 'store-page'];
  const named = ['package.json', 'referral-bridge.min.js', ...scripts.flatMap(name => [`${name}.d.ts`, `${name}.js`])].sort();
  assert.deepEqual(packed, ['README.md', ...named]);

  const manifest = JSON.parse(read('package.json'));
  const exported = Object.values(manifest.exports).flatMap(target => typeof target === 'string' ? target : Object.values(target));
  assert.deepEqual([...new Set(exported.map(name => name.replace('./', '')))].sort(), named);
  assert.equal(manifest.dependencies, undefined);
}));

test('the scripts have what their types say, and a page in TypeScript compiles with them', async () => {
  // What only our own scripts and tests use has no types.
  const internal = {
    StorePage: ['components', 'decodeUTF8', 'encodeItem', 'hasDisplayControl', 'hasScheme', 'percentDecode', 'percentEncode', 'splitQuery', 'toWellFormed', 'utf8'],
    ReferralReader: ['formatSpan', 'isSignature', 'isSigner'],
  };
  for (const [script, name] of Object.entries({
    'referral-bridge': 'ReferralBridge', 'store-page': 'StorePage', 'referral-reader': 'ReferralReader', 'qr-code': 'QRCode',
  })) {
    await import(`../${script}.js`);
    const typed = [...read(`${script}.d.ts`).matchAll(/^  (\w+)[(<]/gm)].map(([, member]) => member);
    assert.deepEqual([...typed, ...internal[name] ?? []].sort(), Object.keys(globalThis[name]).sort(), name);
  }
  const options = ['--noEmit', '--strict', '--target', 'es2020', '--lib', 'es2020,dom', '--module', 'node16'];
  const { error, stdout, status } = spawnSync('tsc', [...options, join(web, 'tests/types/page.ts')], { encoding: 'utf8' });
  assert.deepEqual([error, stdout, status], [undefined, '', 0]);
});

test('an import defines the global, and a second import changes nothing', async () => {
  assert.equal(JSON.parse(read('package.json')).sideEffects, true);
  await import('../referral-bridge.js');
  const first = globalThis.ReferralBridge;
  await import('../referral-bridge.js?again');
  await import('../referral-bridge.min.js');
  assert.equal(globalThis.ReferralBridge, first);
});

test('a bundler keeps the snippet, which starts without a page too', () => inTemporaryFolder(folder => {
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(web, join(folder, 'node_modules/referral-bridge'));
  const entry = join(folder, 'entry.js');
  writeFileSync(entry, "import 'referral-bridge/keep';\nimport 'referral-bridge';\nconsole.log(typeof ReferralBridge.copy);\n");
  for (const [format, extension] of [['iife', 'js'], ['esm', 'mjs'], ['cjs', 'cjs']]) {
    const bundle = join(folder, `bundle.${extension}`);
    execFileSync('esbuild', [entry, '--bundle', '--minify', '--tree-shaking=true', `--format=${format}`, `--outfile=${bundle}`, '--log-level=warning']);
    assert.equal(execFileSync(process.execPath, [bundle], { encoding: 'utf8' }), 'function\n', format);
    const text = readFileSync(bundle, 'utf8');
    for (const part of ['data-referrer-keep', 'referral:copied', 'globalThis.ReferralBridge=']) assert.ok(text.includes(part), part);
  }
}));
