import { restoreVersion } from '../../files/versions/versions.ts';
import { preconditionsOf } from '../../http/request/preconditions.ts';
import { tokensSubmitted } from '../../webdav/check-if.ts';
import { requireRestore } from '../restore-destination.ts';
import type { VersionsCall } from './call.ts';
import { versionMeant } from './named-versions.ts';

/**
 * MOVE or COPY of one version to `restore/<any name>`: makes it the present content of its file. What was the present content becomes
 * a version, and the restored one stays one.
 * @throws ApiError
 */
export async function restore(call: VersionsCall): Promise<void> {
  const { context, caller, file, request, response } = call;
  requireRestore(request, context, 'versions', caller);
  const { version } = await versionMeant(call);
  const holder = { ...caller, lockTokens: tokensSubmitted(call) };
  await restoreVersion(context.files, holder, file, version, preconditionsOf(request.headers));
  response.statusCode = 201;
  response.end();
}
