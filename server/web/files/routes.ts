import express, { type Request, type RequestHandler, type Response, type Router } from 'express';
import { z } from 'zod';
import type { AccountCaller } from '../../access/caller.ts';
import { download } from '../../files/download/download.ts';
import { checkSeveral, downloadSeveral } from '../../files/download/download-several.ts';
import { downloadFilmInside } from '../../files/download/film-inside.ts';
import { ApiError, ERROR_STATUS } from '../../http/errors.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { flag, versionNumber, virtualPath, virtualPaths } from '../../http/request/parameters.ts';
import { sendJson } from '../../http/response/envelope.ts';
import { inClientTerms } from '../../http/system-failure.ts';
import { html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { checkFormToken, listFormOf, refuseForeign, sessionOf, visitorOf } from '../shell/browser-session.ts';
import { confine } from '../shell/content-headers.ts';
import { forSignedIn, originOf, queryOf, type ShowSignIn, type SignedIn } from '../shell/page-context.ts';
import { act, backFrom, doneBy, isAction, type Outcome, sentenceOf, takenNames } from './actions.ts';
import { filesLinks } from './addresses.ts';
import { albumPages } from './albums/routes.ts';
import { albumSharePages } from './albums/share-routes.ts';
import { commentPages } from './comments/routes.ts';
import { fileViews } from './content-routes.ts';
import { type FilesPagesParts, rootsFor, segmentsOf } from './context.ts';
import { detailPages } from './details/routes.ts';
import { editPages } from './editing/routes.ts';
import { actionForm } from './forms.ts';
import { emptyState, rootOf, showFiles, storageOf } from './frame.ts';
import { importPages } from './imports/routes.ts';
import { lastSeenPages } from './last-seen/list.ts';
import { markLists } from './last-seen/mark.ts';
import { folderSizes, sizesOfFolders } from './listing/folder-sizes.ts';
import { folderPage, itemPage } from './listing/folder-view.ts';
import type { PageRequest } from './listing/page-request.ts';
import { mapPages } from './map/routes.ts';
import { photoBackupPages } from './photo-backup/routes.ts';
import { withParts } from './photos/whole.ts';
import { sendPicture } from './pictures.ts';
import { searchPage, searchPassage } from './search/page.ts';
import { sharePages } from './sharing/routes.ts';
import { newVersionOfForm, sessionUploads, uploadOfForm } from './uploads.ts';
import { versionPages } from './versions/routes.ts';
import { weblinkPages } from './weblinks/routes.ts';
import { severalPages } from './weblinks/several.ts';

/** Most paths per download. */
const MAX_PATHS = 900;
/** Folders from anywhere whose sizes one request asks for. */
const MAX_SIZES = 50;

/** A page requests hundreds of them, and the worker reads none of the replies. */
const THUMBNAIL = '/files/thumbnail';

/**
 * The household's own file pages. They use the services of the API, with the session instead of a token, and also work while the
 * API is off.
 */
export function filesPages(parts: FilesPagesParts, showSignIn: ShowSignIn): Router {
  const { basePath, sessions, activeResponses } = parts;
  const links = filesLinks(basePath);
  const router = express.Router({ caseSensitive: true });

  type Take = (request: Request, response: Response, pageRequest: PageRequest) => Promise<void>;

  /** Wraps a route for signed-in people; a failure is an error page, or JSON for the script. */
  function files(take: Take): RequestHandler {
    const show = forSignedIn(
      parts,
      showSignIn,
      async (request, response, visitor) => {
        const pageRequest = await pageRequestOf(request, response, visitor);
        if (request.path !== THUMBNAIL) await markLists(parts, request, response, visitor.session.account);
        try {
          await take(request, response, pageRequest);
        } catch (thrown) {
          const error = inClientTerms(thrown);
          if (!(error instanceof ApiError) || response.headersSent || pageRequest.isForScript) throw error;
          await showFailure(
            response,
            pageRequest,
            error,
            request.method === 'GET' ? request.originalUrl : `${links.base}/`,
          );
        }
      },
      '/files/',
    );
    return async (request, response, next) => {
      if (isForScript(request)) await signedIn(request, response);
      await show(request, response, next);
    };
  }

  async function pageRequestOf(request: Request, response: Response, visitor: SignedIn): Promise<PageRequest> {
    const { account } = visitor.session;
    activeResponses.begin(account.id, response, async () => (await sessions.liveAccount(visitor.session.id)) !== null);
    const caller: AccountCaller = { ...originOf(request), account };
    return { parts, links, visitor, caller, query: queryOf(request), isForScript: isForScript(request) };
  }

  /**
   * A request of the script gets no cookie: it could arrive after that of a sign-in page, whose form would no longer be valid.
   * @throws ApiError `invalid_token` for the script, which has its own text for it
   */
  async function signedIn(request: Request, response: Response): Promise<SignedIn> {
    const session = await sessionOf(sessions, request);
    if (session === null) throw new ApiError('invalid_token', t('files.errors.signedOut'));
    return { ...(await visitorOf(sessions, request, response)), session };
  }

  async function showFailure(
    response: Response,
    { caller, visitor }: PageRequest,
    error: ApiError,
    again: string,
  ): Promise<void> {
    const owner = await parts.ownerName();
    const words =
      error.code === 'not_found' || error.code === 'invalid_path'
        ? { heading: t('files.errors.missing.heading'), text: t('files.errors.missing.help') }
        : error.code === 'storage_offline'
          ? { heading: t('files.errors.offline.heading'), text: t('files.errors.offline.help', { owner }) }
          : { heading: t('files.errors.heading'), text: sentenceOf(error) };
    const isTemporary = error.status >= 500;
    const way = html`<p class="empty-actions"><a class="button" href="${isTemporary ? again : `${links.base}/`}">${isTemporary ? t('files.errors.again') : t('files.errors.home')}</a></p>`;
    const main = html`<div class="failure">${emptyState({ heading: words.heading, help: words.text }, way, true)}</div>`;
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    const roots = await rootsFor(parts, caller);
    await showFiles(
      parts,
      response,
      visitor,
      links,
      { title: words.heading, at: null, roots, main, status: error.status },
      false,
    );
  }

  router.get('/files', (request, response, next) => {
    if (request.path.endsWith('/')) next();
    else response.redirect(301, `${links.base}/`);
  });
  router.get(
    '/files',
    files(async (_request, response, pageRequest) => folderPage(response, pageRequest)),
  );
  router.get(
    '/files/search',
    files(async (_request, response, pageRequest) => searchPage(response, pageRequest)),
  );
  router.get(
    '/files/search/passage',
    files(async (_request, response, pageRequest) => searchPassage(response, pageRequest)),
  );
  router.get(
    '/files/item',
    files(async (_request, response, pageRequest) => itemPage(response, pageRequest)),
  );

  router.get(
    '/files/session',
    files(async (_request, response, { visitor }) => {
      const data = { account: visitor.session.account.id, token: visitor.formToken };
      sendJson(response, 200, { success: true, error: false, data });
    }),
  );

  // After changes that need no new page.
  router.get(
    '/files/storage',
    files(async (_request, response, { visitor }) => {
      const { account } = visitor.session;
      const shown = await storageOf(parts, account);
      const storage = shown === null ? '' : html`${shown.entry}${shown.meter}`.text;
      sendJson(response, 200, { success: true, error: false, data: { account: account.id, storage } });
    }),
  );

  // What is in a folder, or folders from anywhere.
  const sizesQuery = z.object({ path: virtualPath().optional(), folder: virtualPaths(MAX_SIZES).optional() });
  router.get(
    '/files/sizes',
    files(async (_request, response, { caller, query }) => {
      const { path, folder } = checkParameters(sizesQuery, query);
      const sizes = await (path === undefined
        ? sizesOfFolders(parts, caller, folder ?? [])
        : folderSizes(parts, caller, path));
      sendJson(response, 200, { success: true, error: false, data: { account: caller.account.id, sizes } });
    }),
  );

  const requested = z.object({
    path: virtualPath(),
    version: versionNumber().optional(),
    openInBrowser: flag().default(false),
  });
  router.get(
    '/files/download',
    files(async (request, response, { caller, query }) => {
      const { path, ...options } = checkParameters(requested, query);
      confine(response);
      await download(parts.files, caller, path, options, request, response);
    }),
  );

  router.get(
    '/files/film',
    files(async (request, response, { caller, query }) => {
      const { path } = checkParameters(z.object({ path: virtualPath() }), query);
      confine(response);
      await downloadFilmInside(parts.files, caller, path, request, response);
    }),
  );

  router.get(
    '/files/thumbnail',
    files((request, response, { caller, query }) => sendPicture(parts, caller, query, request, response)),
  );

  // Several items as one archive. The script first checks whether they can be downloaded, because an error page would replace its
  // own.
  router.post(
    '/files/download',
    files(async (request, response, { caller, visitor, isForScript: isQuestion }) => {
      const fields = await listFormOf(request, response, visitor);
      const { path: paths } = checkParameters(z.object({ path: virtualPaths(MAX_PATHS) }), fields);
      if (isQuestion) {
        await checkSeveral(parts.files, caller, paths);
        return sendJson(response, 200, { success: true, error: false, data: {} });
      }
      confine(response);
      const name = typeof fields.name === 'string' && fields.name !== '' ? fields.name : parts.householdName();
      await downloadSeveral(parts.files, caller, paths, name.replace(/[/\\:*?"<>|]/g, ' '), request, response);
    }),
  );

  router.put(
    '/files/upload',
    sessionUploads(parts, async (request, response) => {
      const visitor = await signedIn(request, response);
      refuseForeign(request);
      checkFormToken(request.headers['x-form-token'], visitor);
      return { caller: (await pageRequestOf(request, response, visitor)).caller, confirm: visitor.confirm };
    }),
  );

  router.post(
    '/files/upload',
    files(async (request, response, pageRequest) => {
      refuseForeign(request);
      const { path } = checkParameters(z.object({ path: virtualPath() }), pageRequest.query);
      const folder = `/${path.join('/')}`;
      try {
        const uploaded = await uploadOfForm({ ...pageRequest, request, response }, path);
        response.redirect(303, `${links.folder(folder)}&done=${uploaded.isNumbered ? 'numbered' : 'uploaded'}`);
      } catch (error) {
        await showForm(response, pageRequest, { action: 'upload', path: folder, values: {}, error });
      }
    }),
  );

  router.post(
    '/files/replace',
    files(async (request, response, pageRequest) => {
      refuseForeign(request);
      const { path } = checkParameters(z.object({ path: virtualPath() }), pageRequest.query);
      const replaced = `/${path.join('/')}`;
      try {
        await newVersionOfForm({ ...pageRequest, request, response }, path);
        response.redirect(303, `${links.item(replaced)}&done=uploaded`);
      } catch (error) {
        await showForm(response, pageRequest, { action: 'replace', path: replaced, values: {}, error });
      }
    }),
  );

  router.get(
    '/files/do/:action',
    files(async (request, response, pageRequest) => {
      const { action = '' } = request.params;
      const { path = null, to, count, whole } = pageRequest.query;
      const values = typeof to === 'string' ? { to } : {};
      const many = Number(typeof count === 'string' ? count : 1);
      const about = typeof path === 'string' ? `/${segmentsOf(path).join('/')}` : null;
      await showForm(response, pageRequest, {
        action: String(action),
        path: about,
        values,
        count: Number.isInteger(many) ? many : 1,
        isWhole: whole === '1',
      });
    }),
  );

  router.post(
    '/files/do/:action',
    files(async (request, response, pageRequest) => {
      const action = String(request.params.action ?? '');
      const fields = await listFormOf(request, response, pageRequest.visitor);
      if (pageRequest.isForScript && action === 'taken') {
        const taken = await takenNames(parts, pageRequest.caller, fields);
        return sendJson(response, 200, { success: true, error: false, data: { taken } });
      }
      if (!isAction(action)) throw new ApiError('not_found', t('api.requests.unknownAction'));
      const [path = null] = [fields.path ?? []].flat().map(String);
      try {
        const results = await act(parts, pageRequest.caller, action, fields);
        if (pageRequest.isForScript) return sendJson(response, 200, { success: true, error: false, data: { results } });
        const failed = results.find(({ error }) => error !== undefined);
        if (failed !== undefined) throw new Refused(failed);
        const made = action === 'create-file' ? results[0]?.to : undefined;
        const back = backFrom(action, path ?? '/TRASH', links, doneBy(action));
        response.redirect(303, made === undefined ? back : links.edit(made));
      } catch (error) {
        if (pageRequest.isForScript) throw error;
        const values = Object.fromEntries(
          Object.entries(fields).filter((field): field is [string, string] => typeof field[1] === 'string'),
        );
        await showForm(response, pageRequest, { action, path, values, error, isWhole: fields.whole === '1' });
      }
    }),
  );

  router.use(
    sharePages(parts.sharing, files),
    weblinkPages(parts.weblinks, files),
    severalPages(parts.weblinks, files),
    commentPages(parts.commentsContext, files),
    detailPages(parts.metadataContext, files),
    editPages(files),
    versionPages(files),
    photoBackupPages(files),
    albumSharePages(files),
    albumPages(files),
    importPages(files),
    mapPages(files),
    lastSeenPages(files),
    fileViews(parts, links),
  );

  /** A form on its own page: for browsers without JavaScript, and for the script, which shows it in a dialog. */
  async function showForm(
    response: Response,
    { caller, visitor, isForScript: isPart }: PageRequest,
    about: {
      action: string;
      path: string | null;
      values: Record<string, string>;
      count?: number;
      error?: unknown;
      isWhole?: boolean;
    },
  ): Promise<void> {
    const { action, path, values, error, isWhole = false } = about;
    if (error !== undefined && !(error instanceof ApiError) && !(error instanceof Refused)) throw error;
    const problem = error instanceof ApiError ? sentenceOf(error) : error instanceof Refused ? error.message : null;
    const roots = await rootsFor(parts, caller);
    const { formToken } = visitor;
    // The script has found them already.
    const count =
      isWhole && !isPart && path !== null
        ? (await withParts(parts, caller, [segmentsOf(path)])).length
        : (about.count ?? 1);
    const note = isWhole ? html`<p class="help">${t('photos.wholeNote', { count })}</p>` : html``;
    const item = { path, count, note, isWhole: isWhole && !isPart };
    const form = { parts, caller, links, roots, formToken, action, values, problem, ...item };
    const page = await actionForm(form).catch((failure) => {
      // The item is gone, so there is nothing to show the form for.
      throw error instanceof ApiError ? error : failure;
    });
    const title = page.heading;
    const main = html`<div class="sheet"><section class="form"><h1>${title}</h1>${page.form}</section></div>`;
    const at = path === null ? '/TRASH' : rootOf(roots, path);
    const status = error instanceof ApiError || error instanceof Refused ? error.status : 200;
    const { head = html`` } = page;
    await showFiles(parts, response, visitor, links, { title, at, roots, main, head, status }, isPart);
  }

  return router;
}

/** An action that failed for its item, with the status of its code. */
class Refused extends Error {
  readonly status: number;

  constructor({ error = '', code }: Outcome) {
    super(error);
    this.status = code === undefined ? 409 : ERROR_STATUS[code];
  }
}

function isForScript(request: Request): boolean {
  return request.accepts(['html', 'json']) === 'json';
}
