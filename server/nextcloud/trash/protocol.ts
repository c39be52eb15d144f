import type { IncomingMessage, ServerResponse } from 'node:http';
import { notFound } from '../../access/access.ts';
import { prefixOf } from '../../http/request/at-root.ts';
import { once } from '../../lib/async/once.ts';
import { hrefOf, parseTreePath } from '../../webdav/address.ts';
import { type AnswerDavParts, answerDav, davMethodOf } from '../answer-dav.ts';
import type { TrashMethod } from './methods.ts';

// Loaded on first use, as WebDAV is.
const loaded = once(() => import('./methods.ts'));

/**
 * The trash (https://docs.nextcloud.com/server/latest/developer_manual/client_apis/WebDAV/trashbin.html): `trash` lists what was
 * deleted, also in deleted folders, and MOVE of an item to `restore` brings it back.
 */
export function trashProtocol(parts: AnswerDavParts) {
  const { dav } = parts;

  /** @param path below the prefix of the installation, without the query */
  return (request: IncomingMessage, response: ServerResponse, path: string): Promise<void> =>
    answerDav(parts, { request, response, allow: ['PROPFIND', 'GET', 'HEAD', 'MOVE', 'DELETE'] }, async (caller) => {
      const { prefix, segments } = parseTreePath(path, prefixOf(request, dav.basePath), caller);
      const [place, id = '', ...below] = segments;
      if (place !== 'trash') throw notFound();
      const { OF_TRASH, OF_ITEM, INSIDE } = await loaded();
      const ofItem = below.length > 0 ? INSIDE : OF_ITEM;
      const methods: Readonly<Record<string, TrashMethod>> = id === '' ? OF_TRASH : ofItem;
      const method = davMethodOf(methods, request.method);
      await method({ context: dav, caller, base: hrefOf(prefix, ['trash'], false), id, below, request, response });
    });
}
