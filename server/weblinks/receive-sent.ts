import { randomUUID } from 'node:crypto';
import type { Readable } from 'node:stream';
import { type Asker, type ItemTarget, virtualPathOf } from '../access/access.ts';
import { checkType, limitsIn } from '../access/limits.ts';
import type { FilesContext } from '../files/context.ts';
import { createMissingFolders, isFolder } from '../files/create-folder.ts';
import { publishContent } from '../files/publish-content.ts';
import {
  abandonUploadTo,
  checkUpload,
  offsetOf,
  type Received,
  receivePieceFor,
  receiveUpload,
} from '../files/upload.ts';
import { endUpload, type Piece } from '../files/upload-pieces.ts';
import { ApiError } from '../http/errors.ts';
import { extensionOf } from '../lib/file-types.ts';
import { fittingName } from '../lib/fitting-name.ts';
import { numberedName } from '../lib/numbered-name.ts';

/** Where something that a visitor sends is to go. */
export interface Sending {
  /** The folder that the visitor looks at, below what the link opens. */
  readonly folder: readonly string[];
  /** The folders that it was in for the visitor, and its name. */
  readonly way: readonly string[];
  /** Tells the pieces of one upload from those of another, whatever is called the same. */
  readonly key: string;
}

export interface SentContent {
  readonly itemId: number;
  readonly size: number;
}

/** Numbers that are tried for a name that is taken. */
const MOST_TRIES = 10_000;

/** The names that it gets: those of the visitor, as far as a folder that moves between systems can have them. */
export function sending(folder: readonly string[], way: readonly string[], key: string = randomUUID()): Sending {
  return { folder, way: way.map((name, index) => fittingName(name, index === way.length - 1)), key };
}

/** Refuses what could not be taken anyway. @param bytes of all of it; null when nobody says @throws ApiError */
export async function checkSending(
  context: FilesContext,
  { account }: Asker,
  one: Sending,
  bytes: number | null,
  isPiece: boolean,
): Promise<void> {
  await checkUpload(context, account, { where: { filePath: pathOf(one) }, bytes, isPiece });
}

/** How many bytes have come. */
export function sendingOffset(context: FilesContext, { account }: Asker, one: Sending): Promise<number> {
  return offsetOf(context, account, { filePath: pathOf(one) });
}

export function abandonSending(context: FilesContext, { account }: Asker, one: Sending): Promise<void> {
  return abandonUploadTo(context, account, { filePath: pathOf(one) });
}

/** Takes a content, or a piece of one, into the work area. @throws ApiError */
export function receiveSending(
  context: FilesContext,
  { account }: Asker,
  one: Sending,
  content: Readable,
  {
    announced,
    piece,
    lastModified,
  }: { announced: number | null; piece: Piece | null; lastModified: number | undefined },
): Promise<Received> {
  const where = { filePath: pathOf(one) };
  if (piece !== null) return receivePieceFor(context, account, where, piece, content, announced);
  return receiveUpload(context, account, where, content, announced, lastModified);
}

/**
 * Gives a content that has come its name. Whatever has that name stays: the new one gets a number.
 * @throws ApiError `already_exists` only where thousands have that name
 */
export async function publishSending(
  context: FilesContext,
  asker: Asker,
  { folder, way }: Sending,
  received: Received,
): Promise<SentContent> {
  const name = way.at(-1) ?? '';
  const parent = await folderOf(context, asker, folder, way.slice(0, -1));
  checkType(limitsIn(asker.account, parent), name);
  const settle = received.reservation?.settle ?? ((work: () => Promise<SentContent>) => work());
  const sent = await settle(async () => {
    const published = await publishFree(context, asker, parent, name, received.path);
    if ('uploadId' in received) await endUpload(context, received.uploadId);
    return published;
  });
  if ('uploadId' in received) received.end();
  return sent;
}

/**
 * The folder that was around it for the visitor. A file that has the name of one stays, and the folder gets a number: to
 * refuse it would tell what is there.
 */
async function folderOf(
  context: FilesContext,
  asker: Asker,
  folder: readonly string[],
  names: readonly string[],
): Promise<ItemTarget> {
  const [name, ...inner] = names;
  if (name === undefined) return context.access.resolveItem(asker.account, folder, 'files/upload');
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const path = [...folder, numberedName(name, attempt, true)];
    const target = await context.access.resolveItem(asker.account, path, 'files/upload');
    await createMissingFolders(context, asker, target);
    if (await isFolder(context, target)) return folderOf(context, asker, path, inner);
  }
  throw new ApiError('already_exists', `Too many items are called "${name}".`);
}

async function publishFree(
  context: FilesContext,
  asker: Asker,
  parent: ItemTarget,
  name: string,
  incoming: string,
): Promise<SentContent> {
  for (let attempt = 1; attempt <= MOST_TRIES; attempt += 1) {
    const target = { ...parent, segments: [...parent.segments, numberedName(name, attempt, false)] };
    try {
      const { item, size } = await publishContent(context, asker, target, incoming, { mayReplace: false });
      return { itemId: item.id, size };
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'already_exists') throw error;
    }
  }
  throw new ApiError('already_exists', `Too many files are called "${name}" in ${virtualPathOf(parent)}.`);
}

/**
 * What stands for it while it comes, and is never a name on the disk: two visitors who send something of one name do not
 * meet. Its extension is that of the file, because types are looked at before the content comes.
 */
function pathOf({ folder, way, key }: Sending): string[] {
  const name = way.at(-1) ?? '';
  const extension = extensionOf(name);
  return [...folder, `sent ${key}${extension === '' ? '' : `.${extension}`}`];
}
