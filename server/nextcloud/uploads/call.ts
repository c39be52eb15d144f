import type { AccountCaller } from '../../access/caller.ts';
import type { Home, Homes } from '../../catalogue/homes.ts';
import { unknownUpload, uploadInParts } from '../../files/upload/parts/part-rows.ts';
import type { PartsPlace } from '../../files/upload/parts/receive-part.ts';
import type { KeyedQueue } from '../../lib/concurrency/keyed-queue.ts';
import type { DavCall } from '../../webdav/context.ts';
import type { UploadsAddress } from './address.ts';
import type { FinishedTransfers } from './finished.ts';

/** A request about a transfer, whose caller is known. */
export interface UploadsCall extends Omit<DavCall, 'address'> {
  readonly address: UploadsAddress;
  readonly homes: Pick<Homes, 'byId'>;
  /** By the row of a transfer: what changes it, one after the other. Parts are received at the same time. */
  readonly turns: KeyedQueue;
  readonly finished: FinishedTransfers;
}

/**
 * The key of a transfer within its account. Other credentials have transfers of their own: they may reach other files, and two
 * phones with one picture would use one id.
 */
export function keyOf({ credential, authorizationId }: AccountCaller, { id }: Pick<UploadsAddress, 'id'>): string {
  return `nextcloud:${credential?.id ?? `authorization:${authorizationId}`}:${id}`;
}

/** What a transfer is remembered by once its parts are joined: only the credential that began it knows of it. */
export function placeOf({ caller, address }: Pick<UploadsCall, 'caller' | 'address'>): string {
  return `${caller.account.id} ${keyOf(caller, address)}`;
}

/** @throws ApiError `not_found` alike for transfers that do not exist and for those of another credential */
export async function transferOf(call: UploadsCall): Promise<PartsPlace> {
  const found = await findTransfer(call);
  if (found === null) throw unknownUpload();
  return found;
}

/** @returns null alike for transfers that do not exist and for those of another credential */
export async function findTransfer({ context, caller, address, homes }: UploadsCall): Promise<PartsPlace | null> {
  const upload = await uploadInParts(context.files.uploadRows, caller.account.id, keyOf(caller, address));
  const home: Home | null = upload && (await homes.byId(upload.homeId));
  return upload === null || home === null ? null : { upload, home };
}
