import { randomUUID } from 'node:crypto';
import type { ActivityDatabase } from '../../../database/database.ts';
import { ApiError, invalidParameter } from '../../../http/errors.ts';
import { uploadTooLarge } from '../../../http/request/read-bytes.ts';
import { t } from '../../../messages/messages.ts';

/** Unfinished uploads in parts of one account: each is a row that counts for no quota. */
const MAX_UNFINISHED = 1_000;
/** Parts of one upload. */
const MAX_PARTS = 10_000;

/** What the column `client` says of them. Senders of other chunked uploads have an address in theirs. */
const CLIENT = 'parts';

/** A chunked upload whose parts arrive in any order, and that its client joins in the end. */
export interface UploadInParts {
  /** Of its row, and the name of the folder of its parts in the work area. */
  readonly id: string;
  readonly homeId: string;
  /** Bytes of the whole file; null if its client has not said. */
  readonly totalSize: number | null;
  /** Bytes of all parts that are there. */
  readonly received: number;
  /** When the last part arrived, in milliseconds since the epoch. */
  readonly updatedAt: number;
}

/** A part that is there. */
export interface StoredPart {
  /** Its number, or its first byte: parts are joined in this order. */
  readonly position: number;
  /** As its client calls it. */
  readonly name: string;
  /** Of its content, in the folder of the upload. */
  readonly file: string;
  /** Bytes. */
  readonly size: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
}

/** @param key unique within the account */
export async function uploadInParts(
  database: Pick<ActivityDatabase, 'get'>,
  accountId: number,
  key: string,
): Promise<UploadInParts | null> {
  const row = await database.get<Omit<UploadInParts, 'totalSize'> & { totalSize: number }>(
    `SELECT id, home_id AS homeId, total_size AS totalSize, received, updated_at AS updatedAt FROM uploads
     WHERE account_id = ? AND upload_key = ? AND client = '${CLIENT}'`,
    [accountId, key],
  );
  return row === undefined ? null : { ...row, totalSize: row.totalSize < 0 ? null : row.totalSize };
}

/**
 * Begins an upload without parts.
 * @returns whether there was none with this key
 * @throws ApiError `too_many_requests` when the account has {@link MAX_UNFINISHED}
 */
export function beginUploadInParts(
  database: ActivityDatabase,
  { accountId, key, homeId, totalSize }: { accountId: number; key: string; homeId: string; totalSize: number | null },
  now: number,
): Promise<boolean> {
  return database.write(async (tx) => {
    const known = await tx.get('SELECT 1 FROM uploads WHERE account_id = ? AND upload_key = ?', [accountId, key]);
    if (known !== undefined) return false;
    const open = await tx.get<{ count: number }>(
      `SELECT count(*) AS count FROM uploads WHERE account_id = ? AND client = '${CLIENT}'`,
      [accountId],
    );
    if ((open?.count ?? 0) >= MAX_UNFINISHED) {
      throw new ApiError('too_many_requests', t('api.tus.tooMany', { most: MAX_UNFINISHED }));
    }
    await tx.run(
      `INSERT INTO uploads (id, upload_key, account_id, home_id, path, client, total_size, received, position, is_named, updated_at)
       VALUES (?, ?, ?, ?, '', '${CLIENT}', ?, 0, 0, 1, ?)`,
      [randomUUID(), key, accountId, homeId, totalSize ?? -1, now],
    );
    return true;
  });
}

/** The parts of an upload in their order. */
export function partsOf(database: Pick<ActivityDatabase, 'all'>, uploadId: string): Promise<StoredPart[]> {
  return database.all<StoredPart>(
    `SELECT position, name, file, size, received_at AS receivedAt FROM upload_parts WHERE upload_id = ? ORDER BY position`,
    [uploadId],
  );
}

/**
 * Adds a part whose content is flushed, or replaces the one at its position.
 * @param most bytes that the parts may have together
 * @returns the file of the part that it replaces
 * @throws ApiError `not_found` if the upload has ended meanwhile, `invalid_parameter` for one part too many, and for one whose name
 * is of another form than the others: their order would be unknown; `upload_too_large`
 */
export function addPart(
  database: ActivityDatabase,
  uploadId: string,
  { position, name, file, size, receivedAt }: StoredPart,
  most: number,
): Promise<string | null> {
  return database.write(async (tx) => {
    const upload = await tx.get<{ received: number }>('SELECT received FROM uploads WHERE id = ?', [uploadId]);
    if (upload === undefined) throw unknownUpload();
    const others = await tx.get<{ count: number; name: string | null }>(
      'SELECT count(*) AS count, max(name) AS name FROM upload_parts WHERE upload_id = ?',
      [uploadId],
    );
    const before = await tx.get<{ file: string; size: number }>(
      'SELECT file, size FROM upload_parts WHERE upload_id = ? AND position = ?',
      [uploadId, position],
    );
    if (before === undefined && (others?.count ?? 0) >= MAX_PARTS) {
      throw invalidParameter('part', t('api.uploads.tooManyParts', { most: MAX_PARTS }));
    }
    const isRange = (one: string) => one.includes('-');
    if (others?.name != null && isRange(others.name) !== isRange(name)) {
      throw invalidParameter('part', t('api.uploads.mixedParts'));
    }
    const received = upload.received - (before?.size ?? 0) + size;
    if (received > most) throw uploadTooLarge(most);
    await tx.run(
      `INSERT OR REPLACE INTO upload_parts (upload_id, position, name, file, size, received_at) VALUES (?, ?, ?, ?, ?, ?)`,
      [uploadId, position, name, file, size, receivedAt],
    );
    await tx.run('UPDATE uploads SET received = ?, updated_at = ? WHERE id = ?', [received, receivedAt, uploadId]);
    return before?.file ?? null;
  });
}

/** @returns the file of the part; null if it is not there */
export function forgetPart(database: ActivityDatabase, uploadId: string, position: number): Promise<string | null> {
  return database.write(async (tx) => {
    const known = await tx.get<{ file: string; size: number }>(
      'SELECT file, size FROM upload_parts WHERE upload_id = ? AND position = ?',
      [uploadId, position],
    );
    if (known === undefined) return null;
    await tx.run('DELETE FROM upload_parts WHERE upload_id = ? AND position = ?', [uploadId, position]);
    await tx.run('UPDATE uploads SET received = received - ? WHERE id = ?', [known.size, uploadId]);
    return known.file;
  });
}

/** Puts off the expiry of an upload that is being joined. */
export function touchUpload(database: ActivityDatabase, uploadId: string, now: number): Promise<unknown> {
  return database.write((tx) => tx.run('UPDATE uploads SET updated_at = ? WHERE id = ?', [now, uploadId]));
}

export function unknownUpload(): ApiError {
  return new ApiError('not_found', t('api.tus.unknownUpload'));
}
