import { uploadGone, wrongOffset } from '../files/upload/chunk-errors.ts';
import { nextOffset } from '../files/upload/upload-rows.ts';
import { chunkOf, planFor, receiveContent } from './content.ts';
import { type Exchange, sendEmpty, setProgress, type TusContext } from './exchange.ts';
import { checkContentType, contentLength, offsetOf } from './headers.ts';
import { chunkedUploadOf, recordOf } from './records.ts';

/**
 * PATCH: adds content at the end of an upload. The last content publishes the file; until then, the upload is not complete.
 * @throws ApiError `conflict` for another offset
 */
export async function append(context: TusContext, exchange: Exchange, id: string): Promise<void> {
  const { uploadRows, clock } = context;
  const { request, response, principal } = exchange;
  checkContentType(request);
  const offset = offsetOf(request);
  const upload = await recordOf(uploadRows, principal, id);
  const { length } = upload;
  if (upload.itemUuid !== null) {
    // All of it is stored, and there is nothing to add.
    if (offset !== length || contentLength(request) !== 0) throw wrongOffset(length, length);
    response.setHeader('Larder-Uuid', upload.itemUuid);
    setProgress(response, { offset: length, length, updatedAt: 0 });
    return sendEmpty(response, 204);
  }
  const row = await chunkedUploadOf(uploadRows, principal, upload);
  if (row === null) throw uploadGone();
  // Decided again when the chunk has its turn; here, so that content that is not requested need not be sent.
  if (offset !== nextOffset(row)) throw wrongOffset(nextOffset(row), length);
  const plan = await planFor(context, exchange, upload, chunkOf(upload, offset, request));
  if (plan.target?.home.id !== row.home_id) throw uploadGone();
  const end = await receiveContent(context, exchange, upload, plan);
  setProgress(response, { offset: end, length, updatedAt: clock.now() });
  sendEmpty(response, 204);
}
