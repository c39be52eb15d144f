import { discardUpload } from '../../files/upload/discard-upload.ts';
import {
  partsOf,
  type StoredPart,
  touchUpload,
  type UploadInParts,
  unknownUpload,
} from '../../files/upload/parts/part-rows.ts';
import { type PartsPlace, partsFolder } from '../../files/upload/parts/receive-part.ts';
import { invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { joinedFiles } from '../../storage/content/joined-files.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { isNotFound } from '../../storage/errors.ts';
import { type DavAddress, destinationOf } from '../../webdav/address.ts';
import { mayOverwrite } from '../../webdav/overwrite.ts';
import { type StoredFile, sendStored, storeFile } from '../../webdav/store-file.ts';
import { totalLengthIn } from './address.ts';
import { findTransfer, placeOf, type UploadsCall } from './call.ts';

/**
 * MOVE: joins the parts and stores them at the header `Destination`, as a PUT there would. Headers are about the file: its
 * conditions, `OC-Checksum`, `X-OC-Mtime` and `OC-Total-Length`.
 * A client that lost the reply sends it again, and gets the same one for a while.
 * @throws ApiError; the parts stay then
 */
export async function finish(call: UploadsCall): Promise<void> {
  const { context, request, turns } = call;
  const mayReplace = mayOverwrite(request.headers.overwrite);
  const stated = totalLengthIn(request);
  const begun = await findTransfer(call);
  const stored =
    begun === null
      ? storedBefore(call)
      : await turns.run(begun.upload.id, async () => {
          // What came before may have changed or ended it.
          const place = await findTransfer(call);
          if (place === null) return storedBefore(call);
          const destination = destinationOf(request, context, call.caller);
          const joined = await join(call, place, { destination, stated, mayReplace });
          call.finished.add(placeOf(call), request, destination, joined);
          return joined;
        });
  sendStored(call, stored);
}

/** @throws ApiError `not_found` for a transfer that is not remembered, or whose parts were joined by another request */
function storedBefore(call: UploadsCall): StoredFile {
  const destination = () => destinationOf(call.request, call.context, call.caller);
  const stored = call.finished.find(placeOf(call), call.request, destination);
  if (stored === undefined) throw unknownUpload();
  return stored;
}

interface Finishing {
  readonly destination: DavAddress;
  /** Bytes of the file, if the client says so here. */
  readonly stated: number | null;
  readonly mayReplace: boolean;
}

async function join(
  call: UploadsCall,
  place: PartsPlace,
  { destination, stated, mayReplace }: Finishing,
): Promise<StoredFile> {
  const { files } = call.context;
  const { upload, home } = place;
  const parts = await partsOf(files.uploadRows, upload.id);
  checkParts(parts, upload, stated ?? upload.totalSize);
  await touchUpload(files.uploadRows, upload.id, files.clock.now());
  const folder = partsFolder(place);
  const content = joinedFiles(folder, parts);
  let isLost = false;
  content.on('error', (error) => {
    isLost = isNotFound(error);
  });
  try {
    const stored = await storeFile(
      { ...call, address: destination },
      { bytes: upload.received, joinedFrom: upload.id, mayReplace, send: (plan) => plan.receive(content) },
    );
    // The transfer has ended: what cannot be erased now is erased at the next start.
    await eraseStored(folder).catch((error) =>
      files.log.warn({ err: error }, 'failed to remove the parts of a joined upload'),
    );
    return stored;
  } catch (error) {
    // Its client begins again, because no part of it could be sent another time.
    if (isLost) await discardUpload(files, home, upload.id);
    throw error;
  } finally {
    content.destroy();
  }
}

/** @throws ApiError `invalid_parameter` when something is missing, or more than that is there */
function checkParts(
  parts: readonly StoredPart[],
  { received }: Pick<UploadInParts, 'received'>,
  total: number | null,
): void {
  if (total !== null && total !== received) {
    throw invalidParameter('OC-Total-Length', t('api.nextcloud.wrongLength', { received, stated: total }));
  }
  if (parts.length === 0 && total === null) throw invalidParameter('OC-Total-Length', t('api.nextcloud.noParts'));
  let end = 0;
  let next = Math.min(1, parts[0]?.position ?? 0);
  for (const { name, position, size } of parts) {
    const isRange = name.includes('-');
    // Numbers begin with 0 or 1. Where the length is known, they may leave out some: nothing is missing.
    const isDue = isRange ? position === end : total !== null || position === next;
    if (!isDue) throw invalidParameter('part', t('api.nextcloud.partsDoNotMeet', { name }));
    end += size;
    next += 1;
  }
}
