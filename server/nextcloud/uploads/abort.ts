import { notFound } from '../../access/access.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { discardUpload } from '../../files/upload/discard-upload.ts';
import { removePart } from '../../files/upload/parts/receive-part.ts';
import { positionOf } from './address.ts';
import { transferOf, type UploadsCall } from './call.ts';

/** DELETE of a transfer: its parts are removed, and those that are still arriving will not count. */
export async function abort(call: UploadsCall): Promise<void> {
  const { context, response, turns } = call;
  const { upload, home } = await transferOf(call);
  await turns.run(upload.id, async () => {
    await transferOf(call);
    await onStorage(() => discardUpload(context.files, home, upload.id));
  });
  response.statusCode = 204;
  response.end();
}

/** DELETE of a part: the desktop client removes those that it does not continue. */
export async function deletePart(call: UploadsCall): Promise<void> {
  const { context, address, response, turns } = call;
  const position = positionOf(address.name);
  const place = await transferOf(call);
  const wasThere = await turns.run(place.upload.id, () => onStorage(() => removePart(context.files, place, position)));
  if (!wasThere) throw notFound();
  response.statusCode = 204;
  response.end();
}
