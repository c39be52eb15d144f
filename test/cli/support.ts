import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { t } from '../support/server-texts.ts';

const LARDER = fileURLToPath(new URL('../../dist/server/larder.cjs', import.meta.url));
const QUIET = [
  '--port',
  '0',
  '--http-port',
  '0',
  '--control-port',
  '0',
  '--host',
  '127.0.0.1',
  '--log-level',
  'silent',
];

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Processes that still run, for the end of a file of tests. */
const running = new Set<ChildProcessWithoutNullStreams>();

function start(args: readonly string[], variables: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const env = { PATH: process.env.PATH ?? '', HOME: tmpdir(), ...variables };
  const child = spawn(process.execPath, [LARDER, ...args], { env, stdio: 'pipe' });
  running.add(child);
  child.on('exit', () => running.delete(child));
  child.stdin.on('error', () => undefined);
  return child;
}

function finished(child: ChildProcessWithoutNullStreams): Promise<Finished> {
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => {
    stdout += chunk;
  });
  child.stderr.on('data', (chunk) => {
    stderr += chunk;
  });
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
}

/** Runs a command as it stands. @param input all of standard input, which ends after it; `null` leaves it open */
export async function run(
  args: readonly string[],
  input: string | null = '',
  variables: Record<string, string> = {},
): Promise<Finished> {
  const child = start(args, variables);
  const done = finished(child);
  if (input === null) return done;
  child.stdin.end(input);
  return done;
}

export interface Installation {
  readonly folder: string;
  larder(args: readonly string[], input?: string | null): Promise<Finished>;
  /** `larder control`, which must succeed. */
  control(method: string, input?: unknown): Promise<Record<string, unknown>>;
  /** By the command; its result. */
  setUp(): Promise<Record<string, unknown>>;
  serve(): Promise<Server>;
  remove(): Promise<void>;
}

export interface Server {
  readonly child: ChildProcessWithoutNullStreams;
  /** What `serve` printed until it was ready. */
  readonly greeting: string;
  readonly port: number;
  readonly finished: Promise<Finished>;
  stop(signal?: NodeJS.Signals): Promise<Finished>;
}

/** One where `setup` has been, for tests that begin after it. */
export async function setUpInstallation(): Promise<Installation> {
  const installation = await newInstallation();
  await setUpFolder(installation.folder);
  return installation;
}

export async function newInstallation(): Promise<Installation> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-test-'));
  const larder = (args: readonly string[], input: string | null = '') =>
    run([...args, '--folder', folder, ...QUIET], input);
  return {
    folder,
    larder,
    async control(method, input = {}) {
      const { code, stdout, stderr } = await larder(['control', method, JSON.stringify(input), '--json']);
      if (code !== 0) throw new Error(`${method}: exit code ${code}, ${stderr}`);
      return JSON.parse(stdout);
    },
    async setUp() {
      const args = ['setup', '--owner', 'ann', '--password-stdin', '--enable-api', '--json'];
      const { code, stdout, stderr } = await larder(args, 'correct horse battery\n');
      if (code !== 0) throw new Error(`setup: exit code ${code}, ${stderr}`);
      return JSON.parse(stdout);
    },
    serve: () => serveOn(folder),
    async remove() {
      await Promise.all(
        [...running].map((child) => new Promise((resolve) => child.once('exit', resolve).kill('SIGKILL'))),
      );
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function serveOn(folder: string): Promise<Server> {
  const child = start(['serve', '--folder', folder, ...QUIET]);
  const done = finished(child);
  let greeting = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      greeting += chunk;
      if (greeting.includes(t('cli.serve.linkHelp'))) setImmediate(resolve);
    });
    done.then(({ code, stderr }) => reject(new Error(`serve ended with ${code}: ${stderr}`)), reject);
  });
  const port = Number(/https:\/\/localhost:(\d+)/.exec(greeting)?.[1]);
  return {
    child,
    greeting,
    port,
    finished: done,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return done;
    },
  };
}
