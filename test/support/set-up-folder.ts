import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { OWNER } from './household.ts';

const LARDER = fileURLToPath(new URL('../../dist/server/larder.cjs', import.meta.url));

/** A client that is registered there. */
export interface SetUp {
  readonly clientId: string;
  readonly clientSecret: string;
}

let made: Promise<{ folder: string; setUp: SetUp }> | null = null;

afterAll(async () => {
  if (made !== null) await rm((await made).folder, { recursive: true, force: true });
});

/**
 * Makes a folder with an owner, the API on and a client, as `setup` and `clients.add` leave it: made once for the tests of
 * a file, and copied, because a folder may be.
 */
export async function setUpFolder(folder: string): Promise<SetUp> {
  made ??= make();
  const pattern = await made;
  await cp(pattern.folder, folder, { recursive: true });
  return pattern.setUp;
}

async function make(): Promise<{ folder: string; setUp: SetUp }> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-set-up-'));
  const at = ['--folder', folder, '--json'];
  const owner = ['--owner', OWNER.username, '--password-stdin', '--enable-api'];
  await larder(['setup', ...owner, ...at], `${OWNER.password}\n`);
  const setUp = JSON.parse(await larder(['control', 'clients.add', '{"name":"Tests"}', ...at]));
  return { folder, setUp };
}

/** Runs a command of the built command line to its end, which has to be a good one. @returns its standard output */
async function larder(args: readonly string[], input = ''): Promise<string> {
  const child = spawn(process.execPath, [LARDER, ...args], { stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.end(input);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`larder ${args[0]}: exit code ${code}, ${stderr}`);
  return stdout;
}
