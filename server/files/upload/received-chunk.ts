import type { ApiError } from '../../http/errors.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { continuesAt } from './chunk-errors.ts';
import type { Claim, UploadChunk } from './claim.ts';
import type { UploadRowsContext } from './context.ts';
import type { ReceivedChunk } from './received.ts';
import { forgetUpload } from './upload-rows.ts';

/** The state of an upload after a chunk. @param offset the byte after the chunk @param path of the content so far */
export function receivedChunk(
  { target: { home }, row, reservation, end }: Claim,
  chunk: UploadChunk,
  path: string,
  offset: number,
): ReceivedChunk {
  return {
    kind: 'chunk',
    home,
    rowId: row.id,
    revealsUploadId: chunk.uploadId !== undefined || row.received === 0,
    uploadId: row.upload_key,
    path,
    offset,
    isComplete: offset === chunk.totalSize,
    digest: chunk.digest ?? row.digest ?? undefined,
    reservation,
    end,
  };
}

/**
 * Discards an upload whose content is no longer in the work area: it was published by a last step that then failed, or it was
 * deleted. The client starts again.
 * @returns `conflict` with offset 0, to throw
 */
export async function discardLostUpload(
  { uploadRows }: UploadRowsContext,
  { row }: Pick<Claim, 'row'>,
  path: string,
): Promise<ApiError> {
  await forgetUpload(uploadRows, row.id);
  await eraseStored(path);
  return continuesAt(0, row.total_size);
}
