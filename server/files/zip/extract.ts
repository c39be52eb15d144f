import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { checkStillShared, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { ItemName } from '../../access/item-name.ts';
import { checkType, limitsIn } from '../../access/limits.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { MAX_PATH, MAX_SEGMENTS } from '../../http/request/parameters.ts';
import { freeNumber } from '../../lib/names/free-number.ts';
import { MAX_NAME_BYTES, newNameProblem } from '../../lib/names/names.ts';
import { numberedName } from '../../lib/names/numbered-name.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { makeFolder } from '../../storage/content/copy.ts';
import { flushUnpacked } from '../../storage/content/flush-unpacked.ts';
import { type InheritedFile, inheritFile } from '../../storage/content/inherited-file.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { StorageError, storageError } from '../../storage/errors.ts';
import { flushFolder } from '../../storage/flush.ts';
import type { ArchiveContent } from '../../workers/archives/archive-jobs.ts';
import { emitItemEvent } from '../emit.ts';
import { forEachInParallel } from '../parallel.ts';
import { isOccupied } from '../publish/occupied.ts';
import { type PublishedTree, publishTree } from '../publish/publish-tree.ts';
import { archiveFailure, unsafeArchive } from './archive-failure.ts';
import type { ArchiveContext } from './context.ts';

interface Extracted {
  /** Files and folders that were in the archive. */
  readonly items: number;
  /** The path of the result. */
  readonly path: string;
}

/** Names that are tried for the result. */
const TRIES = 1_000;

/**
 * Extracts a ZIP archive. A worker process reads it into the work area; the result appears in one step, or not at all: as a
 * folder named after the archive or, if the archive has a single file or folder at its top, as that. Existing items are neither
 * replaced nor merged. `upload_max_size` limits what is sent, so it does not apply.
 * @param extractTo the destination folder
 * @throws ApiError `not_found`, `invalid_path`, `unsupported_media`, `unsafe_archive`, `corrupt_file`, `type_not_allowed`,
 * `quota_exceeded`, `disk_full`
 */
export async function extractArchive(
  context: ArchiveContext,
  caller: AccountCaller,
  named: ItemName,
  extractTo: readonly string[],
): Promise<Extracted> {
  const source = await context.access.resolveItem(caller, named, 'files/extract');
  const folder = await context.access.resolveItem(caller, extractTo, 'files/extract:into');
  return onStorage(async () => {
    const { entry } = await context.disk.run('stat', { homeRoot: folder.home.homeRoot, segments: folder.segments });
    if (!entry.isDir) throw new StorageError('not-found');
    const opened = await context.disk.run('open', { homeRoot: source.home.homeRoot, segments: source.segments });
    try {
      await checkStillShared(source);
      const archive = inheritFile(source.home.homeRoot, opened);
      const content = await checked(context, archive, folder);
      return await extractChecked(context, caller, { source, name: opened.entry.name, archive, content, folder });
    } catch (error) {
      throw archiveFailure(error);
    } finally {
      await closeFile(opened.fd);
    }
  });
}

interface Extraction {
  readonly source: ItemTarget;
  /** Of the archive. */
  readonly name: string;
  readonly archive: InheritedFile;
  readonly content: ArchiveContent;
  readonly folder: ItemTarget;
}

async function checked(
  { archives }: ArchiveContext,
  archive: InheritedFile,
  folder: ItemTarget,
): Promise<ArchiveContent> {
  const virtual = virtualPathOf(folder);
  const found = await archives.run('check', {
    archive,
    // Every extracted item must have a valid path, with room for one more folder, named after the archive.
    maxDepth: MAX_SEGMENTS - virtual.split('/').length,
    maxPath: MAX_PATH - Buffer.byteLength(virtual) - MAX_NAME_BYTES - 2,
  });
  if ('hazard' in found) throw unsafeArchive(found.hazard, found.entry);
  return found;
}

/** Checks every type, and reserves space for everything, before the first byte is extracted. */
async function extractChecked(
  context: ArchiveContext,
  caller: AccountCaller,
  extraction: Extraction,
): Promise<Extracted> {
  const { source, content, folder } = extraction;
  const { account } = caller;
  for (const path of content.paths) {
    if (path.endsWith('/')) continue;
    const segments = path.split('/');
    checkType(
      limitsIn(account, folder),
      segments.at(-1) ?? '',
      virtualPathOf(source, [...source.segments, ...segments]),
    );
  }
  const bytes = content.sizes.reduce((sum, size) => sum + size, 0);
  const { home } = folder;
  const reservation = await context.quotas.reserve({ caller, home, bytes });
  const incoming = join(home.area.incoming, randomUUID());
  try {
    const tree = await unpack(context, extraction, incoming);
    const folders = foldersOf(content);
    await flushTree(context, content, folders, tree);
    const files = content.paths.length - content.paths.filter((path) => path.endsWith('/')).length;
    return await reservation.settle(() => publish(context, caller, extraction, tree, files + folders.size));
  } finally {
    reservation.release();
    await eraseStored(incoming);
  }
}

/** @returns where the extracted items are */
async function unpack(
  { archives, failPoints }: ArchiveContext,
  { archive, content }: Extraction,
  incoming: string,
): Promise<string> {
  const tree = randomUUID();
  await makeFolder(incoming);
  await makeFolder(join(incoming, tree));
  const result = await archives.run('unpack', { archive, content, folder: incoming, tree });
  failPoint(failPoints, 'files.extract.unpacked');
  if ('hazard' in result) throw unsafeArchive(result.hazard, result.entry);
  if ('errno' in result) throw storageError(Object.assign(new Error(result.errno), { code: result.errno }));
  return join(incoming, tree);
}

/** Including folders that appear only in paths. Without trailing slashes. */
function foldersOf({ paths }: ArchiveContent): Set<string> {
  const folders = new Set<string>();
  for (const path of paths) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const folder = path.slice(0, end);
      if (folders.has(folder)) break;
      folders.add(folder);
    }
  }
  return folders;
}

