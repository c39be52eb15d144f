import type { IncomingMessage } from 'node:http';
import type { ItemTarget } from '../../access/access.ts';
import { createFolder } from '../../files/create-folder.ts';
import { checkConditions } from '../../files/item-conditions.ts';
import { ApiError } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import { checkIf } from '../check-if.ts';
import type { DavCall } from '../context.ts';
import { missingFolderAsConflict } from '../failure.ts';
import { locateEntry } from '../locate.ts';
import { syncId } from '../properties/file-id.ts';

/** RFC 4918 §9.3: creates a folder. The folder above it must exist. */
export async function mkcol(call: DavCall): Promise<void> {
  const { context, address, request, response } = call;
  refuseBody(request);
  const { caller, conditions, checkAgain } = await checkIf(call);
  const { folder, name } = await missingFolderAsConflict(() => locateEntry(context, caller, address.segments));
  const check = async (target: ItemTarget) => {
    await checkAgain();
    await checkConditions(context.files, caller, target, conditions);
  };
  const create = () => createFolder(context.files, caller, folder, name, check);
  const made = await missingFolderAsConflict(create).catch((error) => {
    const isTaken = error instanceof ApiError && error.code === 'already_exists';
    // An entry of a list, such as a shared folder, is in no folder.
    const isListed = error instanceof ApiError && error.code === 'invalid_path';
    if (isListed || (isTaken && error.details?.filename === name)) {
      throw new ApiError('method_not_allowed', error.message, { cause: error });
    }
    throw error;
  });
  response.statusCode = 201;
  response.setHeader('OC-FileId', syncId(made.uuid));
  response.end();
}

/** RFC 4918 §9.3: a body would describe what no server of ours makes. @throws ApiError `unsupported_media` */
export function refuseBody({ headers }: IncomingMessage): void {
  if (Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined) {
    throw new ApiError('unsupported_media', t('api.webdav.bodyNotAllowed'));
  }
}
