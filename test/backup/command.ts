import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { PASSPHRASE } from './support.ts';

const LARDER = fileURLToPath(new URL('../../dist/server/larder.cjs', import.meta.url));

export interface Ended {
  readonly code: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a command; the passphrase is its standard input. @param failPoints as in `LARDER_FAIL_POINTS` */
export async function larder(args: readonly string[], failPoints = ''): Promise<Ended> {
  const env = { ...process.env, ...(failPoints === '' ? {} : { LARDER_FAIL_POINTS: failPoints }) };
  const child = spawn(process.execPath, [LARDER, ...args], { env, stdio: 'pipe' });
  let stdout = '';
  let stderr = '';
  child.stdout.on('data', (chunk) => (stdout += chunk));
  child.stderr.on('data', (chunk) => (stderr += chunk));
  child.stdin.on('error', () => undefined);
  child.stdin.end(`${PASSPHRASE}\n`);
  const [code, signal] = await once(child, 'close');
  return { code, signal, stdout, stderr };
}

/** Runs a command that has to come to a fail point. @param folder where it leaves that it did */
export async function larderTo(folder: string, point: string, action: string, args: readonly string[]): Promise<Ended> {
  const ended = await larder(args, `${folder};${point}=${action}`);
  expect(existsSync(join(folder, `${point}.reached`)), `${point} was not reached: ${ended.stderr}`).toBe(true);
  await rm(join(folder, `${point}.reached`));
  return ended;
}
