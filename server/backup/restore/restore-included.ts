import { join } from 'node:path';
import { normalized } from '../../lib/names/normalized.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { RESTORING } from '../../storage/installation/data-folder.ts';
import {
  flushFolders,
  makeFolders,
  makePrivateFolder,
  OWNER_ONLY,
  plainStat,
  removeEmptyFolder,
  renameFlushed,
} from '../../storage/plain-files.ts';
import { comparePaths, entriesIn, segmentsOf } from '../format/entries.ts';
import { FILES, type Manifest, type ManifestHome } from '../format/manifest.ts';
import { BackupProblem } from '../format/problem.ts';
import { type DamagedFile, Damages } from './damages.ts';
import { inNewFolder, requireEmpty, requireOutside } from './new-folder.ts';
import type { RestoreTools } from './restore.ts';
import { copyListed } from './restore-files.ts';
import { verifyList } from './verify.ts';

interface IncludedOptions {
  /** The folder of the backup. */
  readonly from: string;
  /** The destination: an empty or missing folder. */
  readonly folder: string;
  /**
   * Files and folders of people: `<person>/<path>`, `/ROOT/HOME/<path>` for that path in every home, or a path as in the backup's
   * list.
   */
  readonly include: readonly string[];
}

export interface RestoredIncluded {
  readonly folder: string;
  readonly household: string;
  /** When the backup was made, ISO 8601. */
  readonly madeAt: string;
  readonly files: number;
  readonly bytes: number;
  /** The selected files that are damaged in the backup, and were not restored. */
  readonly damaged: readonly DamagedFile[];
}

/** A selection, with all paths it may have in the list. */
interface Included {
  readonly requested: string;
  readonly paths: readonly (readonly string[])[];
  isFound: boolean;
}

/**
 * Restores only selected files and folders of people, to `homes/<person>/` in a new folder. Database and keys are not restored,
 * so they may be damaged, and no passphrase is needed.
 * @throws BackupProblem also when a selected item is not in the backup; FolderProblem; nothing is left then
 */
export async function restoreIncluded(
  { from, folder, include }: IncludedOptions,
  { job, failPoints }: RestoreTools,
): Promise<RestoredIncluded> {
  await requireOutside(folder, from);
  await requireEmpty(folder);
  const manifest = await verifyList(from, job);
  const list = join(from, manifest.files?.list.file ?? '');
  const wanted = include.map((requested) => includedOf(requested, manifest));
  const bytes = await bytesOfRequested(list, wanted);
  const missing = wanted.find(({ isFound }) => !isFound);
  if (missing !== undefined)
    throw new BackupProblem(t('api.restore.notIncluded', { path: JSON.stringify(missing.requested) }));
  return inNewFolder(folder, bytes, async (made) => {
    const staging = join(folder, RESTORING);
    await eraseStored(staging);
    made.push(staging);
    await makePrivateFolder(staging);
    await makeFolders(join(staging, 'homes'), OWNER_ONLY);
    job.begin('files', bytes);
    const damages = await damagedFolders(from, list);
    const homeOf = homeNames(manifest);
    const targetOf = (segments: readonly string[]) => {
      const name = homeOf.get(segments.slice(0, 2).join('/'));
      if (name === undefined || !wanted.some((one) => isIncluded(one, segments))) return null;
      return join(staging, 'homes', name, ...segments.slice(2));
    };
    const done = await copyListed({ from, list, targetOf, damages, job, failPoints, makesParents: true });
    failPoint(failPoints, 'restore.files');
    await flushFolders(staging);
    const homes = join(folder, 'homes');
    await renameFlushed(join(staging, 'homes'), homes);
    made.length = 0;
    await removeEmptyFolder(staging).catch(() => undefined);
    const { household, madeAt } = manifest;
    return { folder, household, madeAt, ...done, damaged: damages.files };
  });
}

function includedOf(requested: string, { files }: Manifest): Included {
  const segments = requested.split('/').filter((name) => name !== '' && name !== '.');
  const [first = '', second = '', ...rest] = segments;
  const copied = (files?.homes ?? []).filter(({ folder }) => folder !== null);
  const inHome = ({ folder }: ManifestHome, path: readonly string[]) => [...(folder ?? '').split('/'), ...path];
  const paths = [
    ...(first === 'ROOT' && second === 'HOME' ? copied.map((home) => inHome(home, rest)) : []),
    ...copied.filter(({ username }) => username === first).map((home) => inHome(home, segments.slice(1))),
    ...(segments.length >= 2 ? [segments] : []),
  ];
  return { requested, paths: paths.map((path) => path.map((name) => normalized(name, 'NFC'))), isFound: false };
}

function isIncluded({ paths }: Included, segments: readonly string[]): boolean {
  const names = segments.map((name) => normalized(name, 'NFC'));
  return paths.some((path) => comparePaths(names.slice(0, path.length), path) === 0);
}

/** Total bytes of the selection; marks the selected items that were found. */
async function bytesOfRequested(list: string, wanted: readonly Included[]): Promise<number> {
  let bytes = 0;
  for await (const entry of entriesIn(list)) {
    if (!('folder' in entry) && !('sha256' in entry)) continue;
    const found = wanted.filter((one) => isIncluded(one, segmentsOf(entry.path)));
    for (const one of found) one.isFound = true;
    if (found.length > 0 && 'sha256' in entry) bytes += entry.size;
  }
  return bytes;
}

/** Missing folders, so that no link in their place is followed. Files are verified while they are copied. */
async function damagedFolders(from: string, list: string): Promise<Damages> {
  const damages = new Damages(from);
  for await (const entry of entriesIn(list)) {
    if (!('folder' in entry) || damages.isBelowDamaged(entry.path)) continue;
    const path = join(from, FILES, ...segmentsOf(entry.path));
    if ((await plainStat(path).catch(() => null))?.kind !== 'folder') damages.addFolder(entry.path);
  }
  return damages;
}

/** The folder name of each home: its folder in the backup → a unique name. */
function homeNames({ files }: Manifest): Map<string, string> {
  const names = new Map<string, string>();
  for (const { id, username, folder } of files?.homes ?? []) {
    if (folder === null) continue;
    const own = folder.startsWith('homes/') ? folder.slice('homes/'.length) : username;
    const isFree = /^[^/\\\0]+$/.test(own) && own !== '.' && own !== '..' && ![...names.values()].includes(own);
    names.set(folder, isFree ? own : id);
  }
  return names;
}
