import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, it, type TestContext } from 'vitest';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { lintDescription } from './lint-description.ts';

/** Suites that others have written against servers and descriptions of any kind, where they are installed. */
const run = promisify(execFile);

let installation: Installation;
let api: ApiClient;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), 'larder-suites-'));
  installation = await Installation.create();
  api = await installation.start();
  await api.put({ path: '/ROOT/HOME/large.bin' }, Buffer.alloc(5_000_000, 'x'));
});
afterAll(async () => {
  await installation?.remove();
  await rm(scratch, { recursive: true, force: true });
});

const host = () => new URL(api.base).host;

function isInstalled(program: string): boolean {
  try {
    execFileSync('which', [program], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** @returns whether the suite can run; the report says where it cannot */
function canRun(program: string, { task }: TestContext): boolean {
  if (isInstalled(program)) return true;
  task.meta.trust = { tried: `${program} is not installed here`, found: '', isTried: false };
  return false;
}

it('sslscan: protocols, ciphers, key exchange', { timeout: 300_000 }, async (context) => {
  if (!canRun('sslscan', context)) return;
  const { stdout } = await run('sslscan', ['--no-colour', '--xml=-', host()], { maxBuffer: 10_000_000 });
  const enabled = [...stdout.matchAll(/<protocol type="(\w+)" version="([\d.]+)" enabled="1"/g)].map(
    ([, type, version]) => `${type} ${version}`,
  );
  const ciphers = [
    ...stdout.matchAll(/<cipher status="\w+" sslversion="([^"]+)".*? cipher="([^"]+)".*? strength="(\w+)"/g),
  ];
  const told = ciphers.map(([, protocol, cipher]) => `${protocol} ${cipher}`);
  context.task.meta.trust = {
    tried: `${enabled.join(', ').replaceAll('tls', 'TLS')}; ${told.length} cipher suites`,
    found: 'nothing older, no weak one, no compression, no heartbleed, no renegotiation',
  };
  expect(enabled).toEqual(['tls 1.2', 'tls 1.3']);
  expect(told.length).toBeGreaterThan(3);
  expect(told.filter((one) => !/TLS_(?:AES|CHACHA20)|ECDHE-ECDSA-(?:AES\d+-GCM|CHACHA20)/.test(one))).toEqual([]);
  expect(ciphers.filter(([, , , strength]) => !/^(?:strong|acceptable)$/.test(strength ?? ''))).toEqual([]);
  expect(stdout).not.toMatch(/vulnerable="1"|<compression supported="1"|<renegotiation supported="1" secure="0"/);
});

/** What testssl.sh says of every household's own certificate authority, and why it is so. */
const ANSWERED: Readonly<Record<string, string>> = {
  cert_revocation: 'a household has nobody who would answer for a revocation; a leaf is renewed each year',
  DNS_CAArecord: 'a name of the LAN has no DNS records',
  HSTS: 'other services of the same host have other ports, which it would close',
};

it('testssl.sh: vulnerabilities, certificate, protocols', { timeout: 900_000 }, async (context) => {
  if (!canRun('testssl', context)) return;
  const json = join(scratch, 'testssl.json');
  const ca = join(installation.folder, '.larder', 'tls', 'ca.crt');
  const args = ['--quiet', '--color', '0', '--warnings', 'batch', '--add-ca', ca, '--jsonfile', json, host()];
  // It says by its exit status how much it has found.
  await run('testssl', args, { maxBuffer: 10_000_000 }).catch(() => undefined);
  const findings = JSON.parse(await readFile(json, 'utf8')) as { id: string; severity: string; finding: string }[];
  const grave = findings.filter(({ severity }) => /^(?:LOW|MEDIUM|HIGH|CRITICAL|FATAL)$/.test(severity));
  // What the tester itself could not try, with the OpenSSL that it has.
  const untried = findings.filter(({ severity }) => severity === 'WARN').map(({ id }) => id);
  const answered = grave.filter(({ id }) => id in ANSWERED).map(({ id }) => `${id} (${ANSWERED[id]})`);
  context.task.meta.trust = {
    tried: `${findings.length} checks; could not be tried by it: ${untried.join(', ') || 'none'}`,
    found: `${grave.length - answered.length} findings; answered: ${answered.join('; ')}`,
  };
  expect(findings.length).toBeGreaterThan(100);
  expect(grave.filter(({ id }) => !(id in ANSWERED))).toEqual([]);
});

const SLOW: readonly [name: string, flag: string, path: string][] = [
  ['headers', '-H', '/files/'],
  ['bodies', '-B', '/oauth2/token/'],
  ['reading', '-X', '/api.php/openapi.json'],
  ['many ranges', '-R', '/api.php/openapi.json'],
];

it.for(SLOW)('slowhttptest: slow %s', { timeout: 300_000 }, async ([what, flag, path], context) => {
  if (!canRun('slowhttptest', context)) return;
  const report = join(scratch, `slow-${what.replace(' ', '-')}`);
  const options = ['-c', '500', '-r', '100', '-i', '5', '-l', '40', '-p', '5', '-g', '-o', report, '-v', '1'];
  await run('slowhttptest', [flag, ...options, '-u', `${api.base}${path}`]);
  const rows = (await readFile(`${report}.csv`, 'utf8')).trim().split('\n').slice(1);
  const numbers = rows.map((row) => row.split(',').map(Number));
  const away = numbers.filter(([, , , , available]) => available === 0).length;
  const most = Math.max(...numbers.map(([, , , connected = 0]) => connected));
  context.task.meta.trust = {
    tried: `500 connections, up to ${most} at a time, ${numbers.length} s`,
    found: `not there for others in ${away} of ${numbers.length} s`,
  };
  expect(numbers.length).toBeGreaterThan(0);
  expect(away).toBe(0);
});

it('redocly lint: the OpenAPI description, every rule', async ({ task }) => {
  const { rules, problems } = await lintDescription(api);
  task.meta.trust = { tried: `${rules} rules of the set recommended-strict`, found: `${problems.length} problems` };
  expect(problems).toEqual([]);
});

it('npm audit', { timeout: 120_000 }, async ({ task }) => {
  const { stdout } = await run('npm', ['audit', '--json', '--ignore-scripts'], { maxBuffer: 50_000_000 }).catch(
    (error: { stdout?: string }) => ({ stdout: error.stdout ?? '' }),
  );
  const answer = JSON.parse(stdout || '{}') as { metadata?: { vulnerabilities: Record<string, number> } };
  if (answer.metadata === undefined) {
    task.meta.trust = { tried: 'the registry here does not answer it', found: '', isTried: false };
    return;
  }
  const { total = 0 } = answer.metadata.vulnerabilities;
  task.meta.trust = { tried: 'every package of the lock file', found: `${total} known vulnerabilities` };
  expect(total).toBe(0);
});
