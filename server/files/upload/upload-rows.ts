import { randomUUID } from 'node:crypto';
import type { ItemTarget } from '../../access/access.ts';
import type { ActivityDatabase, Transaction } from '../../database/database.ts';
import { foldName } from '../../lib/names/names.ts';

/** What each chunk states about its upload; together it distinguishes the upload from others. */
export interface UploadIdentity {
  /** The id of the upload: from the first reply, or chosen by the client. Unique within the account. */
  readonly uploadId: string | undefined;
  /** Bytes of the whole file. */
  readonly totalSize: number;
  /** Seconds since the epoch. */
  readonly lastModified: number | undefined;
  /** Of the whole file, as `<algorithm>=<hex>`. */
  readonly digest: string | undefined;
  /**
   * For a client that sends chunks in parallel: its own name for the upload, or empty. Undefined for clients that send chunks one
   * after the other.
   */
  readonly parallelId?: string | undefined;
  /**
   * Whether its protocol created it before its first chunk: its id alone identifies it, and every chunk must begin at its end.
   */
  readonly isCreated?: boolean;
}

/** The sender: chunks of two clients never meet in an upload without an id. */
export interface UploadSender {
  readonly accountId: number;
  readonly client: string;
}

export interface UploadRow {
  readonly id: string;
  readonly upload_key: string;
  readonly home_id: string;
  readonly path: string;
  readonly total_size: number;
  readonly last_modified: number | null;
  readonly digest: string | null;
  /** Bytes that are on the disk. */
  readonly received: number;
  /** Where a chunk without a start byte begins: after the previous chunk. */
  readonly position: number;
  /** When its last chunk arrived. */
  readonly updated_at: number;
  readonly is_named: 0 | 1;
  readonly is_contested: 0 | 1;
  /** Whether it was begun again at the first byte without its id, perhaps by another client. */
  readonly is_restarted: 0 | 1;
}

const COLUMNS =
  'id, upload_key, home_id, path, total_size, last_modified, digest, received, position, updated_at, is_named, is_contested, is_restarted' as const;

export function pathKey({ segments }: Pick<ItemTarget, 'segments'>): string {
  return segments.map(foldName).join('/');
}

export function namedUpload(
  database: ActivityDatabase,
  accountId: number,
  key: string,
): Promise<UploadRow | undefined> {
  return database.get<UploadRow>(`SELECT ${COLUMNS} FROM uploads WHERE account_id = ? AND upload_key = ?`, [
    accountId,
    key,
  ]);
}

/** The uploads of one sender to a path that were never addressed by their id. */
export function unnamedUploads(
  database: ActivityDatabase,
  { accountId, client }: UploadSender,
  target: ItemTarget,
): Promise<UploadRow[]> {
  return database.all<UploadRow>(
    `SELECT ${COLUMNS} FROM uploads WHERE account_id = ? AND home_id = ? AND path = ? AND client = ? AND is_named = 0`,
    [accountId, target.home.id, pathKey(target), client],
  );
}

export async function insertUpload(
  database: ActivityDatabase,
  { accountId, client }: UploadSender,
  target: ItemTarget,
  { uploadId, totalSize, lastModified, digest }: UploadIdentity,
  now: number,
): Promise<UploadRow> {
  const id = randomUUID();
  const row: UploadRow = {
    id,
    upload_key: uploadId ?? id,
    home_id: target.home.id,
    path: pathKey(target),
    total_size: totalSize,
    last_modified: lastModified ?? null,
    digest: digest ?? null,
    received: 0,
    position: 0,
    updated_at: now,
    is_named: uploadId === undefined ? 0 : 1,
    is_contested: 0,
    is_restarted: 0,
  };
  await database.write((tx) =>
    tx.run(
      `INSERT INTO uploads (id, upload_key, account_id, home_id, path, client, total_size, last_modified, digest, received, position, is_named, updated_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, 0, ?, ?)`,
      [
        row.id,
        row.upload_key,
        accountId,
        row.home_id,
        row.path,
        client,
        totalSize,
        row.last_modified,
        row.digest,
        row.is_named,
        now,
      ],
    ),
  );
  return row;
}

