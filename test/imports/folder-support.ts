import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { buildPackedZip, type ZipItem } from '../support/content/build-zip.ts';
import type { Household } from '../support/households/household.ts';

export interface FolderImport {
  import: string;
  folder: string;
  account: { id: number; username: string };
  target: string;
  state: string;
  failure: string | null;
  total: number | null;
  handled: number;
  stored: number;
  known: number;
  inAlbums: number;
  undated: number;
}

export interface FolderReport extends FolderImport {
  notes: { entry: string; reason: string }[];
}

export interface Examined {
  services: string[];
  archives: number;
  unpacked: number;
  files: number;
  bytes: number;
  undated: number;
  albums: number;
  missingCount: number;
  missing: string[];
  notes: { reason: string; count: number; entries: string[] }[];
  quotaLeft: number | null;
  diskFree: number | null;
}

/** Puts ZIP files into a folder of the disk, by their paths. */
export async function putZips(folder: string, zips: Readonly<Record<string, readonly ZipItem[]>>): Promise<void> {
  for (const [path, items] of Object.entries(zips)) await put(join(folder, path), buildPackedZip(items));
}

/** Puts what an archive has into a folder of the disk. */
export async function putUnpacked(folder: string, items: readonly ZipItem[]): Promise<void> {
  for (const { name, content } of items) await put(join(folder, String(name)), content ?? '');
}

async function put(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, content);
}

export async function accountId(household: Household, username: string): Promise<number> {
  return Number((await household.control('accounts.get', { username })).id);
}

/** What the owner is told of a folder before an import. */
export async function examine(
  household: Household,
  folder: string,
  username: string,
  more: object = {},
): Promise<Examined> {
  const input = { folder, accountId: await accountId(household, username), ...more };
  return (await household.control('imports.examine', input)) as never;
}

export async function startFolder(
  household: Household,
  folder: string,
  username: string,
  more: object = {},
): Promise<FolderImport> {
  const input = { folder, accountId: await accountId(household, username), ...more };
  return (await household.control('imports.start', input)) as never;
}

export async function folderReport(household: Household, id: string): Promise<FolderReport> {
  const { imports } = (await household.control('imports.list')) as { imports: FolderImport[] };
  const found = imports.find((one) => one.import === id);
  if (found === undefined) throw new Error('the import is not listed');
  const { notes } = (await household.control('imports.report', { import: id })) as Pick<FolderReport, 'notes'>;
  return { ...found, notes };
}

/** Waits until an import has ended. */
export async function folderEnded(household: Household, id: string): Promise<FolderReport> {
  await expect.poll(async () => (await folderReport(household, id)).state).toMatch(/^(?:done|failed|cancelled)$/);
  return folderReport(household, id);
}

/** Imports a folder, which must succeed. */
export async function folderImported(
  household: Household,
  folder: string,
  username: string,
  more: object = {},
): Promise<FolderReport> {
  const report = await folderEnded(household, (await startFolder(household, folder, username, more)).import);
  expect([report.state, report.failure]).toEqual(['done', null]);
  return report;
}
