import { onStorage } from '../access/storage-failure.ts';
import { withoutChunks } from '../files/upload/chunk-lock.ts';
import { discardUpload } from '../files/upload/discard-upload.ts';
import { forgetUpload } from '../files/upload/upload-rows.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import { type Exchange, sendEmpty, type TusContext } from './exchange.ts';
import { chunkedUploadOf, recordOf, removeRecord } from './records.ts';

/**
 * Extension termination: removes an upload and what has arrived of it. A chunk that is still being received ends first. A published
 * file stays, because deleting it needs another permission.
 * @throws ApiError `conflict` for a complete upload
 */
export async function terminate(context: TusContext, { response, principal }: Exchange, id: string): Promise<void> {
  const { uploadRows, homes } = context;
  const upload = await recordOf(uploadRows, principal, id);
  const row = await chunkedUploadOf(uploadRows, principal, upload);
  // Not through the path, which the account may no longer reach.
  const home = row === null ? null : await homes.byId(row.home_id);
  if (row === null) await remove();
  else await withoutChunks(context, home, row.id, remove);
  sendEmpty(response, 204);

  async function remove(): Promise<void> {
    const { itemUuid } = await recordOf(uploadRows, principal, id);
    if (itemUuid !== null) throw new ApiError('conflict', t('api.tus.complete'));
    if (row !== null) {
      if (home === null) await forgetUpload(uploadRows, row.id);
      else await onStorage(() => discardUpload(context, home, row.id));
    }
    await removeRecord(uploadRows, id);
  }
}
