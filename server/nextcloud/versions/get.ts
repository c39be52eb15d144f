import { download } from '../../files/download/download.ts';
import type { VersionsCall } from './call.ts';
import { versionMeant } from './named-versions.ts';

/** GET and HEAD of one version. @throws ApiError */
export async function get(call: VersionsCall): Promise<void> {
  const { context, caller, file, request, response } = call;
  const { version } = await versionMeant(call);
  await download(context.files, caller, file, { openInBrowser: false, version }, request, response);
}
