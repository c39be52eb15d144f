import type { IncomingMessage, ServerResponse } from 'node:http';
import { prefixOf } from '../../http/request/at-root.ts';
import { once } from '../../lib/async/once.ts';
import { parseDavPath } from '../../webdav/address.ts';
import { METHOD_NAMES } from '../../webdav/methods/names.ts';
import { type AnswerDavParts, answerDav } from '../answer-dav.ts';

// Loaded on first use, as WebDAV is.
const loaded = once(async () => ({ ...(await import('./report.ts')), ...(await import('./search.ts')) }));

const FILES = /^\/remote\.php\/dav\/files\/[^/]/;
const ROOT = /^\/remote\.php\/dav\/?$/;

/** The method that an address has beside those of WebDAV: REPORT at the files, and SEARCH above them. */
function queryAt(path: string): 'REPORT' | 'SEARCH' | undefined {
  if (FILES.test(path)) return 'REPORT';
  return ROOT.test(path) ? 'SEARCH' : undefined;
}

/**
 * Whether a request asks for items of several folders, or whether it can: apps search only where OPTIONS allows it.
 * @param path below the prefix of the installation
 */
export function isQuery(path: string, method: string): boolean {
  const query = queryAt(path);
  return query !== undefined && (method === query || method === 'OPTIONS');
}

/** What apps for Nextcloud ask WebDAV for beside its own methods. */
export function queriesProtocol(parts: AnswerDavParts) {
  const { dav } = parts;

  /** @param path below the prefix of the installation, without the query */
  return (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> => {
    const query = queryAt(path) ?? 'REPORT';
    // RFC 5323 §3.2.
    if (query === 'SEARCH' && request.method === 'OPTIONS') response.setHeader('DASL', '<DAV:basicsearch>');
    return answerDav(parts, { request, response, allow: [...METHOD_NAMES, query] }, async (caller, confirm) => {
      const { report, search } = await loaded();
      const call = { context: dav, caller, request, response };
      if (query === 'SEARCH') await search(call);
      else await report({ ...call, address: parseDavPath(path, prefixOf(request, dav.basePath), caller), confirm });
    });
  };
}
