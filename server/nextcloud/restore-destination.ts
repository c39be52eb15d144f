import type { IncomingMessage } from 'node:http';
import type { AccountCaller } from '../access/caller.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';
import {
  type DavHost,
  destinationOf,
  destinationPathOf,
  type NextcloudTree,
  parseTreePath,
  treeAt,
} from '../webdav/address.ts';

/**
 * Checks that the header `Destination` is `restore/<name>` of a tree. The name means nothing: apps send that of the file, its number
 * or any other one.
 * @throws ApiError `permission_denied` for another destination, `missing_parameter`, `invalid_parameter`; `bad_gateway` for another
 * server, `not_found` for another account
 */
export function requireRestore(
  request: IncomingMessage,
  at: DavHost,
  tree: NextcloudTree,
  caller: AccountCaller,
): void {
  const path = destinationPathOf(request, at);
  const { segments } =
    treeAt(path) === undefined ? destinationOf(request, at, caller) : parseTreePath(path, at.basePath, caller);
  if (treeAt(path) !== tree || segments[0] !== 'restore' || segments.length > 2) {
    throw new ApiError('permission_denied', t('api.nextcloud.restoreDestination'));
  }
}
