import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../../access/access.ts';
import { rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import { prefixOf } from '../../http/request/at-root.ts';
import { once } from '../../lib/async/once.ts';
import { hrefOf, parseTreePath } from '../../webdav/address.ts';
import { type AnswerDavParts, answerDav, davMethodOf } from '../answer-dav.ts';
import { itemWithNumber } from '../item-by-number.ts';
import type { VersionsMethod } from './methods.ts';

// Loaded on first use, as WebDAV is.
const loaded = once(() => import('./methods.ts'));

const ALL = ['PROPFIND', 'GET', 'HEAD', 'MOVE', 'COPY', 'DELETE'];

/**
 * Earlier contents of files (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/versions.html):
 * `versions/<fileid>` lists those of a file, and MOVE to `restore` makes one the present content.
 */
export function versionsProtocol(parts: AnswerDavParts) {
  const { dav } = parts;

  /** @param path below the prefix of the installation, without the query */
  return (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> =>
    answerDav(parts, { request, response, allow: ALL }, async (caller) => {
      const { prefix, segments } = parseTreePath(path, prefixOf(request, dav.basePath), caller);
      const [place, number, name = '', ...more] = segments;
      if (place !== 'versions' || number === undefined || more.length > 0) throw notFound();
      const { OF_ALL, OF_ONE } = await loaded();
      const methods: Readonly<Record<string, VersionsMethod>> = name === '' ? OF_ALL : OF_ONE;
      const method = davMethodOf(methods, request.method);
      const base = hrefOf(prefix, ['versions', number], false);
      // Before any lookup, so that the answer does not depend on what exists.
      permit(rightsOf(caller), 'files/versions/list');
      const file = await itemWithNumber(parts, number);
      await method({ context: dav, caller, base, file, name, request, response });
    });
}
