import type { IncomingMessage, ServerResponse } from 'node:http';
import { isAllowed } from '../../http/connection/is-allowed.ts';
import { ApiError } from '../../http/errors.ts';
import { inClientTerms } from '../../http/system-failure.ts';
import { once } from '../../lib/async/once.ts';
import { KeyedQueue } from '../../lib/concurrency/keyed-queue.ts';
import { t } from '../../messages/messages.ts';
import { sendDavFailure } from '../../webdav/failure.ts';
import { sendOptions } from '../../webdav/options.ts';
import type { NextcloudParts } from '../context.ts';
import { METHODS_OF, parseUploadsPath, type UploadsKind } from './address.ts';
import type { UploadsMethod } from './methods.ts';

// Loaded on first use, as WebDAV is.
const methods = once(async () => (await import('./methods.ts')).METHODS);

const ALL = ['OPTIONS', ...new Set(Object.values(METHODS_OF).flat())].join(', ');

type Parts = Pick<NextcloudParts, 'dav' | 'homes' | 'authenticate' | 'now' | 'onCall'>;

/**
 * Chunked upload, version 2, and the names of parts of version 1
 * (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/chunking.html): an app sends a large file in parts
 * and joins them in the end.
 */
export function uploadsProtocol({ dav, homes, authenticate, now, onCall }: Parts) {
  const turns = new KeyedQueue();

  async function call(request: IncomingMessage, response: ServerResponse, path: string): Promise<void> {
    const begunAt = now();
    const caller = await authenticate(request, null);
    const confirm = () => authenticate(request, begunAt);
    onCall(caller, response, () => isAllowed(confirm));
    const address = parseUploadsPath(path, dav.basePath, caller);
    const method = await methodOf(address.kind, request.method ?? '');
    await method({ context: dav, caller, address, request, response, confirm, homes, turns });
  }

  /** @param path below the prefix of the installation, without the query */
  return async (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    if (request.method === 'OPTIONS') return sendOptions(response, ALL);
    try {
      await call(request, response, path);
    } catch (thrown) {
      const error = inClientTerms(thrown);
      if (!(error instanceof ApiError) || response.headersSent) throw error;
      sendDavFailure(response, error, `${dav.basePath}${path}`);
    }
  };
}

/** @throws ApiError `method_not_allowed` */
async function methodOf(kind: UploadsKind, name: string): Promise<UploadsMethod> {
  const all: Readonly<Record<string, UploadsMethod>> = (await methods())[kind];
  const method = Object.hasOwn(all, name) ? all[name] : undefined;
  if (method !== undefined) return method;
  throw new ApiError('method_not_allowed', t('api.webdav.method', { method: name }), {
    headers: { Allow: ['OPTIONS', ...METHODS_OF[kind]].join(', ') },
  });
}
