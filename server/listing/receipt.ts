import { z } from 'zod';
import { checkStillShared, type ItemTarget, virtualPathOf } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { Home } from '../catalogue/homes.ts';
import { IS_PROVEN } from '../catalogue/items.ts';
import { provenSince } from '../catalogue/known-contents.ts';
import { contentTag, MAX_READ } from '../files/content-tag.ts';
import { type Content, copiesBelow } from '../search/find-by-digest.ts';
import { StorageError } from '../storage/errors.ts';
import type { KnownFile } from './known.ts';
import { type SearchContext, searchedFolder } from './search.ts';

/** A stored file, as backups know it. */
export interface StoredFile extends Content {
  /** Below the root of the home. */
  readonly segments: readonly string[];
}

/** Where else a file is. */
interface BackedUp {
  /** The name of the disk for people. */
  readonly disk: string;
  /** Since when it is in completed backups there without interruption, milliseconds since the epoch. */
  readonly since: number;
}

/** Which files are in a completed backup on another physical disk, whose copies there were read again and found equal. */
export interface BackupConfirmations {
  /** @returns for each file, in the same order; null when it is not certain */
  of(home: Home, files: readonly StoredFile[]): Promise<readonly (BackedUp | null)[]>;
}

export interface ReceiptContext extends SearchContext {
  readonly confirmations: BackupConfirmations;
}

/** `stored` and what else is known of a file that an app has. */
export const receiptSchema = z.object({
  name: z.string().describe('As it was sent.'),
  stored: z
    .boolean()
    .describe(
      'Whether a file of this size and SHA-256 is on the disk now, below the folder, and its content is proven.',
    ),
  path: z.string().optional().describe('Where it is, if it is stored.'),
  etag: z.string().optional().describe('The entity tag of that file.'),
  backup: z
    .object({
      disk: z.string().describe('The name of the disk with the backup.'),
      since: z.string().describe('When the first of the backups was made that have it without interruption, ISO 8601.'),
    })
    .nullable()
    .describe(
      'Where else that file is: in a completed backup on another physical disk, whose copy was read again and is equal. Null if that is not certain.',
    ),
});

type ReceiptItem = z.output<typeof receiptSchema>;

/** Folders that are compared with the disk in one request. */
const MAX_COMPARED = 20;

/** Copies of one content that are checked: the first may just have been changed by another program. */
const MAX_COPIES = 4;

/**
 * What is certain of files that an app has: whether they are below a folder on the disk now, and in a backup on another disk.
 * Nothing is confirmed that is not certain. A file whose content is unproven is read again, up to 64 MiB per request.
 * @throws ApiError `not_found`, also for a file; `invalid_path` for a list; `storage_offline`; `permission_denied`
 */
export async function receiptFor(
  context: ReceiptContext,
  caller: AccountCaller,
  named: ItemName,
  files: readonly KnownFile[],
): Promise<ReceiptItem[]> {
  const { target, folder } = await searchedFolder(context, caller, named, ['files/receipt']);
  const [copies] = await Promise.all([
    copiesBelow({ all: context.database.allAside }, folder, files, MAX_COPIES),
    folder.itemId,
  ]);
  const { home } = target;
  const find = createFind(context, home);
  const found = new Map<KnownFile, Stored>();
  // The same file twice is checked once.
  const checked = new Map<string, Stored | null>();
  for (const file of files) {
    const key = `${file.size} ${file.sha256.toLowerCase()}`;
    const known = checked.get(key);
    const stored = known === undefined ? await onStorage(() => find(file, copies.get(file) ?? [])) : known;
    checked.set(key, stored);
    if (stored !== null) found.set(file, stored);
  }
  const all = [...found.values()];
  const backups = new Map((await context.confirmations.of(home, all)).map((backup, index) => [all[index], backup]));
  await checkStillShared(target);
  return files.map((file) => receiptItem(target, file, found.get(file), backups));
}

interface Stored extends StoredFile {
  readonly etag: string;
}

function receiptItem(
  target: ItemTarget,
  { name }: KnownFile,
  stored: Stored | undefined,
  backups: ReadonlyMap<Stored | undefined, BackedUp | null>,
): ReceiptItem {
  if (stored === undefined) return { name, stored: false, backup: null };
  const backup = backups.get(stored) ?? null;
  return {
    name,
    stored: true,
    path: virtualPathOf(target, stored.segments),
    etag: stored.etag,
    backup: backup === null ? null : { disk: backup.disk, since: new Date(backup.since).toISOString() },
  };
}

/** Finds a content on the disk, where the catalogue has copies of it. */
function createFind({ catalogue, database, disk }: ReceiptContext, home: Home) {
  let bytesLeft = MAX_READ;
  const compared = new Set<string>();

  /**
   * Another program has changed what the catalogue knows: the folder is compared, so that `files/known` no longer counts the file, and
   * an app that sends it again is not told that it is there.
   */
  async function compare(folder: readonly string[]): Promise<void> {
    const key = folder.join('/');
    if (compared.has(key) || compared.size === MAX_COMPARED) return;
    compared.add(key);
    await catalogue.list(home, folder, { remember: false }).catch((error) => {
      if (!(error instanceof StorageError)) throw error;
    });
  }

  async function at(requested: Content, segments: readonly string[]): Promise<Stored | null> {
    const there = await disk.run('stat', { homeRoot: home.homeRoot, segments });
    const known = await catalogue.contents.at(home.id, segments);
    if (known === null || known.item.identity !== there.entry.identity || there.entry.size !== requested.size) {
      await compare(segments.slice(0, -1));
      return null;
    }
    if (provenSince(known) !== there.entry.touched) {
      if (requested.size > bytesLeft) return null;
      bytesLeft -= requested.size;
    }
    const { etag, isProven } = await contentTag({ catalogue, database, disk }, home, there);
    if (!isProven) return null;
    // Reading it may have shown another content.
    const row = await database.get<{ id: number }>(
      `SELECT id FROM items WHERE id = ? AND sha256 = unhex(?) AND identity = ? AND ${IS_PROVEN}`,
      [known.item.id, requested.sha256, there.entry.identity],
    );
    return row === undefined ? null : { ...requested, segments, etag };
  }

  return async (requested: Content, copies: readonly (readonly string[])[]): Promise<Stored | null> => {
    for (const segments of copies) {
      const stored = await at(requested, segments).catch(async (error) => {
        if (!(error instanceof StorageError) || error.reason === 'offline') throw error;
        await compare(segments.slice(0, -1));
        return null;
      });
      if (stored !== null) return stored;
    }
    return null;
  };
}
