import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { download } from '../../files/download/download.ts';
import type { DownloadCounter } from '../../files/download/download-counter.ts';
import { downloadSeveral } from '../../files/download/download-several.ts';
import { readDocument, readSheets } from '../../files/download/read-document.ts';
import { readStart } from '../../files/download/read-start.ts';
import { readText as readShownText } from '../../files/download/read-text.ts';
import { addressOf } from '../../http/connection/client-address.ts';
import { ApiError } from '../../http/errors.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { flag, integer, text, virtualPath, virtualPaths } from '../../http/request/parameters.ts';
import { parseForm, readText } from '../../http/request/read-parameters.ts';
import { extensionOf, fileKind } from '../../lib/names/file-types.ts';
import { randomToken } from '../../lib/random.ts';
import { DEFAULT_SIDE } from '../../media/thumbnails/sides.ts';
import { t } from '../../messages/messages.ts';
import type { Receiver } from '../../weblinks/download-counts.ts';
import { refuseEnded } from '../../weblinks/link-end.ts';
import { type OpenLink, openLink } from '../../weblinks/open-link.ts';
import { sheetReaderOf, shownTextReaderOf } from '../../workers/text/kinds.ts';
import { linkBrowserOf } from '../shell/browser-session.ts';
import { answerFrames, confine, openForFrames } from '../shell/content-headers.ts';
import { queryOf } from '../shell/page-context.ts';
import { sendThumbnailImage } from '../shell/thumbnail-image.ts';
import { frameKindOf } from '../viewer/kinds.ts';
import { sendViewer, viewerNote } from '../viewer/viewer.ts';
import { linkAddresses, pathText } from './addresses.ts';
import {
  allowsPreview,
  allowsThumbnails,
  isStillSignedIn,
  type LinkPagesParts,
  type LinkRequest,
  type LinkRoute,
  reachOf,
  recheckLink,
  type TicketUse,
  ticketedAddresses,
  ticketSubject,
} from './context.ts';
import { linkName, withParts } from './listing.ts';

/** Most paths per download. */
const MAX_PATHS = 900;

const shownQuery = z.object({
  id: text(),
  path: virtualPath().default([]),
  ticket: text().default(''),
  as: integer({ min: 1, max: Number.MAX_SAFE_INTEGER }).optional(),
});
const downloadQuery = shownQuery.extend({ turn: text() });
const downloadForm = z.object({ path: virtualPaths(MAX_PATHS).optional(), all: flag().default(false) });

/** A visitor who was identified by a ticket instead of cookies. */
type TicketHolder = Pick<LinkRequest, 'open' | 'session' | 'caller' | 'files' | 'listing'>;

/**
 * Content sent through links: views, by ticket and without cookies; and downloads, which are counted. The download button is a
 * POST, so that programs that follow links download nothing.
 */
