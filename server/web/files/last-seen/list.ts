import express, { type Router } from 'express';
import { z } from 'zod';
import { HOME_BASE } from '../../../access/access.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { virtualPath } from '../../../http/request/parameters.ts';
import { sendJson } from '../../../http/response/envelope.ts';
import { t } from '../../../messages/messages.ts';
import { breadcrumbsOf, listFolder, rootsFor } from '../context.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { LISTS_HEADER } from './mark.ts';
import type { SeenList } from './seen-list.ts';

/** Entries that a device keeps of one list. */
const MAX_ROWS = 300;
/** Lists of items from different folders that are kept; others have pages of their own, or are of links or of the trash. */
const LISTS = new Set(['/RECENT', '/STARRED']);

/**
 * The list of a folder for a device that keeps it. Refused where the person has not said that the device is theirs, so that nothing
 * can be kept by mistake.
 */
export function lastSeenPages(asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });
  router.get(
    '/files/last-seen',
    asFiles(async (_request, response, { parts, caller, query }) => {
      const { path } = checkParameters(z.object({ path: virtualPath() }), query);
      const folder = `/${path.join('/')}`;
      const isKept = response.hasHeader(LISTS_HEADER) && (path[0] === 'ROOT' || LISTS.has(folder));
      if (!isKept) throw new ApiError('not_found', t('api.access.notFound'));
      const { rows, total, meta } = await listFolder(parts, caller, path, { start: 0, limit: MAX_ROWS });
      const breadcrumbs = await breadcrumbsOf(parts, caller, await rootsFor(parts, caller), meta);
      const isOwn = (at: string) => at === HOME_BASE || at.startsWith(`${HOME_BASE}/`);
      const data: SeenList = {
        account: caller.account.id,
        path: folder,
        name: breadcrumbs.at(-1)?.name ?? meta.folderName,
        above: breadcrumbs.slice(0, -1).map(({ name }) => name),
        isShared: !isOwn(folder) && (path[0] === 'ROOT' || rows.some((row) => !isOwn(row.path))),
        rows: rows.map(({ name, path: at, isDir, size, changedAt }) => ({ name, path: at, isDir, size, changedAt })),
        total,
      };
      sendJson(response, 200, { success: true, error: false, data });
    }),
  );
  return router;
}
