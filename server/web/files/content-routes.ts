import express, { type Router } from 'express';
import { z } from 'zod';
import { shownName } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { Session } from '../../accounts/sign-in/sessions.ts';
import { download } from '../../files/download/download.ts';
import { readStart } from '../../files/download/read-start.ts';
import { readText } from '../../files/download/read-text.ts';
import { ApiError } from '../../http/errors.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { integer, text, versionNumber, virtualPath } from '../../http/request/parameters.ts';
import { fileKind } from '../../lib/names/file-types.ts';
import { t } from '../../messages/messages.ts';
import { visitorOf } from '../shell/browser-session.ts';
import { answerFrames, confine, openForFrames } from '../shell/content-headers.ts';
import { holderOf } from '../shell/content-tickets.ts';
import { originOf, queryOf } from '../shell/page-context.ts';
import { viewerKindOf } from '../viewer/kinds.ts';
import { sendViewer, type Viewer, viewerNote } from '../viewer/viewer.ts';
import type { FilesLinks } from './addresses.ts';
import type { FilesPagesParts } from './context.ts';

/** The subject of a ticket: one file, or one version of it, as one session reaches it. */
const subjectOf = (session: Session, path: string, version: number | undefined) =>
  `files ${holderOf(session)} ${version ?? 'now'} ${path}`;

const viewQuery = z.object({ path: virtualPath(), version: versionNumber().optional() });
const contentQuery = viewQuery.extend({
  session: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }),
  ticket: text(),
});

/** The frame in which a page shows a file, and the content shown in it. */
export function fileViews(parts: FilesPagesParts, links: FilesLinks): Router {
  const { sessions, activeResponses, contentTickets, files, assets } = parts;
  const router = express.Router({ caseSensitive: true });

  router.get('/files/view', async (request, response) => {
    const query = queryOf(request);
    const name = typeof query.path === 'string' ? query.path.slice(query.path.lastIndexOf('/') + 1) : '';
    try {
      const { session } = await visitorOf(sessions, request, response);
      if (session === null) throw new ApiError('invalid_token', t('files.errors.signedOut'));
      const { account } = session;
      activeResponses.begin(account.id, response, async () => (await sessions.liveAccount(session.id)) !== null);
      const caller = { ...originOf(request), account };
      sendViewer(response, await viewed(caller, session, checkParameters(viewQuery, query)));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      sendViewer(response, { problem: problemOf(error), name, assets, status: error.status });
    }
  });

  /** @throws ApiError when it may not be seen */
  async function viewed(
    caller: AccountCaller,
    session: Session,
    { path: segments, version }: z.infer<typeof viewQuery>,
  ): Promise<Viewer> {
    const path = `/${segments.join('/')}`;
    const target = await files.access.resolveItem(caller, segments, 'files/download');
    // In a share, the last segment of the path is not the name.
    const name = shownName(target, target.segments.at(-1) ?? '');
    const kind = viewerKindOf(name, fileKind(name, false).type);
    if (kind === 'markdown') {
      return { kind, name, assets, ...(await readText(files, caller, segments, { name, version })) };
    }
    if (kind !== 'pdf') throw new ApiError('not_found', t('api.requests.notFramed'));
    // Opening it here counts once; the ranges requested afterwards do not count.
    await readStart(files, caller, segments, 1, version);
    const ticket = contentTickets.issue(subjectOf(session, path, version));
    return { kind, name, source: links.framed(path, session.id, ticket, version), assets };
  }

  router.options('/files/content', (_request, response) => answerFrames(response));

  router.get('/files/content', async (request, response) => {
    openForFrames(response);
    const { session: id, path, version, ticket } = checkParameters(contentQuery, queryOf(request));
    const session = await sessions.byId(id);
    if (session === null || !contentTickets.isGood(ticket, subjectOf(session, `/${path.join('/')}`, version)))
      throw new ApiError('not_found', t('api.requests.noContent'));
    const { account } = session;
    activeResponses.begin(account.id, response, async () => (await sessions.liveAccount(id)) !== null);
    confine(response);
    const caller = { ...originOf(request), account };
    await download(files, caller, path, { openInBrowser: true, isPreview: true, version }, request, response);
  });

  return router;
}

function problemOf({ code }: ApiError): { heading: string; help: string } {
  if (code === 'invalid_token') return viewerNote('signedOut');
  return code === 'not_found' || code === 'invalid_path' ? viewerNote('missing') : viewerNote('failed');
}