export function linkContent(
  parts: LinkPagesParts,
  route: LinkRoute,
  failed: (request: Request, response: Response, error: unknown) => void,
): Router {
  const { weblinks, contentTickets: tickets, basePath, assets } = parts;
  const router = express.Router({ caseSensitive: true });

  /**
   * @param browser of the visitor, by the hash of its cookie, if known
   * @param allowUsedUp also for a link that is used up: the caller then has to call `refuseEnded`
   * @throws ApiError `not_found` without a valid ticket
   */
  async function ticketed(
    request: Request,
    response: Response,
    use: TicketUse,
    { browser = null, allowUsedUp = false }: { browser?: Buffer | null; allowUsedUp?: boolean } = {},
  ): Promise<TicketHolder> {
    const { id, ticket, as = null } = checkParameters(shownQuery, queryOf(request));
    const open = await openLink(weblinks, id, { allowUsedUp });
    // Only the ticket of a link that requires sign-in identifies an account.
    const session = open.link.requireLogin && as !== null ? await parts.sessions.byId(as) : null;
    const isGone = open.link.requireLogin && session === null;
    if (isGone || !tickets.isGood(ticket, ticketSubject(open, session, use))) {
      throw new ApiError('not_found', t('api.requests.noContent'));
    }
    parts.activeResponses.begin(open.creator.id, response, () => isStillSignedIn(parts, { open, session }));
    const { name } = await weblinks.visits.find(open.link.number, browser);
    return { open, session, ...reachOf(parts, open, request, name, session?.account ?? null) };
  }

  /**
   * The same for a download ticket: of the browser it was issued to, or of one without cookies.
   * @param browser by the hash of its cookie
   */
  async function ticketedFor(request: Request, response: Response, browser: Buffer | null) {
    const bound = await ticketed(request, response, { downloadBy: browser }, { browser, allowUsedUp: true }).catch(
      (error) => {
        if (browser === null || !(error instanceof ApiError) || error.code !== 'not_found') throw error;
        return null;
      },
    );
    if (bound !== null) return { ...bound, browser };
    return { ...(await ticketed(request, response, { downloadBy: null }, { allowUsedUp: true })), browser: null };
  }

  router.options('/wl/content', (_request, response) => answerFrames(response));

  router.get('/wl/content', async (request, response) => {
    openForFrames(response);
    const { path } = checkParameters(shownQuery, queryOf(request));
    const linkRequest = await ticketed(request, response, { shown: path });
    if (!allowsPreview(linkRequest.open)) throw new ApiError('not_found', t('api.requests.noContent'));
    confine(response);
    await download(
      linkRequest.files,
      linkRequest.caller,
      path,
      { openInBrowser: true, isPreview: true },
      request,
      response,
    );
  });

  router.get('/wl/thumbnail', async (request, response) => {
    const { caller, files, open } = await ticketed(request, response, 'page');
    if (!allowsThumbnails(open)) throw new ApiError('not_found', t('api.pictures.none'));
    const { thumbnails } = parts;
    const query = queryOf(request);
    // What is for download only is not shown as large as a screen.
    const most = open.link.forceSave ? DEFAULT_SIDE : 2_048;
    await sendThumbnailImage({ ...files, thumbnails }, caller, { basePath, query, most }, request, response);
  });

  router.get('/wl/view', async (request, response) => {
    const query = queryOf(request);
    const { path } = checkParameters(shownQuery.pick({ path: true }), query);
    const name = path.at(-1) ?? '';
    try {
      const linkRequest = await ticketed(request, response, 'page');
      if (!allowsPreview(linkRequest.open)) throw new ApiError('not_found', t('api.requests.noContent'));
      sendViewer(response, await viewed(linkRequest, path));
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      const problem = error.code === 'not_found' ? viewerNote('missing') : viewerNote('failed');
      sendViewer(response, { problem, name, assets, status: error.status });
    }
  });

  // Players request it only once someone plays it; the address of the content follows, as in a frame.
  router.get('/wl/play', async (request, response) => {
    const { path } = checkParameters(shownQuery, queryOf(request));
    const { files, caller, open, session } = await ticketed(request, response, 'page');
    if (!allowsPreview(open)) throw new ApiError('not_found', t('api.requests.noContent'));
    await readStart(files, caller, path, 1);
    response.setHeader('Cache-Control', 'no-store');
    response.redirect(303, ticketedAddresses(parts, open, session, { shown: path }).content(pathText(path)));
  });

  async function viewed({ files, caller, open, session }: TicketHolder, path: readonly string[]) {
    const target = await files.access.resolveItem(caller, path, 'files/download');
    const name = target.segments.at(-1) ?? '';
    const kind = frameKindOf(name, fileKind(name, false).type);
    if (kind === null) throw new ApiError('not_found', t('api.requests.notFramed'));
    const sheetReader = sheetReaderOf(extensionOf(name));
    if (sheetReader !== null) {
      const sheets = await readSheets(files, caller, path, sheetReader);
      // Web pages and texts under the old extension have no cells, but words.
      if (sheets !== null || sheetReader !== 'excel') return { kind, name, assets, sheets };
    }
    const reader = sheetReader ?? shownTextReaderOf(extensionOf(name));
    if (reader !== null) {
      const { text = null, isCut = false } = (await readDocument(files, caller, path, reader)) ?? {};
      return { kind: 'document' as const, name, assets, text, isCut };
    }
    if (kind === 'text' || kind === 'markdown') {
      return { kind, name, assets, ...(await readShownText(files, caller, path, { name })) };
    }
    // Opening it here counts once; the frame's requests afterwards do not count.
    await readStart(files, caller, path, 1);
    const to = ticketedAddresses(parts, open, session, { shown: path });
    return { kind, name, source: to.content(pathText(path)), assets };
  }

  // The download buttons. A single file or folder is sent from an address of its own, so that a phone can resume it.
  router.post(
    '/wl/get',
    route(async (request, response, linkRequest) => {
      const { path: folder } = checkParameters(shownQuery.pick({ path: true }), queryOf(request));
      const form = checkParameters(downloadForm, parseForm(await readText(request, response)));
      await recheckLink(parts, linkRequest);
      const chosen = form.path ?? [];
      const paths = form.all ? everythingIn(linkRequest.open, folder) : await withParts(linkRequest, chosen);
      if (paths.length === 0)
        return response.redirect(303, linkAddresses(basePath, linkRequest.open).page(pathText(folder)));
      const [only] = paths;
      // A browser that accepts cookies got one with the page.
      const browser = linkRequest.browser?.visitor ?? null;
      if (paths.length === 1 && only !== undefined) {
        const to = ticketedAddresses(parts, linkRequest.open, linkRequest.session, { downloadBy: browser });
        return response.redirect(303, to.download(pathText(only), randomToken()));
      }
      const { files, caller, open } = linkRequest;
      const name = folder.at(-1) ?? linkName(open);
      const counter = counterOf(parts, linkRequest, receiverOf(request, browser, randomToken()));
      confine(response);
      await downloadSeveral(files, caller, paths, name, request, response, { counter, withLength: true });
    }),
  );

  router.get('/wl/get', async (request, response) => {
    try {
      const { path, turn: downloadId } = checkParameters(downloadQuery, queryOf(request));
      const browser = request.secure ? (linkBrowserOf(request)?.visitor ?? null) : null;
      const linkRequest = await ticketedFor(request, response, browser);
      const counter = counterOf(parts, linkRequest, receiverOf(request, linkRequest.browser, downloadId));
      confine(response);
      await download(
        linkRequest.files,
        linkRequest.caller,
        path,
        { openInBrowser: false, counter, withLength: true },
        request,
        response,
      );
    } catch (error) {
      failed(request, response, error);
    }
  });

  return router;
}

