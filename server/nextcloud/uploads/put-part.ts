import { maxUploadBytes } from '../../access/limits.ts';
import { unknownUpload } from '../../files/upload/parts/part-rows.ts';
import { dropPart, receivePart, storePart } from '../../files/upload/parts/receive-part.ts';
import { invalidParameter } from '../../http/errors.ts';
import { uploadTooLarge } from '../../http/request/read-bytes.ts';
import { receiveBody } from '../../http/request/read-parameters.ts';
import { t } from '../../messages/messages.ts';
import { statedChecksums, verifyChecksums } from '../../webdav/checksum.ts';
import { announcedBytes } from '../../webdav/store-file.ts';
import { positionOf, totalLengthIn } from './address.ts';
import { transferOf, type UploadsCall } from './call.ts';
import { checkDestination } from './destination.ts';

/**
 * PUT: receives a part, and replaces an earlier one at its place. `OC-Checksum` is of the part, `OC-Total-Length` of the whole file.
 * @throws ApiError; an earlier part stays then
 */
export async function putPart(call: UploadsCall): Promise<void> {
  const { context, caller, address, request, response, turns } = call;
  const { files } = context;
  if (request.headers['content-range'] !== undefined) {
    throw invalidParameter('Content-Range', t('api.uploads.contentRange'));
  }
  const part = { position: positionOf(address.name), name: address.name };
  const [checksums, total, announced] = [
    statedChecksums(request.headers),
    totalLengthIn(request),
    announcedBytes(request.headers),
  ];
  const place = await transferOf(call);
  const most = maxUploadBytes((await checkDestination(call, null)).limits);
  if ((total ?? 0) > most) throw uploadTooLarge(most);
  const arrived = await receiveBody(call, (content) => receivePart(files, caller, place, content, { announced, most }));
  try {
    await verifyChecksums(arrived.path, checksums, arrived.sha256);
    // A part may take long to arrive: a credential that has ended meanwhile no longer counts.
    await call.confirm();
    await turns.run(place.upload.id, () => storePart(files, place, arrived, part, most));
  } catch (error) {
    throw (await dropPart(files, place, arrived)) ? error : unknownUpload();
  }
  response.statusCode = 201;
  response.setHeader('Content-Length', '0');
  response.end();
}
