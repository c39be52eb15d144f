import { bodyTimeout } from '../../http/connection/timeouts.ts';
import { invalidParameter } from '../../http/errors.ts';
import { acceptBody } from '../../http/request/read-parameters.ts';
import { t } from '../../messages/messages.ts';
import type { DavCall } from '../context.ts';
import { announcedBytes, sendStored, storeFile } from '../store-file.ts';

/** RFC 4918 §9.7: stores the body as a file. */
export async function put(call: DavCall): Promise<void> {
  const { request, response } = call;
  if (request.headers['content-range'] !== undefined) {
    throw invalidParameter('Content-Range', t('api.uploads.contentRange'));
  }
  const stored = await storeFile(call, {
    bytes: announcedBytes(request.headers),
    mayReplace: true,
    async send(plan) {
      acceptBody(request, response);
      const stop = bodyTimeout(request, response, { total: undefined });
      await plan.receive(request).finally(stop);
    },
  });
  sendStored(call, stored);
}
