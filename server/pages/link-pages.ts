import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { limitsIn } from '../access/limits.ts';
import { onStorage } from '../access/storage-failure.ts';
import { checkParameters } from '../http/check-parameters.ts';
import { ApiError, type ErrorCode } from '../http/errors.ts';
import { integer, oneOf, text, virtualPath } from '../http/parameters.ts';
import { parseForm, readText } from '../http/read-parameters.ts';
import { fileKind } from '../lib/file-types.ts';
import { type Html, html } from '../lib/html.ts';
import { givesDownloads, takesUploads } from '../weblinks/link-record.ts';
import { knownLinkBrowser, visitorOf } from './browser-session.ts';
import { LINK_VIEWS, type LinkAddresses, linkAddresses } from './link-addresses.ts';
import { linkContent, sendDirectly } from './link-content.ts';
import { type Arrival, arrive, isShown, type LinkPagesParts, type LinkRoute, ticketSubject } from './link-context.ts';
import { type Fact, linkFileMain } from './link-file-page.ts';
import { LINK_ROWS, linkFolderMain, usualView } from './link-folder-page.ts';
import { headOf, showEnded, showGone, showOpen, showPassword, showProblem, showTerms } from './link-frame.ts';
import { findLinkFile, linkAbilities, listLinkFolder } from './link-listing.ts';
import { sendForm } from './link-request-page.ts';
import { linkTexts } from './link-texts.ts';
import { linkUploads, sentForm } from './link-uploads.ts';
import { queryOf, type ShowSignIn, showCard } from './page-context.ts';
import { viewerKindOf } from './viewer-kinds.ts';
import { when } from './when.ts';

const pageQuery = z.object({
  id: text(),
  path: virtualPath().default([]),
  fmode: oneOf(['preview', 'open', 'download']).default('preview'),
  mode: oneOf(LINK_VIEWS).optional(),
  start: integer({ min: 0, max: 10 ** 9 }).default(0),
  done: text().default(''),
});

/**
 * The pages of public web links. Whoever has the address sees what its maker lets them see, and nothing tells of anything
 * else: a link that asks for a password says neither what it opens nor whose it is.
 */
