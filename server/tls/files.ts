import { constants } from 'node:fs';
import { chmod, mkdir, open, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { t } from '../messages/messages.ts';
import type { Issued } from './issue.ts';

/**
 * Stores a certificate and its key as `<name>.crt` and `<name>.key` (mode 0600). Each file is replaced in one step and flushed.
 * The key comes first: a power cut between the two leaves a key without its certificate, never an unusable certificate.
 * @throws the file system's error
 */
export async function storePair(folder: string, name: string, issued: Issued): Promise<void> {
  await replaceFile(join(folder, `${name}.key`), issued.key, 0o600);
  await replaceFile(join(folder, `${name}.crt`), issued.certificate, 0o644);
}

/**
 * Creates the folder readable only by its owner, and removes access of others to it and to the household's keys, which a copy
 * from another machine may have. @returns a sentence for each path that stays accessible, as on a FAT disk
 * @throws the file system's error when the folder does not exist and cannot be created
 */
export async function prepareFolder(folder: string): Promise<string[]> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  if (process.platform === 'win32') return [];
  const exposed: string[] = [];
  if (await staysOpen(folder, 0o700)) exposed.push(folder);
  for (const name of ['ca.key', 'server.key']) {
    if (await staysOpen(join(folder, name), 0o600)) exposed.push(join(folder, name));
  }
  return exposed.map((path) => t('api.tls.exposed', { path }));
}

/**
 * The text of a file, `undefined` when it does not exist.
 * @throws any other error of the file system
 */
export async function readIfThere(path: string): Promise<string | undefined> {
  // A pipe would block the start. A link is allowed: other programs renew certificates behind it.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)).catch((error) => {
    if (isMissing(error)) return null;
    throw error;
  });
  if (file === null) return undefined;
  try {
    if (!(await file.stat()).isFile()) throw new Error(t('api.tls.notFile', { path }));
    return await file.readFile('utf8');
  } finally {
    await file.close();
  }
}

async function replaceFile(path: string, text: string, mode: number): Promise<void> {
  // A constant name, so that the next try replaces what a crash left; only one server writes here at a time.
  const temporary = `${path}.new`;
  await rm(temporary, { force: true });
  try {
    const file = await open(temporary, 'wx', mode);
    try {
      await file.writeFile(text);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** Makes the rename itself survive a power cut. Windows cannot open folders, and its file system flushes names itself. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Whether others still have access to the file or folder. */
async function staysOpen(path: string, mode: number): Promise<boolean> {
  try {
    if (((await stat(path)).mode & 0o077) === 0) return false;
    await chmod(path, mode);
    return ((await stat(path)).mode & 0o077) !== 0;
  } catch (error) {
    return !isMissing(error);
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
