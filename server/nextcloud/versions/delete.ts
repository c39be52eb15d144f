import { deleteVersion } from '../../files/versions/versions.ts';
import type { VersionsCall } from './call.ts';
import { versionNamed } from './named-versions.ts';

/** DELETE of one version: deletes it permanently. @throws ApiError */
export async function erase(call: VersionsCall): Promise<void> {
  const { context, caller, file, response } = call;
  const { version } = await versionNamed(call);
  await deleteVersion(context.files, caller, file, version);
  response.statusCode = 204;
  response.end();
}
