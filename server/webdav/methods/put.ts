import { invalidParameter } from '../../http/errors.ts';
import { receiveBody } from '../../http/request/read-parameters.ts';
import { t } from '../../messages/messages.ts';
import type { DavCall } from '../context.ts';
import { announcedBytes, sendStored, storeFile } from '../store-file.ts';

const AUTO_MKCOL = ['x-nc-webdav-auto-mkcol', 'x-nc-webdav-automkcol'];

/**
 * RFC 4918 §9.7: stores the body as a file. `X-NC-WebDAV-Auto-Mkcol: 1` creates missing folders, as Nextcloud 32 does: its apps
 * send it with automatic uploads, and other programs with the second spelling, which its manual has.
 */
export async function put(call: DavCall): Promise<void> {
  const { request } = call;
  if (request.headers['content-range'] !== undefined) {
    throw invalidParameter('Content-Range', t('api.uploads.contentRange'));
  }
  const stored = await storeFile(call, {
    bytes: announcedBytes(request.headers),
    mayReplace: true,
    makesFolders: AUTO_MKCOL.some((name) => request.headers[name] === '1'),
    send: (plan) => receiveBody(call, (content) => plan.receive(content)),
  });
  sendStored(call, stored);
}
