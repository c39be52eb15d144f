import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Asker, type ItemTarget, virtualPathOf } from '../access/access.ts';
import { onStorage } from '../access/storage-failure.ts';
import { ApiError } from '../http/errors.ts';
import { failPoint } from '../lib/fail-points.ts';
import { eraseStored } from '../storage/area.ts';
import { copyOpened, makeFolder } from '../storage/copy.ts';
import type { OpenedFile } from '../storage/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { flushFolder } from '../storage/flush.ts';
import { closeFile } from '../storage/send-bytes.ts';
import { type FilesContext, lockKey } from './context.ts';
import { publishContent } from './publish-content.ts';
import { recordNew } from './record-new.ts';
import { tell } from './tell.ts';
import { walk } from './walk.ts';

/** Files that are copied at the same time: their flushes share the disk's work. */
const LANES = 8;

/**
 * Copies a file, or a folder with all that is in it. The copy is made in the work area and appears in one step, or not
 * at all.
 * @param copyTo the folder it goes to
 * @param overwrite whether a file may take the place of another one, whose content is kept
 * @returns the path of the copy
 * @throws ApiError `not_found`, `already_exists`, `invalid_path` (a folder into itself), `disk_full`
 */
export async function copyItem(
  context: FilesContext,
  asker: Asker,
  path: readonly string[],
  copyTo: readonly string[],
  overwrite: boolean,
): Promise<string> {
  const source = await context.access.resolveItem(asker.account, path);
  if (source.segments.length === 0) throw new ApiError('invalid_path', 'The home itself cannot be copied.');
  const folder = await context.access.resolveItem(asker.account, copyTo);
  return onStorage(async () => {
    const { entry } = await context.disk.run('stat', { place: source.home.place, segments: source.segments });
    const target = { ...folder, segments: [...folder.segments, entry.name] };
    const incoming = join(folder.home.area.incoming, randomUUID());
    try {
      if (!entry.isDir) {
        await checkFree(context, target, overwrite);
        await copyFile(context, source, incoming);
        const copiedFrom = virtualPathOf(source.base, source.segments);
        return (await publishContent(context, asker, target, incoming, { mayReplace: overwrite, copiedFrom })).path;
      }
      const [inner, outer] = [lockKey(target.home, target.segments), lockKey(source.home, source.segments)];
      if (inner.startsWith(`${outer}/`)) throw new StorageError('into-itself');
      await checkFree(context, target, false);
      await copyFolder(context, source, incoming);
      return await publishFolder(context, asker, target, incoming, virtualPathOf(source.base, source.segments));
    } finally {
      await eraseStored(incoming);
    }
  });
}

/** Before a copy that may take long. The name is looked at again when it is taken. */
async function checkFree({ disk }: FilesContext, { home, segments }: ItemTarget, overwrite: boolean): Promise<void> {
  const { hasFolder, entry } = await disk.run('look', { place: home.place, segments });
  if (!hasFolder) throw new StorageError('not-found');
  if (entry !== null && (!overwrite || entry.isDir)) throw new StorageError('taken', entry.name);
}

async function copyFile(context: FilesContext, { home, segments }: ItemTarget, to: string): Promise<void> {
  const opened: OpenedFile = await context.disk.run('open', { place: home.place, segments }).catch((error) => {
    // It was a file a moment ago, and that one has gone.
    if (error instanceof StorageError && error.reason === 'is-a-folder') throw new StorageError('not-found');
    throw error;
  });
  try {
    await copyOpened(opened, to, context.failPoints);
  } finally {
    await closeFile(opened.fd);
  }
}

/**
 * The lanes take turns at one walk through the tree, however it is shaped: no more than so many files are open. What goes
 * while it is copied is left out; a name that cannot be read ends the copy.
 */
async function copyFolder(context: FilesContext, source: ItemTarget, to: string): Promise<void> {
  const folders = [to];
  await makeFolder(to);
  async function* files(): AsyncGenerator<readonly string[]> {
    for await (const { segments, entry } of walk(context.disk, source)) {
      if (!entry.isDir) yield segments;
      else {
        const folder = join(to, ...segments);
        // Before anything in it is copied.
        await makeFolder(folder);
        folders.push(folder);
      }
    }
  }
  await inLanes(files(), async (segments) => {
    const file = { ...source, segments: [...source.segments, ...segments] };
    await copyFile(context, file, join(to, ...segments)).catch((error) => {
      if (!(error instanceof StorageError) || error.reason !== 'not-found') throw error;
    });
  });
  failPoint(context.failPoints, 'files.copy.flush-folders');
  await inLanes(toAsync(folders), flushFolder);
}

async function* toAsync<T>(values: readonly T[]): AsyncGenerator<T> {
  yield* values;
}

/** Nothing is under way any more when it ends, well or badly. */
async function inLanes<T>(values: AsyncGenerator<T>, work: (value: T) => Promise<void>): Promise<void> {
  const lane = async () => {
    for await (const value of values) await work(value);
  };
  // The first lane that fails ends the generator, and with it the others.
  const results = await Promise.allSettled(Array.from({ length: LANES }, lane));
  const failed = results.find((result) => result.status === 'rejected');
  if (failed !== undefined) throw failed.reason;
}

function publishFolder(
  context: FilesContext,
  asker: Asker,
  { home, segments, base }: ItemTarget,
  source: string,
  copiedFrom: string,
): Promise<string> {
  const { disk } = context;
  const parent = segments.slice(0, -1);
  return context.locks.run([lockKey(home, segments)], () =>
    context.catalogue.changing(home, async () => {
      const made = await disk.run('putBack', { place: home.place, parent, name: segments.at(-1) ?? '', source });
      const item = await recordNew(context, asker.account, home, made);
      const path = virtualPathOf(base, [...parent, made.entry.name]);
      tell(context, 'folder.created', asker, home, { itemId: item.id, path, copiedFrom });
      return path;
    }),
  );
}
