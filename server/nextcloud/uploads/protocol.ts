import type { IncomingMessage, ServerResponse } from 'node:http';
import { prefixOf } from '../../http/request/at-root.ts';
import { once } from '../../lib/async/once.ts';
import { KeyedQueue } from '../../lib/concurrency/keyed-queue.ts';
import { type AnswerDavParts, answerDav, davMethodOf } from '../answer-dav.ts';
import type { NextcloudParts } from '../context.ts';
import { METHODS_OF, parseUploadsPath } from './address.ts';
import { FinishedTransfers } from './finished.ts';
import type { UploadsMethod } from './methods.ts';

// Loaded on first use, as WebDAV is.
const methods = once(async () => (await import('./methods.ts')).METHODS);

const ALL = Object.values(METHODS_OF).flat();

/**
 * Chunked upload, version 2, and the names of parts of version 1
 * (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/chunking.html): an app sends a large file in parts
 * and joins them in the end.
 */
export function uploadsProtocol(parts: AnswerDavParts & Pick<NextcloudParts, 'homes'>) {
  const { dav, homes } = parts;
  const turns = new KeyedQueue();
  const finished = new FinishedTransfers(dav.files.clock);

  /** @param path below the prefix of the installation, without the query */
  return (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> =>
    answerDav(parts, { request, response, allow: ALL }, async (caller, confirm) => {
      const address = parseUploadsPath(path, prefixOf(request, dav.basePath), caller);
      const ofKind: Readonly<Record<string, UploadsMethod>> = (await methods())[address.kind];
      const method = davMethodOf(ofKind, request.method);
      await method({ context: dav, caller, address, request, response, confirm, homes, turns, finished });
    });
}
