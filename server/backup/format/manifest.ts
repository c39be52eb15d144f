import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { z } from 'zod';
import { t } from '../../messages/messages.ts';
import { plainStat, readPlain, writeNew } from '../../storage/plain-files.ts';
import { BackupProblem } from './problem.ts';

export const MANIFEST = 'manifest.json';
/** The manifest's hash, in the format of `sha256sum --check`. */
const MANIFEST_SUM = 'manifest.sha256';
export const DATABASE = 'larder.sqlite';
export const KEYS = 'keys.sealed';
export const CERTIFICATES = 'tls';
export const FILES = 'files';
export const FILE_LIST = 'files.jsonl';
/** Bytes: far more than any manifest that Larder writes. */
const LONGEST = 16 * 1024 * 1024;

const part = z.object({ file: z.string(), bytes: z.int(), sha256: z.string() });

/** A home, its former location, and the folder of its files below `files/`; null if it was not copied. */
const manifestHome = z.object({
  id: z.string(),
  username: z.string(),
  /** Its former absolute path. */
  path: z.string(),
  folder: z.string().nullable(),
  state: z.enum(['copied', 'offline', 'left-out']),
});

const manifest = z.object({
  format: z.literal('larder-backup'),
  formatVersion: z.int(),
  larder: z.string(),
  /** ISO 8601. */
  madeAt: z.string(),
  /** The id of the installation: see `settings/installation.ts`. */
  installation: z.string(),
  household: z.string(),
  database: part,
  certificates: z.array(part),
  /** Null without a passphrase to encrypt them. */
  keys: part.nullable(),
  files: z
    .object({
      list: part,
      /** Whether it contains older versions and the trash. */
      history: z.boolean(),
      count: z.int(),
      bytes: z.int(),
      /** Of `count`, those that share their content with an earlier backup. */
      linked: z.int(),
      /** Symbolic links and special files: neither followed nor copied. */
      notFollowed: z.int(),
      /** Written to during every attempt to copy them. */
      changed: z.int(),
      /** Could not be copied. */
      leftOut: z.int(),
      /** In the database, but not at that path: removed or moved while the backup was made. */
      absent: z.int(),
      homes: z.array(manifestHome),
    })
    .nullable(),
});

export type Manifest = z.infer<typeof manifest>;
export type ManifestHome = z.infer<typeof manifestHome>;
export type Part = z.infer<typeof part>;

export const FORMAT_VERSION = 1;

/** Everything but people's files. */
export function partsOf({ database, certificates, keys, files }: Manifest): Part[] {
  return [database, ...certificates, ...(keys === null ? [] : [keys]), ...(files === null ? [] : [files.list])];
}

export async function writeManifest(folder: string, content: Manifest): Promise<void> {
  const text = `${JSON.stringify(content, null, 2)}\n`;
  await writeNew(join(folder, MANIFEST), text);
  await writeNew(join(folder, MANIFEST_SUM), `${sha256(text)}  ${MANIFEST}\n`);
}

/** Reads and verifies the manifest of a backup. @throws BackupProblem */
export async function readManifest(folder: string): Promise<Manifest> {
  const path = join(folder, MANIFEST);
  const stats = await plainStat(path).catch(() => null);
  if (stats === null) throw new BackupProblem(t('api.backup.notBackup', { folder, file: MANIFEST }));
  const damaged = (cause?: unknown) =>
    new BackupProblem(t('api.backup.changedFile', { folder, file: MANIFEST }), { cause });
  if (stats.kind !== 'file' || stats.size > LONGEST) throw damaged();
  let text: string;
  let json: unknown;
  try {
    text = (await readPlain(path)).toString('utf8');
    const sum = (await readPlain(join(folder, MANIFEST_SUM))).toString('utf8');
    if (sum !== `${sha256(text)}  ${MANIFEST}\n`) throw damaged();
    json = JSON.parse(text);
  } catch (error) {
    throw error instanceof BackupProblem ? error : damaged(error);
  }
  const version = z.object({ formatVersion: z.int() }).safeParse(json);
  if (version.success && version.data.formatVersion > FORMAT_VERSION) {
    throw new BackupProblem(t('api.backup.newer', { folder }));
  }
  const read = manifest.safeParse(json);
  if (!read.success) throw damaged(read.error);
  return read.data;
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