/** The paths of everything on a page. */
function everythingIn({ items }: OpenLink, folder: readonly string[]): (readonly string[])[] {
  return items !== null && folder.length === 0 ? items.map(({ name }) => [name]) : [folder];
}

/**
 * The counter of a download.
 * @throws ApiError `link_used_up` for a new one of a link that is used up, before anything about its content is revealed
 */
function counterOf(
  { weblinks, clock }: LinkPagesParts,
  { open, caller }: TicketHolder,
  receiver: Receiver,
): DownloadCounter {
  refuseEnded(open.link, clock.now(), () => weblinks.counts.isUnderWay(open.link.number, receiver));
  const name = caller.visitor.signedInAs?.username ?? caller.visitor.name;
  return weblinks.counts.counter(open.link.number, receiver, () =>
    weblinks.notices.note(open.link, 'downloaded', name),
  );
}

/** `fmode=download` and `fmode=open`: the content at once, for programs and for people who trust the address. */
export async function sendDirectly(
  parts: LinkPagesParts,
  linkRequest: LinkRequest,
  path: readonly string[],
  isInline: boolean,
  request: Request,
  response: Response,
): Promise<void> {
  const { open, files, caller } = linkRequest;
  const counter = counterOf(parts, linkRequest, receiverAt(linkRequest, request));
  confine(response);
  if (open.items !== null && path.length === 0) {
    const all = everythingIn(open, path);
    return downloadSeveral(files, caller, all, linkName(open), request, response, { counter, withLength: true });
  }
  const options = { openInBrowser: isInline && !open.link.forceSave, counter, withLength: true };
  await download(files, caller, path, options, request, response);
}

/**
 * Checks whether a download may begin or continue at a direct address. A link that has ended reveals nothing else.
 * @throws ApiError `link_used_up`
 */
export function checkDirect({ weblinks, clock }: LinkPagesParts, linkRequest: LinkRequest, request: Request): void {
  const { link } = linkRequest.open;
  refuseEnded(link, clock.now(), () => weblinks.counts.isUnderWay(link.number, receiverAt(linkRequest, request)));
}

/** The recipient of a direct download. */
function receiverAt({ browser }: LinkRequest, request: Request): Receiver {
  const { path } = queryOf(request);
  return receiverOf(request, browser?.visitor ?? null, typeof path === 'string' ? path : '');
}

/** @param browser by the hash of its cookie; null without one @param what distinguishes its downloads */
function receiverOf(request: Request, browser: Buffer | null, what: string): Receiver {
  if (browser !== null) return { who: `${browser.toString('base64')}\n${what}`, hasCookie: true };
  return { who: `${addressOf(request)}\n${request.headers['user-agent']}\n${what}`, hasCookie: false };
}
