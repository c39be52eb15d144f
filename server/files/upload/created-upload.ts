import type { ItemTarget } from '../../access/access.ts';
import { type Caller, responsibleId } from '../../access/caller.ts';
import type { UploadChunk } from './claim.ts';
import type { UploadContext } from './context.ts';
import { insertUpload, namedUpload, type UploadRow } from './upload-rows.ts';
import { senderOf } from './upload-sender.ts';

/**
 * Uploads of protocols that create an upload before its first chunk. Its key is all that identifies it, and every chunk must begin
 * at its end.
 */
export interface CreatedChunk extends UploadChunk {
  readonly isCreated: true;
  readonly uploadId: string;
}

/** Creates an upload without content. The checks of `prepareUpload` come before it. */
export function createUpload(
  { uploadRows, clock }: UploadContext,
  caller: Caller,
  target: ItemTarget,
  chunk: CreatedChunk,
): Promise<UploadRow> {
  return insertUpload(uploadRows, senderOf(caller, chunk), target, chunk, clock.now());
}

/** @returns null if it has expired or ended, or does not exist */
export async function createdUpload(
  { uploadRows }: UploadContext,
  caller: Caller,
  key: string,
): Promise<UploadRow | null> {
  return (await namedUpload(uploadRows, responsibleId(caller), key)) ?? null;
}
