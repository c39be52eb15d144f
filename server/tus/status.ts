import { uploadGone } from '../files/upload/chunk-errors.ts';
import { withoutChunks } from '../files/upload/chunk-lock.ts';
import { uploadTarget } from '../files/upload/target.ts';
import { nextOffset } from '../files/upload/upload-rows.ts';
import { locationOf } from './content.ts';
import { type Exchange, sendEmpty, setProgress, type TusContext } from './exchange.ts';
import { chunkedUploadOf, recordOf, type TusUpload } from './records.ts';

/**
 * HEAD: where the upload continues. A client that asks has lost its connection, so a chunk that is still being received ends first.
 * @throws ApiError `not_found`; with status 410 if the upload has expired, or its folder is now in another home
 */
export async function status(context: TusContext, { response, principal }: Exchange, id: string): Promise<void> {
  const { uploadRows } = context;
  const upload = await recordOf(uploadRows, principal, id);
  if (upload.itemUuid !== null) return sendComplete(response, upload);
  const found = await chunkedUploadOf(uploadRows, principal, upload);
  if (found === null) throw uploadGone();
  const { home } = await uploadTarget(context, principal, locationOf(upload));
  if (home.id !== found.home_id) throw uploadGone();
  await withoutChunks(context, home, found.id, async () => {
    const current = await recordOf(uploadRows, principal, id);
    if (current.itemUuid !== null) return sendComplete(response, current);
    const row = await chunkedUploadOf(uploadRows, principal, upload);
    if (row === null) throw uploadGone();
    describe(response, current);
    setProgress(response, { offset: nextOffset(row), length: upload.length, updatedAt: row.updated_at });
    sendEmpty(response, 200);
  });
}

function sendComplete(response: Exchange['response'], upload: TusUpload): void {
  const { length } = upload;
  describe(response, upload);
  response.setHeader('Larder-Uuid', upload.itemUuid ?? '');
  setProgress(response, { offset: length, length, updatedAt: 0 });
  sendEmpty(response, 200);
}

function describe(response: Exchange['response'], { length, metadata }: TusUpload): void {
  response.setHeader('Upload-Length', String(length));
  if (metadata !== '') response.setHeader('Upload-Metadata', metadata);
}
