import { randomUUID } from 'node:crypto';
import { homePathOf, type ItemTarget } from '../access/access.ts';
import { type Caller, rightsOf } from '../access/caller.ts';
import { checkType, limitsIn } from '../access/limits.ts';
import { onStorage } from '../access/storage-failure.ts';
import { createMissingFolders, isFolder } from '../files/create-folder.ts';
import { publishContent } from '../files/publish/publish-content.ts';
import { abandonUpload, endUpload, type UploadOffset, uploadOffset } from '../files/upload/chunks.ts';
import type { UploadChunk } from '../files/upload/claim.ts';
import type { UploadContext } from '../files/upload/context.ts';
import { prepareUpload, type UploadPlan } from '../files/upload/plan.ts';
import type { Received } from '../files/upload/received.ts';
import { uploadTarget } from '../files/upload/target.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import { MAX_PATH, MAX_SEGMENTS } from '../http/request/parameters.ts';
import { LruCache } from '../lib/lru-cache.ts';
import { extensionOf } from '../lib/names/file-types.ts';
import { freeNumber } from '../lib/names/free-number.ts';
import { foldName } from '../lib/names/names.ts';
import { numberedName } from '../lib/names/numbered-name.ts';
import { fittingName } from '../lib/names/portable-name.ts';
import { t } from '../messages/messages.ts';

/** The destination of an upload by a visitor. */
export interface Sending {
  /** The folder that the visitor is in, below the linked item. */
  readonly folder: readonly string[];
  /** Its folders on the visitor's side, and its name. */
  readonly way: readonly string[];
  /** Distinguishes the chunks of uploads with equal names. */
  readonly key: string;
}

interface SentContent {
  readonly itemId: number;
  readonly size: number;
}

/** Names for which the last number is remembered. */
const KNOWN_NAMES = 10_000;

/** The last number given to each name in a folder, to find the next one at once. Only a hint. */
export type LastNumbers = LruCache<number>;

interface NumberingContext extends UploadContext {
  readonly lastNumbers: LastNumbers;
}

export function createLastNumbers(): LastNumbers {
  return new LruCache(KNOWN_NAMES);
}

/** The names it gets: the visitor's, as far as they are valid on every system. */
export function sending(folder: readonly string[], way: readonly string[], key: string = randomUUID()): Sending {
  return { folder, way: way.map((name, index) => fittingName(name, index === way.length - 1)), key };
}

/** What a chunk states; the rest follows from the destination. */
type SentChunk = Pick<UploadChunk, 'totalSize' | 'startByte' | 'lastModified'>;

/**
 * Decides on the destination, and refuses what could not be received anyway. @param bytes of the request; null if not stated
 * @throws ApiError
 */
export async function prepareSending(
  context: UploadContext,
  caller: Caller,
  one: Sending,
  { bytes, chunk, lastModified }: { bytes: number | null; chunk: SentChunk | null; lastModified?: number | undefined },
): Promise<UploadPlan> {
  await checkReach(context, caller, one);
  const location = { filePath: pathOf(one) };
  return prepareUpload(context, caller, { location, bytes, chunk: chunk && chunkOf(one, chunk), lastModified });
}

/** How many bytes have arrived. */
export async function sendingOffset(context: UploadContext, caller: Caller, one: Sending): Promise<number> {
  const identity = { uploadId: uploadIdOf(one), totalSize: undefined, lastModified: undefined, digest: undefined };
  const target = await uploadTarget(context, caller, { filePath: pathOf(one) });
  const { offset }: UploadOffset = await uploadOffset(context, caller, target, identity);
  return offset;
}

export async function abandonSending(context: UploadContext, caller: Caller, one: Sending): Promise<void> {
  const target = await uploadTarget(context, caller, { filePath: pathOf(one) });
  await abandonUpload(context, caller, target, uploadIdOf(one));
}

/** No client of the API can use it: their ids have no colon. */
const uploadIdOf = ({ key }: Sending) => `link:${key}`;

function chunkOf(one: Sending, chunk: SentChunk): UploadChunk {
  return { ...chunk, uploadId: uploadIdOf(one), digest: undefined };
}

/**
 * Publishes received content. An existing file of that name stays: the new one gets a number.
 * @throws ApiError
 */
