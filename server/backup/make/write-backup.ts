import { join } from 'node:path';
import { createHomes, type HomeRecord } from '../../catalogue/homes.ts';
import type { Database } from '../../database/database.ts';
import { openSnapshot, type Snapshot } from '../../database/snapshot.ts';
import { ignoreFailure } from '../../lib/async/ignore-failure.ts';
import type { Clock } from '../../lib/clock.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { version } from '../../lib/version.ts';
import { hashFile } from '../../storage/content/hashed-copy.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { flushFolder } from '../../storage/flush.ts';
import { namesIn } from '../../storage/inspect.ts';
import type { Layout } from '../../storage/layout.ts';
import {
  flushFile,
  makePrivateFolder,
  plainStat,
  readPlain,
  renameFlushed,
  writeNew,
} from '../../storage/plain-files.ts';
import {
  CERTIFICATES,
  DATABASE,
  FORMAT_VERSION,
  KEYS,
  type Manifest,
  type Part,
  writeManifest,
} from '../format/manifest.ts';
import { isLeftover, newBackupName, unfinishedName } from '../format/names.ts';
import type { SealingParameters } from '../format/passphrase.ts';
import { BackupProblem, writeProblem } from '../format/problem.ts';
import { type KeyFiles, sealKeys } from '../format/sealed-keys.ts';
import type { JobProgress } from '../job-progress.ts';
import { verifyBackup } from '../restore/verify.ts';
import { copyFiles, type ManifestFiles } from './copy-files.ts';
import type { HeldBack } from './parts.ts';

interface BackupOptions {
  /** The destination. */
  readonly destination: string;
  readonly installation: string;
  readonly household: string;
  /** The public key that encrypts the keys; null omits them. */
  readonly sealing: SealingParameters | null;
  readonly files: boolean;
  readonly history: boolean;
  /** The folder of an earlier backup with files, to share unchanged contents with. */
  readonly previous: string | null;
}

interface BackupTools {
  readonly layout: Layout;
  readonly database: Pick<Database, 'copyInto' | 'all'>;
  readonly homes: readonly HomeRecord[];
  readonly disk: Disk;
  readonly job: JobProgress;
  readonly clock: Clock;
  readonly failPoints: FailPoints;
}

/**
 * Writes a backup under a temporary name, verifies it completely, and only then gives it its name, so it is never incomplete.
 * @returns its name and manifest, and what earlier runs have left that cannot be removed
 * @throws BackupProblem; nothing is left then
 */
export async function writeBackup(
  requested: BackupOptions,
  tools: BackupTools,
): Promise<{ name: string; manifest: Manifest; leftovers: HeldBack[] }> {
  const { destination, installation } = requested;
  const { clock, job, failPoints } = tools;
  try {
    const leftovers = await clearLeftovers(destination, installation);
    const name = newBackupName(clock.now(), (await namesIn(destination)) ?? []);
    const folder = join(destination, unfinishedName(name, installation, 'partial'));
    await makePrivateFolder(folder);
    try {
      const { manifest, open } = await writeParts(folder, requested, tools);
      failPoint(failPoints, 'backup.written');
      const { damages } = await verifyBackup(folder, { ...(open === null ? {} : { open }), job, what: 'new' });
      const sentences = damages.sentences();
      if (sentences.length > 0) throw new BackupProblem(sentences.join(' '));
      failPoint(failPoints, 'backup.verified');
      await renameFlushed(folder, join(destination, name));
      failPoint(failPoints, 'backup.named');
      return { name, manifest, leftovers };
    } catch (error) {
      await ignoreFailure(eraseStored(folder), 'failed to remove an incomplete backup');
      throw error;
    }
  } catch (error) {
    throw writeProblem(error, destination);
  }
}

/**
 * Removes backups that an earlier run of this installation left half written or half removed.
 * @returns those that it could not remove
 */
