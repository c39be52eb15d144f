import { limitingFolder } from '../../access/target-of-uuid.ts';
import type { Home } from '../../catalogue/homes.ts';
import { beginUploadInParts } from '../../files/upload/parts/part-rows.ts';
import { ApiError, invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { refuseBody } from '../../webdav/methods/mkcol.ts';
import { totalLengthIn } from './address.ts';
import { keyOf, placeOf, type UploadsCall } from './call.ts';
import { checkDestination } from './destination.ts';

/**
 * MKCOL: begins a transfer.
 * @throws ApiError `method_not_allowed` if it has begun already
 */
export async function begin(call: UploadsCall): Promise<void> {
  const { context, caller, address, request, response } = call;
  const { uploadRows, clock } = context.files;
  refuseBody(request);
  const totalSize = totalLengthIn(request);
  const { target } = await checkDestination(call, totalSize);
  const { id: homeId } = target?.home ?? (await ownHome(call));
  const upload = { accountId: caller.account.id, key: keyOf(caller, address), homeId, totalSize };
  if (!(await beginUploadInParts(uploadRows, upload, clock.now()))) {
    throw new ApiError('method_not_allowed', t('api.nextcloud.transferExists'));
  }
  call.finished.forget(placeOf(call));
  response.statusCode = 201;
  response.setHeader('Content-Length', '0');
  response.end();
}

/** Where parts wait whose destination is not known. @throws ApiError `invalid_parameter` for an account without files of its own */
async function ownHome({ context: { files }, caller }: UploadsCall): Promise<Home> {
  const root = await limitingFolder(files, caller);
  if (root !== null) return root.home;
  if (caller.account.homeId !== null) return files.access.homeOf(caller);
  throw invalidParameter('Destination', t('api.nextcloud.noDestination'));
}