export function linkPages(parts: LinkPagesParts, showSignIn: ShowSignIn): Router {
  const { basePath, weblinks, contentTickets: tickets, clock } = parts;
  const router = express.Router({ caseSensitive: true });
  const icons = `${basePath}/icons`;

  /** Asks for what the link asks for; after that the page that was wanted comes. */
  async function askAt(request: Request, response: Response, arrival: Arrival): Promise<void> {
    const { gate } = arrival;
    const isPage = request.method === 'GET';
    const wanted = isPage ? request.originalUrl : `${basePath}/wl/?id=${arrival.open.link.id}`;
    const isDirect = queryOf(request).fmode === 'download' || queryOf(request).fmode === 'open';
    const status = isDirect ? 403 : 200;
    if (gate === 'login') {
      const { sessions } = parts;
      return showSignIn(request, response, await visitorOf(sessions, request, response), wanted);
    }
    if (gate === 'password') return showPassword(parts, request, response, arrival, wanted, { status });
    return showTerms(parts, request, response, arrival, wanted, { status });
  }

  const route: LinkRoute = (take) => async (request, response) => {
    try {
      const { id } = queryOf(request);
      const arrival = await arrive(parts, request, response, typeof id === 'string' ? id : '');
      if (arrival.gate !== null) return await askAt(request, response, arrival);
      await take(request, response, arrival);
    } catch (error) {
      failed(request, response, error);
    }
  };

  function failed(request: Request, response: Response, error: unknown): void {
    const isForPerson = request.accepts(['json', 'html']) === 'html';
    if (!(error instanceof ApiError) || response.headersSent || !isForPerson) throw error;
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    response.removeHeader('Content-Security-Policy');
    const { id } = queryOf(request);
    const isUnknown = error.code === 'not_found' || error.code === 'missing_parameter';
    if (error.code === 'link_expired' || error.code === 'link_used_up') showEnded(parts, request, response);
    else if (isUnknown && response.locals.linkFound !== true) showGone(parts, request, response);
    else showFailure(request, response, error, String(id ?? ''));
  }

  function showFailure(request: Request, response: Response, { code, message, status }: ApiError, id: string): void {
    const { sentences, again, back } = linkTexts.failed;
    const isTemporary = status >= 500 && request.method === 'GET';
    const home = `${basePath}/wl/?id=${encodeURIComponent(id)}`;
    const way = isTemporary ? { text: again, href: request.originalUrl } : { text: back, href: home };
    showProblem(parts, request, response, { text: sentences[code] ?? message, status, way });
  }

  router.get('/wl', (request, response, next) => {
    if (request.path.endsWith('/')) return next();
    const query = request.originalUrl.includes('?') ? request.originalUrl.slice(request.originalUrl.indexOf('?')) : '';
    response.redirect(301, `${basePath}/wl/${query}`);
  });

  router.get(
    '/wl',
    route(async (request, response, arrival) => {
      response.locals.linkFound = true;
      const { path, fmode, ...look } = checkParameters(pageQuery, queryOf(request));
      const { files, asker, open } = arrival;
      const isFolder = await isFolderAt(arrival, path);
      const kind = viewerKindOf(path.at(-1) ?? open.grant.place.segments.at(-1) ?? '', 'other');
      const isFramed = fmode === 'open' && kind === 'pdf' && isShown(open);
      if (fmode === 'download' || (fmode === 'open' && !isFolder && !isFramed)) {
        return sendDirectly(parts, arrival, path, fmode === 'open', request, response);
      }
      await files.access.resolveItem(asker.account, path, 'files/browse');
      if (isFolder) await showFolder(request, response, arrival, path, look);
      else await showFile(response, arrival, path);
    }),
  );

  /** Of a file request nothing is told but what its visitor has sent. */
  async function isFolderAt({ files, asker, open }: Arrival, path: readonly string[]): Promise<boolean> {
    if (!givesDownloads(open.link) && path.length > 0)
      throw new ApiError('not_found', 'There is no such file or folder.');
    const { home, segments } = await files.access.resolveItem(asker.account, path, 'files/browse');
    const { entry } = await onDisk(files, home.place, segments);
    return entry.isDir;
  }

  async function showFolder(
    request: Request,
    response: Response,
    arrival: Arrival,
    path: readonly string[],
    { mode, start, done }: { mode?: (typeof LINK_VIEWS)[number] | undefined; start: number; done: string },
    problem: string | null = null,
  ): Promise<void> {
    const { open } = arrival;
    if (!givesDownloads(open.link)) return showRequest(request, response, arrival, done === 'sent', problem);
    const to = addressesOf(arrival);
    const folder = await listLinkFolder(arrival, path, { start, limit: LINK_ROWS });
    const abilities = linkAbilities(arrival);
    const canSend = takesUploads(open.link) && abilities.upload && request.secure;
    const form = canSend ? await formFor(request, response, arrival, path, done === 'sent', problem) : null;
    const above =
      form === null
        ? html``
        : html`<details class="send-here"${done === 'sent' || problem !== null ? html` open` : html``}><summary class="button">${linkTexts.request.alsoHere}</summary>${form}</details>`;
    showOpen(parts, response, arrival, {
      name: folder.name,
      status: problem === null ? 200 : 400,
      content: linkFolderMain({
        ...{ to, folder, icons, start, now: clock.now(), above, below: html`` },
        trail: trailOf(arrival, path),
        view: mode ?? usualView(folder),
        canDownload: abilities.download,
        canDownloadFolders: abilities.downloadFolders,
      }),
    });
  }

  async function showRequest(
    request: Request,
    response: Response,
    arrival: Arrival,
    isSent: boolean,
    problem: string | null,
  ): Promise<void> {
    if (!request.secure) throw new ApiError('https_required', 'This page is shown over HTTPS only.');
    const { open } = arrival;
    const name = nameOf(arrival, []);
    const form = await formFor(request, response, arrival, [], isSent, problem);
    const lead = linkTexts.request.lead(open.creator.name, true);
    const card = html`<h1>${name}</h1><p class="lead">${lead}</p>${form}<div class="unseen" id="say" role="status"></div>`;
    response.setHeader('Content-Security-Policy', REQUEST_POLICY);
    const status = problem === null ? 200 : 400;
    showCard(parts, request, response, { title: name, card, size: 'widest', status, head: headOf(parts, 'link.js') });
  }

  async function formFor(
    request: Request,
    response: Response,
    arrival: Arrival,
    path: readonly string[],
    isSent: boolean,
    problem: string | null,
  ): Promise<Html> {
    const { open, visit, session, asker } = arrival;
    const { visitor, formToken } = knownLinkBrowser(request, response);
    const sent = await weblinks.sent.by(open.link.number, visitor);
    return sendForm({
      ...{ to: addressesOf(arrival), path: pathText(path), formToken, problem, isSent, sent, icons },
      sender: session === null ? visit.name : null,
      owner: open.creator.name,
      limits: limitsIn(asker.account, { share: open.grant }),
    });
  }

  async function showFile(response: Response, arrival: Arrival, path: readonly string[]): Promise<void> {
    const { open } = arrival;
    const { row, siblings } = path.length === 0 ? await rootFile(arrival) : await findLinkFile(arrival, path);
    const kind = viewerKindOf(row.name, row.type);
    const abilities = linkAbilities(arrival);
    const hidden = kind === null || isShown(open) ? null : open.link.forceSave ? 'saved' : 'counted';
    showOpen(parts, response, arrival, {
      name: row.name,
      content: linkFileMain({
        ...{ to: addressesOf(arrival), open, row, siblings, icons, hidden, now: clock.now() },
        trail: path.length === 0 ? [] : trailOf(arrival, path),
        canDownload: abilities.download,
        hasView: kind !== null && abilities.download,
        facts: open.link.showMetadata ? await factsOf(arrival, path) : [],
        comments: html``,
      }),
    });
  }

  /** What the file is that the link is of. */
  async function rootFile(arrival: Arrival) {
    const { files, asker } = arrival;
    const { home, segments } = await files.access.resolveItem(asker.account, [], 'files/browse');
    const { entry } = await onDisk(files, home.place, segments);
    const name = nameOf(arrival, []);
    const row = {
      ...{ name, isDir: false, path: '', type: fileKind(name, false).type, changedAt: entry.mtime, size: entry.size },
      ...{ entries: null, isPicture: false },
    };
    return { row, siblings: [] };
  }

  /** `show_metadata`: what is known of a file beside what everybody sees. */
  async function factsOf({ files, asker }: Arrival, path: readonly string[]): Promise<Fact[]> {
    const { home, segments } = await files.access.resolveItem(asker.account, path, 'files/browse');
    const { entry } = await onDisk(files, home.place, segments);
    const words = linkTexts.file;
    return [
      { name: words.type, value: html`${fileKind(entry.name, false).description}` },
      { name: words.size, value: html`${words.bytes(entry.size)}` },
      { name: words.created, value: when(entry.created, clock.now()) },
    ];
  }

  function addressesOf({ open, session }: Arrival): LinkAddresses {
    const accountId = open.link.requireLogin ? (session?.account.id ?? null) : null;
    const ticket = isShown(open) && givesDownloads(open.link) ? tickets.issue(ticketSubject(open, accountId)) : null;
    return linkAddresses(basePath, open, ticket, accountId);
  }

  router.post('/wl/open', async (request, response) => {
    try {
      const fields = parseForm(await readText(request, response));
      const arrival = await arrive(parts, request, response, String(fields.id ?? ''));
      const next = ownPage(basePath, arrival, String(fields.next ?? ''));
      const password = typeof fields.password === 'string' ? fields.password : '';
      const address = request.socket.remoteAddress ?? '';
      if (arrival.open.link.passwordHash === null) return response.redirect(303, next);
      const isRight = await weblinks.guesses.isRight(arrival.open.link, password, address).catch((error) => {
        if (!(error instanceof ApiError) || error.code !== 'too_many_requests') throw error;
        response.setHeader('Retry-After', error.headers['Retry-After'] ?? '60');
        const problem = linkTexts.password.wait(Number(error.headers['Retry-After'] ?? 60));
        showPassword(parts, request, response, arrival, next, { problem, status: 429 });
        return null;
      });
      if (isRight === null) return;
      if (!isRight) {
        const said = { problem: linkTexts.password.wrong, status: 403 };
        return showPassword(parts, request, response, arrival, next, said);
      }
      const { visitor } = knownLinkBrowser(request, response);
      await weblinks.visits.note(arrival.open.link, visitor, { passwordShown: true });
      response.redirect(303, next);
    } catch (error) {
      failed(request, response, error);
    }
  });

  router.post('/wl/accept', async (request, response) => {
    try {
      const fields = parseForm(await readText(request, response));
      const arrival = await arrive(parts, request, response, String(fields.id ?? ''));
      const next = ownPage(basePath, arrival, String(fields.next ?? ''));
      // Only after what is asked for before.
      if (arrival.gate === 'terms') {
        const { visitor } = knownLinkBrowser(request, response);
        await weblinks.visits.note(arrival.open.link, visitor, { termsAccepted: true });
      }
      response.redirect(303, next);
    } catch (error) {
      failed(request, response, error);
    }
  });

  router.post(
    '/wl/send',
    route(async (request, response, arrival) => {
      response.locals.linkFound = true;
      const { path } = checkParameters(pageQuery.pick({ path: true }), queryOf(request));
      try {
        const isSent = await sentForm(parts, arrival, path, request, response);
        if (!isSent) throw new ApiError('missing_parameter', linkTexts.request.none);
        const { link } = arrival.open;
        const query = new URLSearchParams({
          id: link.id,
          ...(path.length > 0 ? { path: pathText(path) } : {}),
          done: 'sent',
        });
        response.redirect(303, `${basePath}/wl/?${query}`);
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        const isNameless = error.details?.parameter === 'sender';
        const sentence = isNameless ? linkTexts.request.noName : (SENTENCES[error.code] ?? error.message);
        await showFolder(request, response, arrival, path, { start: 0, done: '' }, sentence);
      }
    }),
  );

  router.put('/wl/upload', linkUploads(parts));
  router.use(linkContent(parts, route));

  return router;
}