async function clearLeftovers(destination: string, installation: string): Promise<HeldBack[]> {
  const left: HeldBack[] = [];
  for (const name of (await namesIn(destination)) ?? []) {
    if (!isLeftover(name, installation)) continue;
    try {
      await eraseStored(join(destination, name));
    } catch (error) {
      // It prevents no new backup; the next one tries again.
      left.push({ name, reason: writeProblem(error, destination).message });
    }
  }
  return left;
}

async function writeParts(
  folder: string,
  requested: BackupOptions,
  tools: BackupTools,
): Promise<{ manifest: Manifest; open: ((text: string) => KeyFiles) | null }> {
  const { layout, database, homes, job, clock, failPoints } = tools;
  const copy = join(folder, DATABASE);
  let snapshot: Snapshot | null = null;
  const copyDatabase = async (): Promise<Snapshot> => {
    job.begin('database');
    await database.copyInto(copy, job.signal);
    failPoint(failPoints, 'backup.database');
    await flushFile(copy);
    snapshot = await openSnapshot(copy);
    return snapshot;
  };
  try {
    let files: ManifestFiles | null = null;
    if (requested.files) {
      files = await copyFiles({ folder, ...requested, ...tools }, homes, async () => {
        const opened = await copyDatabase();
        return { snapshot: opened, homes: await createHomes(opened, layout, clock).records() };
      });
    } else await copyDatabase();
    const madeAt = isoSeconds(clock.now());
    const certificates = await copyCertificates(layout, folder);
    const { part: keys, open } = await writeKeys(layout, folder, requested.sealing);
    const manifest: Manifest = {
      format: 'larder-backup',
      formatVersion: FORMAT_VERSION,
      larder: version,
      madeAt,
      installation: requested.installation,
      household: requested.household,
      database: await partOf(folder, DATABASE, job),
      certificates,
      keys,
      files,
    };
    await writeManifest(folder, manifest);
    await flushFolder(folder);
    return { manifest, open };
  } finally {
    await (snapshot as Snapshot | null)?.close();
  }
}

async function partOf(folder: string, file: string, { signal }: Pick<JobProgress, 'signal'>): Promise<Part> {
  return { file, ...(await hashFile(join(folder, file), { signal, onBytes: () => undefined })) };
}

const NEVER = new AbortController().signal;

/** Unencrypted, because certificates are public. */
async function copyCertificates(layout: Layout, folder: string): Promise<Part[]> {
  const parts: Part[] = [];
  await makePrivateFolder(join(folder, CERTIFICATES));
  for (const name of await tlsFiles(layout, '.crt')) {
    const file = `${CERTIFICATES}/${name}`;
    await writeNew(join(folder, CERTIFICATES, name), await readPlain(join(layout.tls, name)));
    parts.push(await partOf(folder, file, { signal: NEVER }));
  }
  await flushFolder(join(folder, CERTIFICATES));
  return parts;
}

async function writeKeys(
  layout: Layout,
  folder: string,
  sealing: SealingParameters | null,
): Promise<{ part: Part | null; open: ((text: string) => KeyFiles) | null }> {
  if (sealing === null) return { part: null, open: null };
  const names = await tlsFiles(layout, '.key');
  const keys: Record<string, string> = {};
  for (const name of names) keys[name] = (await readPlain(join(layout.tls, name))).toString('utf8');
  const { text, open } = sealKeys(keys, sealing);
  await writeNew(join(folder, KEYS), text);
  return { part: await partOf(folder, KEYS, { signal: NEVER }), open };
}

/** Regular files only: the owner's own certificate may be a link to where another program stores it. */
async function tlsFiles({ tls }: Layout, end: string): Promise<string[]> {
  const names = ((await namesIn(tls)) ?? []).filter((name) => name.endsWith(end));
  const files: string[] = [];
  for (const name of names) if ((await plainStat(join(tls, name)))?.kind === 'file') files.push(name);
  return files;
}