export async function publishSending(
  context: NumberingContext,
  caller: Caller,
  { folder, way }: Sending,
  received: Received,
): Promise<SentContent> {
  const name = way.at(-1) ?? '';
  const top = await context.access.resolveItem(caller, folder, 'files/upload');
  checkType(limitsIn(rightsOf(caller), top), name);
  await createMissingFolders(context, caller, top);
  const parent = await folderFor(context, caller, top, way.slice(0, -1));
  const settle = received.reservation?.settle ?? ((work: () => Promise<SentContent>) => work());
  const sent = await settle(async () => {
    const published = await publishFree(context, caller, parent, name, received);
    if (received.kind === 'chunk') await endUpload(context, received.rowId);
    return published;
  });
  if (received.kind === 'chunk') received.end();
  return sent;
}

/** Its folder on the visitor's side. If another item has that name, the folder gets a number, too. */
async function folderFor(
  context: NumberingContext,
  caller: Caller,
  top: ItemTarget,
  names: readonly string[],
): Promise<ItemTarget> {
  const requested = { ...top, segments: [...top.segments, ...names] };
  await createMissingFolders(context, caller, requested);
  if (names.length === 0 || (await isFolder(context, requested))) return requested;
  let target = top;
  for (const name of names) target = await folderIn(context, caller, target, name);
  return target;
}

async function folderIn(
  context: NumberingContext,
  caller: Caller,
  parent: ItemTarget,
  name: string,
): Promise<ItemTarget> {
  const targetOf = (number: number) => ({
    ...parent,
    segments: [...parent.segments, numberedName(name, number, true)],
  });
  let number = 1;
  for (;;) {
    const target = targetOf(number);
    await createMissingFolders(context, caller, target);
    if (await isFolder(context, target)) return target;
    const isFile = async (one: number) => (await occupant(context, targetOf(one))) === 'file';
    number = await freeNumber(isFile, number + 1);
  }
}

/** Checks that the owner can reach what a visitor sends: its path must not be too deep. @throws ApiError `invalid_parameter` */
async function checkReach({ access }: UploadContext, caller: Caller, one: Sending): Promise<void> {
  const { segments } = await access.resolveItem(caller, [...one.folder, ...one.way], 'files/upload');
  const path = homePathOf(segments);
  if (Buffer.byteLength(path) > MAX_PATH || path.split('/').length > MAX_SEGMENTS) {
    throw invalidParameter('name', t('api.uploads.tooDeep'));
  }
}

async function publishFree(
  context: NumberingContext,
  caller: Caller,
  parent: ItemTarget,
  name: string,
  received: Received,
): Promise<SentContent> {
  const sha256 = received.kind === 'file' ? received.sha256 : undefined;
  const { lastNumbers } = context;
  const key = `${parent.home.id}/${[...parent.segments, name].map(foldName).join('/')}`;
  const targetOf = (number: number) => ({
    ...parent,
    segments: [...parent.segments, numberedName(name, number, false)],
  });
  const isTaken = async (one: number) => (await occupant(context, targetOf(one))) !== null;
  let number = 1;
  for (;;) {
    try {
      const { item, size } = await publishContent(context, caller, targetOf(number), received.path, {
        mayReplace: false,
        sha256,
      });
      if (number > 1) lastNumbers.set(key, number);
      return { itemId: item.id, size };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error;
    }
    // Numbers below the last one are taken, or were.
    const from = number === 1 ? Math.max(2, (lastNumbers.get(key) ?? 1) + 1) : number + 1;
    number = await freeNumber(isTaken, from);
  }
}

/** The existing item with which a new one would collide. */
async function occupant({ disk }: UploadContext, { home, segments }: ItemTarget): Promise<'file' | 'folder' | null> {
  const { by } = await onStorage(() => disk.run('occupied', { homeRoot: home.homeRoot, segments }));
  return by;
}

/**
 * A stand-in path during the upload that is never a name on the disk, so uploads of equal names do not collide. It keeps the
 * file's extension, because types are checked before the content arrives.
 */
function pathOf({ folder, way, key }: Sending): string[] {
  const name = way.at(-1) ?? '';
  const extension = extensionOf(name);
  return [...folder, `sent ${key}${extension === '' ? '' : `.${extension}`}`];
}
