import type { Home } from '../catalogue/homes.ts';
import { afterChunks, withoutChunks } from '../files/upload/chunk-lock.ts';
import { discardUpload } from '../files/upload/discard-upload.ts';
import { insertUpload } from '../files/upload/upload-rows.ts';
import { senderOf } from '../files/upload/upload-sender.ts';
import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { chunkOf, planFor, receiveContent } from './content.ts';
import { type Exchange, sendEmpty, setProgress, type TusContext } from './exchange.ts';
import { checkContentType, contentLength, lengthOf } from './headers.ts';
import { fileMetadata } from './metadata.ts';
import { addRecord, newUpload, removeRecord } from './records.ts';

/**
 * Extensions creation and creation-with-upload. Uploads that could not be stored are refused here. An empty file is complete at
 * once.
 * @throws ApiError; nothing is left then, because the client does not know the address of the upload
 */
export async function create(context: TusContext, exchange: Exchange): Promise<void> {
  const { uploadRows, clock, basePath } = context;
  const { request, response, principal } = exchange;
  const length = lengthOf(request);
  const metadata = String(request.headers['upload-metadata'] ?? '');
  const upload = newUpload({ ...fileMetadata(metadata), length, metadata });
  const hasContent = contentLength(request) !== 0;
  if (hasContent) checkContentType(request);
  const chunk = chunkOf(upload, 0, request);
  const plan = await planFor(context, exchange, upload, chunk);
  const { target } = plan;
  if (target === null) throw new Error('the location of an upload is known');
  await addRecord(uploadRows, principal, upload, clock.now());
  let row: { readonly id: string } | null = null;
  let offset = 0;
  try {
    row = await insertUpload(uploadRows, senderOf(principal, chunk), target, chunk, clock.now());
    if (hasContent || length === 0) offset = await receiveContent(context, exchange, upload, plan);
  } catch (error) {
    await ignoreFailure(removeRecord(uploadRows, upload.id), 'failed to remove the record of a failed upload');
    if (row !== null) await ignoreFailure(discard(context, target.home, row.id), 'failed to remove a failed upload');
    throw error;
  }
  response.setHeader('Location', `${basePath}/tus/${upload.id}`);
  setProgress(response, { offset, length, updatedAt: clock.now() });
  sendEmpty(response, 201);
}

/**
 * Removes what has arrived. If its disk does not respond, nobody waits: it is removed once the disk has returned it, and expires if
 * the disk does not respond then.
 */
async function discard(context: TusContext, home: Home, id: string): Promise<void> {
  const remove = () => discardUpload(context, home, id);
  try {
    await withoutChunks(context, home, id, remove);
  } catch (error) {
    const later = afterChunks(context, id, () => context.disk.whileAnswering(home.homeRoot, remove));
    void ignoreFailure(later, 'failed to remove a failed upload');
    throw error;
  }
}
