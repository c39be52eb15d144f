import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { limitsIn } from '../../access/limits.ts';
import { failPoint } from '../../lib/process/fail-points.ts';
import { randomAlphanumeric } from '../../lib/random.ts';
import { eraseStored, storedContent } from '../../storage/content/work-area.ts';
import type { Found, Published } from '../../storage/disk/disk.ts';
import { StorageError, storageError } from '../../storage/errors.ts';
import { flushAndClose, flushEach, flushFolder } from '../../storage/flush.ts';
import type { FilesContext } from '../context.ts';
import { previousContentPath } from '../publish/previous-content.ts';
import { oldContents } from '../versions/version-rows.ts';
import {
  alone,
  type BegunMove,
  begin,
  cancelMove,
  completeMove,
  findAgain,
  type MoveAcrossHomes,
  moveOldContents,
} from './across-homes-steps.ts';
import { mirror } from './mirror.ts';
import { takeOutCopied, whatIsLeft } from './move-cleanup.ts';
import { copyVersions, shareArea } from './move-versions.ts';
import { rememberBelow } from './record-across-homes.ts';
import type { Moved } from './transfer-options.ts';

/**
 * Moves an item to another disk. The copy is made without locks, since it may take long, and updated once the source is locked.
 * It is put in place in one step; only then the source leaves its location, and only what the copy contains is erased. At every
 * moment one of the two is in place.
 */
export async function copyAcrossHomes(context: FilesContext, move: MoveAcrossHomes): Promise<Moved> {
  const { caller, source, target, between, reservation } = move;
  const copy = join(target.home.area.incoming, randomUUID());
  const versions = `${copy}.versions`;
  const limits = limitsIn(caller.account, target);
  const update = async () => {
    const old = await oldContents(context.database, move.itemId);
    await reservation.grow((await mirror(context, limits, source, target.home, copy)) + old.bytes);
    return old;
  };
  try {
    const { ids } = await update();
    if (!shareArea(between)) await copyVersions(context, between, ids, versions);
    failPoint(context.failPoints, 'files.between.copied');
    return await alone(context, move, async () => {
      await findAgain(context, move);
      await update();
      const found = await seeSource(context, move);
      const copied = await storedContent(copy);
      if (copied === null) throw new StorageError('not-found');
      const takenId = randomAlphanumeric(16);
      const begun = await begin(context, move, found, { identity: copied.identity, takenId });
      const published = await publish(context, move, begun, { copy, versions });
      const unflushed = await moveOutSource(context, move, begun, published);
      failPoint(context.failPoints, 'files.between.taken');
      const left = await whatIsLeft(context, between, begun.entry);
      return completeMove(context, move, begun, { ...published, left, keepsTags: true }, unflushed);
    });
  } finally {
    await eraseStored(copy);
    await eraseStored(versions);
  }
}

/**
 * Brings the rows of the source up to date once it is copied. A content that nothing has touched since its row saw it is the one that
 * was copied, so the copy may keep its tag, also without a known hash. Everything else gets another one here.
 * @returns the source; the row of a file is written by `begin`
 */
async function seeSource(context: FilesContext, { source, itemId }: MoveAcrossHomes): Promise<Found> {
  const { home, segments } = source;
  const found = await context.disk.run('stat', { homeRoot: home.homeRoot, segments });
  if (found.entry.isDir) {
    await rememberBelow(context, home, itemId, segments, { areCopies: false, keepTags: false });
  }
  return found;
}

/** Puts the copy and its versions in place. @throws if nothing has changed */
async function publish(
  context: FilesContext,
  move: MoveAcrossHomes,
  begun: BegunMove,
  { copy, versions }: { readonly copy: string; readonly versions: string },
): Promise<Published> {
  const { target, between, mayReplace } = move;
  try {
    await moveOldContents(context, move, begun, versions);
    failPoint(context.failPoints, 'files.between.brought');
  } catch (error) {
    await cancelMove(context, between, begun);
    throw error;
  }
  const [parent, name] = [target.segments.slice(0, -1), target.segments.at(-1) ?? ''];
  const { homeRoot } = target.home;
  const keep = previousContentPath(target.home, begun.entry.kept);
  const published = await (mayReplace
    ? context.disk.run('publishOver', { homeRoot, parent, name, incoming: copy, retainAs: keep })
    : context.disk.run('moveIn', { homeRoot, parent, name, source: copy })
  ).catch(async (error) => {
    if (error instanceof StorageError) await cancelMove(context, between, begun);
    throw error;
  });
  try {
    await flushAndClose(published.folderFd);
  } catch (error) {
    await withdraw(context, move, begun, published);
    throw error;
  }
  failPoint(context.failPoints, 'files.between.published');
  return published;
}

/**
 * Takes the source out of its location. If the disk refuses, the copy is removed again.
 * @returns a failure to flush, or null
 */
async function moveOutSource(
  context: FilesContext,
  move: MoveAcrossHomes,
  begun: BegunMove,
  published: Published,
): Promise<unknown> {
  try {
    failPoint(context.failPoints, 'files.between.take-out');
    return await takeOutCopied(context, move.source.home, begun.entry);
  } catch (error) {
    const known = storageError(error);
    if (known instanceof StorageError) await withdraw(context, move, begun, published);
    throw known;
  }
}

/** Removes the copy, and restores what was at the destination before. */
async function withdraw(
  context: FilesContext,
  { target, between }: MoveAcrossHomes,
  begun: BegunMove,
  { entry: { identity }, replaced }: Published,
): Promise<void> {
  const { disk } = context;
  const { homeRoot, area } = target.home;
  const withdrawn = join(area.incoming, randomUUID());
  const taken = await disk.run('moveOut', { homeRoot, segments: target.segments, target: withdrawn });
  const back = async (source: string) => {
    const [parent, name] = [target.segments.slice(0, -1), taken.entry.name];
    const { folderFd } = await disk.run('moveIn', { homeRoot, parent, name, source });
    await flushAndClose(folderFd);
  };
  await flushEach([flushAndClose(taken.folderFd), flushFolder(area.incoming)]);
  if (taken.entry.identity !== identity) {
    // Another program has stored something else there at the same time.
    await back(withdrawn);
    throw new Error('the copy is not at its place any more');
  }
  if (replaced !== null) await back(previousContentPath(target.home, begun.entry.kept));
  await eraseStored(withdrawn);
  await cancelMove(context, between, begun);
}
