import { hostname } from 'node:os';
import { join } from 'node:path';
import type { Clock } from '../../lib/clock.ts';
import { type FailPoints, failPoint } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { copyHashed, openPlain, withOpened } from '../../storage/content/hashed-copy.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { RESTORING } from '../../storage/installation/data-folder.ts';
import { type Layout, layoutOf } from '../../storage/layout.ts';
import {
  flushFolders,
  flushNames,
  makeFolders,
  makePrivateFolder,
  nearestThere,
  OWNER_ONLY,
  removeEmptyFolder,
  renameFlushed,
  writeNew,
} from '../../storage/plain-files.ts';
import { openAuthority } from '../../tls/authority.ts';
import { bytesOf } from '../format/list-backups.ts';
import { CERTIFICATES, DATABASE, type Part } from '../format/manifest.ts';
import { damageNotes, notesOf } from '../format/notes.ts';
import { BackupProblem } from '../format/problem.ts';
import type { JobProgress } from '../job-progress.ts';
import type { DamagedFile } from './damages.ts';
import { inNewFolder, requireEmpty, requireOutside } from './new-folder.ts';
import { type Adapted, adaptDatabase } from './restore-database.ts';
import { restoreFiles } from './restore-files.ts';
import { type RestoredHome, restoredHomes } from './restored-homes.ts';
import { type Verified, verifyBackup } from './verify.ts';

interface RestoreOptions {
  /** The folder of the backup. */
  readonly from: string;
  /** The new installation's folder: empty or missing. */
  readonly folder: string;
  readonly passphrase?: string | undefined;
  /** Restores without the keys of the backup. */
  readonly newAuthority: boolean;
  /** Host names beside the machine's own, which a new authority may certify. */
  readonly extraNames: readonly string[];
  /** The destination of homes outside of the installation; null: they stay where they are. */
  readonly homesTo: string | null;
  /** Homes whose files are not in the backup are created empty, instead of being offline until their files are back. */
  readonly emptyHomes: boolean;
  /** Older versions and the trash will be put back by hand, so their records stay. */
  readonly historyFollows: boolean;
}

export interface Restored {
  readonly folder: string;
  readonly household: string;
  readonly madeAt: string;
  /** `kept`: devices still trust this household. */
  readonly authority: 'kept' | 'new';
  readonly authorityFingerprint: string;
  readonly homes: readonly RestoredHome[];
  readonly files: number;
  readonly bytes: number;
  readonly forgotten: Adapted['forgotten'];
  /** People's files that are damaged in the backup, and were not restored. */
  readonly damaged: readonly DamagedFile[];
  readonly notes: readonly string[];
}

export interface RestoreTools {
  readonly job: JobProgress;
  readonly clock: Clock;
  readonly failPoints: FailPoints;
}

/**
 * Restores an installation from a backup, into a separate folder. The backup is verified completely before anything is written:
 * if the database, the keys or the list are damaged, nothing is restored; damaged files of people are left out and listed. The
 * installation is built in a staging folder and moved in the last step, so a power cut leaves nothing that a server would start
 * on.
 * @throws BackupProblem, FolderProblem; nothing is left then
 */
export async function restoreBackup(requested: RestoreOptions, tools: RestoreTools): Promise<Restored> {
  const { from, folder, homesTo } = requested;
  for (const target of [folder, ...(homesTo === null ? [] : [homesTo])]) await requireOutside(target, from);
  await requireEmpty(folder);
  const verified = await verifyBackup(from, { passphrase: requested.passphrase, job: tools.job });
  if (verified.manifest.keys !== null && verified.keys === null && !requested.newAuthority)
    throw new BackupProblem(t('api.restore.passphraseNeeded'), { field: 'passphrase' });
  return inNewFolder(folder, bytesOf(verified.manifest), (made) => build(requested, verified, tools, made));
}