const SENTENCES: Readonly<Partial<Record<ErrorCode, string>>> = linkTexts.failed.sentences;

const REQUEST_POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'connect-src', 'form-action'].map((name) => `${name} 'self'`),
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Where somebody was on the way to, if that is a page of this link. */
function ownPage(basePath: string, { open }: Arrival, next: string): string {
  const home = `${basePath}/wl/?id=${open.link.id}`;
  return next === home || next.startsWith(`${home}&`) ? next : home;
}

function pathText(path: readonly string[]): string {
  return path.length === 0 ? '' : `/${path.join('/')}`;
}

function nameOf({ open }: Arrival, path: readonly string[]): string {
  const { alias, place } = open.grant;
  return path.at(-1) ?? (alias === '' ? (place.segments.at(-1) ?? '') : alias);
}

/** The folders above, what the link opens first. */
function trailOf(arrival: Arrival, path: readonly string[]): { name: string; path: string }[] {
  return path.map((_, depth) => ({
    name: nameOf(arrival, path.slice(0, depth)),
    path: pathText(path.slice(0, depth)),
  }));
}

function onDisk(
  files: Arrival['files'],
  place: Arrival['open']['grant']['home']['place'],
  segments: readonly string[],
) {
  return onStorage(() => files.disk.run('stat', { place, segments }));
}
