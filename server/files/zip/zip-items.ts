import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { checkStillShared, type ItemTarget } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { checkType, limitsIn } from '../../access/limits.ts';
import type { Reservation } from '../../access/quota.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { type ReceivedContent, receive } from '../../storage/content/receive.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { StorageError } from '../../storage/errors.ts';
import type { FilesContext } from '../context.ts';
import { checkNewName } from '../create-folder.ts';
import { publishContent } from '../publish/publish-content.ts';
import type { ZipRoot } from './plan.ts';
import { writeZip } from './write-zip.ts';
import { zipRoots } from './zip-roots.ts';

/** Bytes buffered between the writer of the archive and the disk. */
const CHUNK = 1024 * 1024;

/**
 * Makes a ZIP archive of files and folders, as a new file.
 * @param targetPath the destination folder: its contents, and the archive itself, may be among the items
 * @param archiveName with or without `.zip`
 * @returns its path
 * @throws ApiError `not_found` (an item, the folder, or when nothing is left), `invalid_name`, `already_exists`,
 * `type_not_allowed`, `quota_exceeded`, `disk_full`
 */
export async function zipItems(
  context: FilesContext,
  caller: AccountCaller,
  paths: readonly (readonly string[])[],
  targetPath: readonly string[],
  archiveName: string,
): Promise<string> {
  const { access, quotas, disk, failPoints } = context;
  const name = /\.zip$/i.test(archiveName) ? archiveName : `${archiveName}.zip`;
  checkNewName(name);
  const folder = await access.resolveItem(caller, targetPath, 'files/zip:into');
  const items: ItemTarget[] = [];
  for (const path of paths) items.push(await access.resolveItem(caller, path, 'files/zip'));
  const target = { ...folder, segments: [...folder.segments, name] };
  const { home } = target;
  return onStorage(async () => {
    const { hasFolder, entry } = await disk.run('inspect', { homeRoot: home.homeRoot, segments: target.segments });
    if (!hasFolder) throw new StorageError('not-found');
    const roots = await zipRoots(context, caller, items, 'files/zip:folder');
    checkType(limitsIn(caller.account, target), name);
    // The name is checked again when it is taken.
    if (entry !== null) throw new StorageError('taken', entry.name);
    const incoming = join(home.area.incoming, randomUUID());
    const reservation = await quotas.reserve({ caller, home, bytes: 0 });
    try {
      const { sha256 } = await receiveZip(context, roots, incoming, reservation);
      await checkStillShared(...items);
      failPoint(failPoints, 'files.zip.made');
      const publish = () => publishContent(context, caller, target, incoming, { mayReplace: false, sha256 });
      return (await reservation.settle(publish)).path;
    } finally {
      reservation.release();
      await eraseStored(incoming);
    }
  });
}

/** Writes the archive into the work area, reserving space as it grows, and flushes it. */
async function receiveZip(
  { disk, failPoints }: FilesContext,
  roots: readonly ZipRoot[],
  path: string,
  reservation: Reservation,
): Promise<ReceivedContent> {
  const stream = new PassThrough({ highWaterMark: CHUNK });
  const options = { path, announced: null, limit: Number.MAX_SAFE_INTEGER, admit: reservation.grow, failPoints };
  const [written, received] = await Promise.allSettled([
    writeZip(disk, roots, stream),
    receive(stream, options).catch((error) => {
      stream.destroy();
      throw error;
    }),
  ]);
  // Each stream aborts the other, so a cut-off is never the cause.
  const isCutOff =
    received.status === 'rejected' && received.reason instanceof StorageError && received.reason.reason === 'cut-off';
  if (received.status === 'rejected' && !isCutOff) throw received.reason;
  if (written.status === 'rejected') throw written.reason;
  if (received.status === 'rejected') throw received.reason;
  return received.value;
}