async function flushTree(
  { failPoints }: ArchiveContext,
  { paths, sizes, times }: ArchiveContent,
  folders: ReadonlySet<string>,
  tree: string,
): Promise<void> {
  await forEachInParallel(paths.entries(), async ([index, path]) => {
    if (!path.endsWith('/')) await flushUnpacked(join(tree, path), sizes[index] ?? 0, times[index] ?? Number.NaN);
  });
  await forEachInParallel([tree, ...[...folders].map((folder) => join(tree, folder))], flushFolder);
  failPoint(failPoints, 'files.extract.flushed');
}

/** Publishes it under the first free name. */
async function publish(
  context: ArchiveContext,
  caller: AccountCaller,
  { source, name: archive, content, folder }: Extraction,
  tree: string,
  items: number,
): Promise<Extracted> {
  const only = onlyEntry(content);
  const [made, requested] = only === null ? [tree, nameWithoutType(archive)] : [join(tree, only.name), only.name];
  const isFolder = only?.isFolder ?? true;
  const from = virtualPathOf(source);
  const eventOf = ({ item, path }: PublishedTree) =>
    emitItemEvent(context, 'archive.extracted', caller, folder, { itemId: item.id, path, isFolder, from, items });
  const at = (number: number) => [...folder.segments, numberedName(requested, number, isFolder)];
  let number = 1;
  for (let attempt = 1; ; attempt += 1) {
    const target = { ...folder, segments: at(number) };
    try {
      const { path } = await publishTree(context, caller, target, made, { onPublished: eventOf });
      return { items, path };
    } catch (error) {
      if (!(error instanceof StorageError) || error.reason !== 'taken' || attempt === TRIES) throw error;
    }
    number = await freeNumber(async (one) => isOccupied(context, folder.home, at(one)), number + 1);
  }
}

/** The single item at the top of an archive; null if there are several, or none. */
function onlyEntry({ paths }: ArchiveContent): { name: string; isFolder: boolean } | null {
  const tops = new Set(paths.map((path) => path.split('/', 1)[0] ?? ''));
  const [name] = tops;
  return name === undefined || tops.size > 1 ? null : { name, isFolder: paths.some((path) => path.includes('/')) };
}

/** "Photos.zip" → "Photos". Existing names may break the rules for new ones. */
function nameWithoutType(archive: string): string {
  const dot = archive.lastIndexOf('.');
  const stem = (dot > 0 ? archive.slice(0, dot) : archive).replace(/[. ]+$/, '');
  return newNameProblem(stem) === null ? stem : 'Archive';
}