/** Changed properties of an upload. */
interface UploadChanges {
  /** After the received bytes, unless given. */
  readonly position?: number;
  readonly isNamed?: boolean;
  readonly isContested?: boolean;
  /** It gets a new id: the published one belongs to the client that began before. */
  readonly isRestarted?: true;
  /** Become part of its identity, if they were unknown. */
  readonly lastModified?: number | undefined;
  readonly digest?: string | undefined;
}

export function recordReceived(
  database: ActivityDatabase,
  id: string,
  received: number,
  now: number,
  changes: UploadChanges = {},
): Promise<unknown> {
  const { position = received, isNamed, isContested, isRestarted, lastModified = null, digest = null } = changes;
  return database.write((tx) =>
    tx.run(
      `UPDATE uploads SET received = ?, position = ?, updated_at = ?, is_named = coalesce(?, is_named),
         is_contested = coalesce(?, is_contested), is_restarted = coalesce(?, is_restarted),
         upload_key = coalesce(?, upload_key), last_modified = coalesce(last_modified, ?), digest = coalesce(digest, ?)
       WHERE id = ?`,
      [
        ...[received, position, now, numberOf(isNamed), numberOf(isContested), numberOf(isRestarted)],
        ...[isRestarted ? randomUUID() : null, lastModified, digest, id],
      ],
    ),
  );
}

const numberOf = (flag: boolean | undefined) => (flag === undefined ? null : Number(flag));

/**
 * Where the next chunk of a created upload begins. The upload is complete only once it is published: before that, or if that has
 * failed, its last byte is sent again.
 */
export function nextOffset({ received, total_size }: Pick<UploadRow, 'received' | 'total_size'>): number {
  return received < total_size ? received : Math.max(0, total_size - 1);
}

/** From now on the upload continues only with its id, or from the first byte with the same content. */
export function contest(database: ActivityDatabase, id: string): Promise<unknown> {
  return database.write((tx) => tx.run('UPDATE uploads SET is_contested = 1 WHERE id = ?', [id]));
}

/** Its client knows its id: from now on, only that identifies it. */
export function nameUpload(database: ActivityDatabase, id: string): Promise<unknown> {
  return database.write((tx) => tx.run('UPDATE uploads SET is_named = 1 WHERE id = ?', [id]));
}

export function forgetUpload(database: ActivityDatabase, id: string): Promise<unknown> {
  return database.write((tx) => deleteUpload(tx, id));
}

export async function deleteUpload(tx: Transaction<'activity'>, id: string): Promise<void> {
  await tx.run('DELETE FROM uploads WHERE id = ?', [id]);
}

const EXPIRED = `FROM uploads WHERE home_id = ? AND updated_at <
  CASE WHEN is_named = 0 AND last_modified IS NULL AND digest IS NULL THEN ? ELSE ? END`;

/** Uploads without new chunks since then, in milliseconds since the epoch. */
interface Expiry {
  readonly homeId: string;
  /** For those of which nothing identifies the content. */
  readonly unidentifiedBefore: number;
  readonly before: number;
}

const ofExpiry = ({ homeId, unidentifiedBefore, before }: Expiry) => [homeId, unidentifiedBefore, before];

export async function expiredUploads(database: Pick<ActivityDatabase, 'all'>, expiry: Expiry): Promise<string[]> {
  return (await database.all<{ id: string }>(`SELECT id ${EXPIRED}`, ofExpiry(expiry))).map(({ id }) => id);
}

/** @returns false for one that has gone or continued since */
export async function deleteExpired(database: ActivityDatabase, expiry: Expiry, id: string): Promise<boolean> {
  const { changes } = await database.write((tx) => tx.run(`DELETE ${EXPIRED} AND id = ?`, [...ofExpiry(expiry), id]));
  return changes > 0;
}

export async function isUploadThere(database: Pick<ActivityDatabase, 'get'>, id: string): Promise<boolean> {
  return (await database.get('SELECT 1 FROM uploads WHERE id = ?', [id])) !== undefined;
}

export async function uploadsInHome(tx: Pick<Transaction, 'all'>, homeId: string): Promise<string[]> {
  const rows = await tx.all<{ id: string }>('SELECT id FROM uploads WHERE home_id = ?', [homeId]);
  return rows.map(({ id }) => id);
}
