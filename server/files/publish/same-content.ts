import type { ItemTarget } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import { mayKnowContent } from '../../access/known-content.ts';
import type { Item } from '../../catalogue/items.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import { storedContent } from '../../storage/content/work-area.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { flushAndClose } from '../../storage/flush.ts';
import { hashOf, MAX_READ } from '../content-tag.ts';
import type { FilesContext } from '../context.ts';

/** A file, its row in the catalogue, and the recorded SHA-256 of its content if known. */
export interface PresentItem {
  readonly item: Item;
  readonly sha256: Buffer | null;
  readonly entry: DiskEntry;
}

/**
 * Whether a file has a content already. Call it with the path locked. The recorded hash is only a hint: another program may have
 * written into the file and set its time back, so the file is read, and flushed as if it had just been stored. Where no hash is
 * recorded yet, a file of up to 64 MiB with the size of the content is read.
 * @param incoming the path of the content
 * @param sha256 of the content
 * @returns false also for a caller who may not download it, because the answer would confirm a guess
 */
export async function isSameContent(
  { disk }: Pick<FilesContext, 'disk'>,
  caller: Caller,
  { home, segments, share }: ItemTarget,
  { item, entry, sha256: recorded }: PresentItem,
  { incoming, sha256 }: { readonly incoming: string; readonly sha256: Buffer },
): Promise<boolean> {
  if (!mayKnowContent(caller, share) || item.identity !== entry.identity) return false;
  const mayBeSame = recorded?.equals(sha256) ?? (entry.size <= MAX_READ && (await sizeOf(incoming)) === entry.size);
  if (!mayBeSame) return false;
  const opened = await disk.run('open', { homeRoot: home.homeRoot, segments });
  let isSame = false;
  try {
    isSame = opened.entry.identity === item.identity && (await hashOf(opened.fd, opened.entry.size)).equals(sha256);
  } finally {
    await (isSame ? flushAndClose(opened.fd) : closeFile(opened.fd));
  }
  return isSame;
}

async function sizeOf(path: string): Promise<number | null> {
  return (await storedContent(path))?.size ?? null;
}
