import type { AccountCaller } from '../access/caller.ts';
import type { ActivityDatabase, Transaction } from '../database/database.ts';
import { namedUpload, type UploadRow } from '../files/upload/upload-rows.ts';
import { ApiError } from '../http/errors.ts';
import { DAY } from '../lib/clock.ts';
import { randomToken } from '../lib/random.ts';
import { t } from '../messages/messages.ts';
import type { FileMetadata } from './metadata.ts';

/** An upload as its client created it. */
export interface TusUpload extends FileMetadata {
  /** Of its address: 256 random bits. */
  readonly id: string;
  /** Bytes of the whole file. */
  readonly length: number;
  /** `Upload-Metadata` as sent. */
  readonly metadata: string;
  /** The file that it became; null before that. */
  readonly itemUuid: string | null;
}

interface Row {
  readonly id: string;
  readonly path: string;
  readonly length: number;
  readonly last_modified: number | null;
  readonly metadata: string;
  readonly item_uuid: string | null;
}

/** Days for which a completed upload is remembered, for clients that lost the last reply. */
const REMEMBERED_DAYS = 7;

/** The key of its chunked upload. Clients of the API cannot choose a key with a colon. */
export function keyOf({ id }: Pick<TusUpload, 'id'>): string {
  return `tus:${id}`;
}

/** What an upload belongs to beside its account: the authorization or app password of the request. */
function credentialOf({ credential, authorizationId }: AccountCaller): string {
  return credential?.id ?? `authorization:${authorizationId}`;
}

/** An upload with a new id, which is not stored yet. */
export function newUpload(upload: Omit<TusUpload, 'id' | 'itemUuid'>): TusUpload {
  return { ...upload, id: randomToken(), itemUuid: null };
}

/** Unfinished uploads of one account: each is a row that counts for no quota. */
export const MAX_UNFINISHED = 1_000;

/** @throws ApiError `too_many_requests` when the account has {@link MAX_UNFINISHED} */
export async function addRecord(
  database: ActivityDatabase,
  caller: AccountCaller,
  { id, path, length, lastModified, metadata }: TusUpload,
  now: number,
): Promise<void> {
  const { changes } = await database.write((tx) =>
    tx.run(
      `INSERT INTO tus_uploads (id, account_id, credential, path, length, last_modified, metadata, created_at)
       SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8
       WHERE (SELECT count(*) FROM tus_uploads WHERE account_id = ?2 AND item_uuid IS NULL) < ?9`,
      [id, caller.account.id, credentialOf(caller), path, length, lastModified ?? null, metadata, now, MAX_UNFINISHED],
    ),
  );
  if (changes === 0) throw new ApiError('too_many_requests', t('api.tus.tooMany', { most: MAX_UNFINISHED }));
}

/** @throws ApiError `not_found` alike for uploads that do not exist and for those of another account or authorization */
export async function recordOf(database: ActivityDatabase, caller: AccountCaller, id: string): Promise<TusUpload> {
  const row = await database.get<Row>(
    `SELECT id, path, length, last_modified, metadata, item_uuid FROM tus_uploads
     WHERE id = ? AND account_id = ? AND credential = ?`,
    [id, caller.account.id, credentialOf(caller)],
  );
  if (row === undefined) throw new ApiError('not_found', t('api.tus.unknownUpload'));
  const { path, length, last_modified, metadata, item_uuid } = row;
  return { id, path, length, lastModified: last_modified ?? undefined, metadata, itemUuid: item_uuid };
}

/** The chunked upload of it. @returns null if it has expired or ended */
export async function chunkedUploadOf(
  database: ActivityDatabase,
  { account }: AccountCaller,
  upload: TusUpload,
): Promise<UploadRow | null> {
  return (await namedUpload(database, account.id, keyOf(upload))) ?? null;
}

/** Records the file that an upload has become. */
export function completeRecord(
  tx: Transaction<'activity'>,
  id: string,
  itemUuid: string,
  now: number,
): Promise<unknown> {
  return tx.run('UPDATE tus_uploads SET item_uuid = ?, ended_at = ? WHERE id = ?', [itemUuid, now, id]);
}

export function removeRecord(database: ActivityDatabase, id: string): Promise<unknown> {
  return database.write((tx) => tx.run('DELETE FROM tus_uploads WHERE id = ?', [id]));
}

/** Removes the records of uploads that have expired, and of those that were completed long ago. */
export async function removeOldRecords(database: ActivityDatabase, now: number): Promise<void> {
  const before = now - REMEMBERED_DAYS * DAY;
  await database.write((tx) =>
    tx.run(
      `DELETE FROM tus_uploads WHERE created_at < ? AND coalesce(ended_at, 0) < ? AND NOT EXISTS
         (SELECT 1 FROM uploads WHERE account_id = tus_uploads.account_id AND upload_key = 'tus:' || tus_uploads.id)`,
      [before, before],
    ),
  );
}