/** @param made paths to remove if it fails */
async function build(
  requested: RestoreOptions,
  { manifest, keys, damages }: Verified,
  { job, clock, failPoints }: RestoreTools,
  made: string[],
): Promise<Restored> {
  const { from, folder } = requested;
  const staging = join(folder, RESTORING);
  // The remains of an interrupted restore into this folder.
  await eraseStored(staging);
  made.push(staging);
  const layout = layoutOf(staging);
  for (const path of [staging, layout.larder, layout.tls, layout.logs, layout.backups]) await makePrivateFolder(path);
  await makeFolders(layout.homes, OWNER_ONLY);
  job.begin('database', manifest.database.bytes);
  await copyPart(from, manifest.database, join(layout.larder, DATABASE), { job, failPoints });
  if (keys !== null) await restoreKeys(from, manifest.certificates, keys, layout, { job, failPoints });
  const { tls } = layout;
  const naming = { hostname: hostname(), extraNames: requested.extraNames };
  const authority = await openAuthority({ folder: tls, ...naming, now: clock.now() });
  failPoint(failPoints, 'restore.keys');

  const final = layoutOf(folder);
  const above = await nearestThere(requested.homesTo ?? folder);
  const places = await restoredHomes({ requested, manifest, layout, final, clock });
  made.push(...places.aside);
  job.begin('files', manifest.files?.bytes ?? 0);
  const copied = await restoreFiles({ from, manifest, damages, places, job, failPoints });
  failPoint(failPoints, 'restore.files');
  const adapted = await adaptDatabase({ layout, final, places, clock, historyFollows: requested.historyFollows });
  await flushFolders(staging);
  for (const path of places.aside) await flushFolders(path);
  if (requested.homesTo !== null && places.moves.length > 0) await flushNames(requested.homesTo, above);
  failPoint(failPoints, 'restore.built');

  for (const { at, goesTo } of [{ at: layout.homes, goesTo: final.homes }, ...places.moves]) {
    await renameFlushed(at, goesTo);
    // Only now: a folder that someone else created there meanwhile must not be removed.
    made.push(goesTo);
  }
  failPoint(failPoints, 'restore.homes');
  // From here on it is a complete installation; if the flush fails, this is removed first.
  made.unshift(final.larder);
  await renameFlushed(layout.larder, final.larder);
  made.length = 0;
  failPoint(failPoints, 'restore.done');
  await removeEmptyFolder(staging).catch(() => undefined);
  return {
    folder,
    household: manifest.household,
    madeAt: manifest.madeAt,
    authority: keys === null ? 'new' : 'kept',
    authorityFingerprint: authority.fingerprint,
    homes: places.report,
    ...copied,
    forgotten: adapted.forgotten,
    damaged: damages.files,
    notes: [...damageNotes(damages.files.length), ...notesOf(manifest), AS_IT_WAS],
  };
}

const AS_IT_WAS = t('api.restore.noteAsItWas');

type Copying = Pick<RestoreTools, 'job' | 'failPoints'>;

async function copyPart(from: string, part: Part, to: string, { job, failPoints }: Copying): Promise<void> {
  const { signal, onBytes } = job;
  const { sha256 } = await withOpened(openPlain(join(from, part.file)), (fd) =>
    copyHashed(fd, to, { signal, onBytes, failPoints }),
  );
  if (sha256 !== part.sha256) throw new BackupProblem(t('api.restore.changedFile', { file: part.file }));
}

/** Certificates without keys would prevent a start, so they are omitted and new ones are made. */
async function restoreKeys(
  from: string,
  certificates: readonly Part[],
  keys: Readonly<Record<string, string>>,
  { tls }: Layout,
  copying: Copying,
): Promise<void> {
  for (const [name, text] of Object.entries(keys)) {
    if (!/^[\w-]+\.key$/.test(name)) throw new BackupProblem(t('api.restore.keyName'));
    await writeNew(join(tls, name), text, 0o600);
  }
  for (const part of certificates) {
    const name = part.file.slice(CERTIFICATES.length + 1);
    if (part.file !== `${CERTIFICATES}/${name}` || !/^[\w-]+\.crt$/.test(name))
      throw new BackupProblem(t('api.restore.certificateName'));
    await copyPart(from, part, join(tls, name), copying);
  }
}
