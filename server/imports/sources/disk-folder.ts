import { basename } from 'node:path';
import { onStorage } from '../../access/storage-failure.ts';
import { ApiError } from '../../http/errors.ts';
import { unlessAborted } from '../../lib/async/unless-aborted.ts';
import { t } from '../../messages/messages.ts';
import type { HomeRoot } from '../../storage/paths/folder-handle.ts';
import type { ImportContext } from '../context.ts';
import type { ExportEntry } from '../exports/entries.ts';
import type { Note } from '../reasons.ts';
import { type ArchivePart, digestOf, entriesOf, readArchive } from './archive-part.ts';
import { isArchivePath, prefixOf, rootOf } from './export-roots.ts';
import { FileProblem, type FolderFiles, folderFiles, tolerantPart, unpackedPart } from './folder-files.ts';
import { MAX_ENTRIES, type Part, type ReadSource } from './part.ts';
import { type WalkedFile, walkFolder } from './walk-folder.ts';

/** ZIP files and unpacked archives in a folder. */
const MAX_ARCHIVES = 1_000;

/** Gives numbers to what a folder has, which stay the same when it is read again. */
export interface Numbering {
  /**
   * @param name the path of a ZIP file; that of the folder of an unpacked archive, with a slash at the end
   * @param digest of the directory of the ZIP file: another archive has another number
   */
  archive(name: string, digest: Buffer | null): Promise<number>;
  /** Whether nothing was numbered before, or some of these files. */
  knowsSome(files: readonly WalkedFile[]): Promise<boolean>;
  /** @returns by path; another content of the name has another number */
  files(files: readonly WalkedFile[]): Promise<ReadonlyMap<string, number>>;
}

type Context = Pick<ImportContext, 'archives' | 'disk'>;

/** A folder of the disk that is only read. @param folder its real path */
export function foreignRoot(folder: string): HomeRoot {
  return { root: folder, homeId: '', isForeign: true, exact: Number.MAX_SAFE_INTEGER };
}

/**
 * The identity of a folder of the disk, by which it is known again.
 * @throws ApiError `storage_offline` when it is not there
 */
export function folderIdentity({ disk }: Pick<Context, 'disk'>, folder: string): Promise<string> {
  return onStorage(
    async () => (await disk.run('stat', { homeRoot: foreignRoot(folder), segments: [] })).entry.identity,
  );
}

/**
 * Reads a folder of the disk with exports, as ZIP files or unpacked. What cannot be read is noted.
 * @param folder its real path @param known its identity when it was chosen
 * @throws ApiError `storage_offline` when it is not there, or is another one, `unsafe_archive` when it has too many files; the reason of the signal
 */
export async function readDiskFolder(
  context: Context,
  { folder, known }: { readonly folder: string; readonly known: string | null },
  numbering: Numbering,
  signal: AbortSignal,
): Promise<ReadSource> {
  const root = foreignRoot(folder);
  const identity = await folderIdentity(context, folder);
  const walked = await onStorage(() => walkFolder(context.disk, root, MAX_ENTRIES, signal));
  // A disk that was removed meanwhile may have left an empty folder.
  if ((await folderIdentity(context, folder)) !== identity) throw away();
  if (walked === null) throw tooMany();
  // Memory cards may have another identity each time they are connected: then their files tell.
  const isKnown = known === null || known === identity;
  if (!isKnown && (walked.files.length === 0 || !(await numbering.knowsSome(walked.files)))) throw away();
  const files = folderFiles(context.disk, root, identity);
  const zips = walked.files.filter(({ path }) => isArchivePath(path));
  const unpacked = byRoot(walked.files.filter(({ path }) => !isArchivePath(path)));
  if (zips.length + unpacked.size > MAX_ARCHIVES) throw tooMany();
  const numbers = await numbering.files(walked.files);

  const parts = new Map<number, Part>();
  const entries: ExportEntry[] = [];
  const notes: Note[] = [...walked.notes];
  const names: string[] = [];
  const add = (number: number, part: Part, of: readonly ExportEntry[]) => {
    parts.set(number, part);
    for (const entry of of) entries.push(entry);
    if (entries.length > MAX_ENTRIES) throw tooMany();
  };
  for (const zip of zips) {
    signal.throwIfAborted();
    names.push(basename(zip.path));
    const read = await unlessAborted(archiveOf(context, files, zip, signal), signal);
    if ('reason' in read) {
      notes.push({ entry: zip.path, reason: read.reason });
      continue;
    }
    const number = await numbering.archive(zip.path, digestOf(read));
    const listed = entriesOf(read, number);
    for (const note of listed.notes) notes.push(note);
    add(number, tolerantPart(read), listed.entries);
  }
  for (const [path, { archive, own }] of unpacked) {
    signal.throwIfAborted();
    if (archive !== null) names.push(archive);
    const number = await numbering.archive(path === '' ? './' : path, null);
    const prefix = path === '' ? prefixOf(basename(folder)) : '';
    const listed = new Map<number, WalkedFile>();
    const ofPart: ExportEntry[] = [];
    for (const file of own) {
      const index = numbers.get(file.path);
      if (index === undefined) throw new Error('a file has no number');
      listed.set(index, file);
      ofPart.push({ archive: number, index, path: `${prefix}${file.path.slice(path.length)}`, size: file.size });
    }
    add(number, unpackedPart(context, files, root, listed), ofPart);
  }
  return { parts, entries, notes, names, unpacked: unpacked.size };
}

/** Files by the archive that they were unpacked from. */
function byRoot(files: readonly WalkedFile[]): Map<string, { readonly archive: string | null; own: WalkedFile[] }> {
  const all = new Map<string, { readonly archive: string | null; own: WalkedFile[] }>();
  for (const file of files) {
    const { path, archive } = rootOf(file.path.split('/').slice(0, -1));
    const there = all.get(path);
    if (there === undefined) all.set(path, { archive, own: [file] });
    else there.own.push(file);
  }
  return all;
}

/** @returns the reason when only this archive cannot be read */
async function archiveOf(
  context: Context,
  files: FolderFiles,
  zip: WalkedFile,
  signal: AbortSignal,
): Promise<ArchivePart | Pick<Note, 'reason'>> {
  try {
    return await readArchive(context, files.archiveAt(zip), signal);
  } catch (error) {
    if (error instanceof FileProblem) return { reason: error.reason };
    const code = error instanceof ApiError ? error.code : '';
    if (code === 'upload_too_large') return { reason: 'large_archive' };
    const isOfArchive = ['corrupt_file', 'unsupported_media', 'unsafe_archive'].includes(code);
    if (!isOfArchive) throw error;
    return { reason: 'unreadable_archive' };
  }
}

function away(): ApiError {
  return new ApiError('storage_offline', t('api.imports.folderAway'));
}

function tooMany(): ApiError {
  return new ApiError('unsafe_archive', t('api.imports.tooManyFiles', { max: MAX_ENTRIES, archives: MAX_ARCHIVES }));
}
