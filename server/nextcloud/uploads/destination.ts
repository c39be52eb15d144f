import type { ItemTarget } from '../../access/access.ts';
import { rightsOf } from '../../access/caller.ts';
import { type Limits, limitsIn } from '../../access/limits.ts';
import { prepareUpload } from '../../files/upload/plan.ts';
import { destinationOf } from '../../webdav/address.ts';
import { tokensSubmitted } from '../../webdav/check-if.ts';
import { planFile } from '../../webdav/store-file.ts';
import type { UploadsCall } from './call.ts';

/** Where the file of a transfer may go, and who limits it. */
interface CheckedDestination {
  /** Null without a header `Destination`: MOVE will say it. */
  readonly target: ItemTarget | null;
  readonly limits: Limits;
}

/**
 * Refuses what could not be stored at the header `Destination`; without it, what the caller could store nowhere.
 * @param bytes of the file, as far as they are known
 * @throws ApiError as for a PUT to the destination
 */
export async function checkDestination(call: UploadsCall, bytes: number | null): Promise<CheckedDestination> {
  const { context, request } = call;
  const { headers } = request;
  const caller = { ...call.caller, lockTokens: tokensSubmitted(call) };
  if (headers.destination === undefined) {
    await prepareUpload(context.files, caller, { location: null, bytes, chunk: null });
    return { target: null, limits: [rightsOf(caller)] };
  }
  const address = destinationOf(request, context, caller);
  const { target } = (await planFile({ context, caller, address }, { bytes })).plan;
  return { target, limits: target === null ? [rightsOf(caller)] : limitsIn(rightsOf(caller), target) };
}
