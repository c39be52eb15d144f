import express, { type Request, type Response, type Router } from 'express';
import { z } from 'zod';
import { ApiError } from '../../http/errors.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { integer, oneOf, text, virtualPath } from '../../http/request/parameters.ts';
import { parseForm, readText } from '../../http/request/read-parameters.ts';
import { inClientTerms } from '../../http/system-failure.ts';
import { t } from '../../messages/messages.ts';
import { refuseEnded } from '../../weblinks/link-end.ts';
import { knownLinkBrowser } from '../shell/browser-session.ts';
import { queryOf, type ShowSignIn } from '../shell/page-context.ts';
import { viewerKindOf } from '../viewer/kinds.ts';
import { LINK_VIEWS, linkAddresses, pathText } from './addresses.ts';
import { takeComment } from './comments.ts';
import { checkDirect, linkContent, sendDirectly } from './content.ts';
import { allowsPreview, arrive, forVisitor, type LinkPagesParts, type LinkRoute, recheckLink } from './context.ts';
import { linkSentence } from './failures.ts';
import { LINK_POLICY, showEnded, showGone, showProblem } from './frame.ts';
import { linkGate, showRequirement } from './gate.ts';
import { linkShown } from './link-view.ts';
import { linkUploads, sentForm } from './uploads.ts';

const pageQuery = z.object({
  id: text(),
  path: virtualPath().default([]),
  fmode: oneOf(['preview', 'open', 'download']).default('preview'),
  mode: oneOf(LINK_VIEWS).optional(),
  start: integer({ min: 0, max: 10 ** 9 }).default(0),
  done: text().default(''),
});

/**
 * The pages of public web links. Anyone with the address sees what its maker allows, and nothing reveals more: a link with a
 * password shows neither its item nor its owner.
 */
export function linkPages(parts: LinkPagesParts, showSignIn: ShowSignIn): Router {
  const { basePath, clock } = parts;
  const shown = linkShown(parts);
  const router = express.Router({ caseSensitive: true });

  const route: LinkRoute = (take) => async (request, response) => {
    try {
      const { id, fmode } = queryOf(request);
      // A download that has used the link up may continue.
      const isDirect = request.method !== 'POST' && (fmode === 'download' || fmode === 'open');
      const linkRequest = await arrive(parts, request, response, typeof id === 'string' ? id : '', isDirect);
      if (isDirect) checkDirect(parts, linkRequest, request);
      if (linkRequest.pendingRequirement !== null)
        return await showRequirement(parts, showSignIn, request, response, linkRequest);
      await take(request, response, linkRequest);
    } catch (error) {
      failed(request, response, error);
    }
  };

  function failed(request: Request, response: Response, thrown: unknown): void {
    const error = inClientTerms(thrown);
    const isForPerson = request.accepts(['json', 'html']) === 'html';
    if (!(error instanceof ApiError) || response.headersSent) throw error;
    if (!isForPerson) throw forVisitor(error);
    for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
    response.setHeader('Content-Security-Policy', LINK_POLICY);
    const { id } = queryOf(request);
    const isUnknown = error.code === 'not_found' || error.code === 'missing_parameter';
    if (error.code === 'link_expired' || error.code === 'link_used_up') showEnded(parts, request, response);
    else if (isUnknown && response.locals.linkFound !== true) showGone(parts, request, response);
    else showFailure(request, response, error, String(id ?? ''));
  }

  function showFailure(request: Request, response: Response, { code, message, status }: ApiError, id: string): void {
    const isTemporary = status >= 500 && request.method === 'GET';
    const home = `${basePath}/wl/?id=${encodeURIComponent(id)}`;
    const way = isTemporary
      ? { text: t('links.errors.again'), href: request.originalUrl }
      : { text: t('links.errors.back'), href: home };
    showProblem(parts, request, response, { text: linkSentence(code) ?? message, status, way });
  }

  router.get('/wl', (request, response, next) => {
    if (request.path.endsWith('/')) return next();
    const query = request.originalUrl.includes('?') ? request.originalUrl.slice(request.originalUrl.indexOf('?')) : '';
    response.redirect(301, `${basePath}/wl/${query}`);
  });

  router.get(
    '/wl',
    route(async (request, response, linkRequest) => {
      response.locals.linkFound = true;
      const { path, fmode, mode, start, done } = checkParameters(pageQuery, queryOf(request));
      const { open } = linkRequest;
      if (fmode === 'download') return sendDirectly(parts, linkRequest, path, false, request, response);
      const isFile = !(await shown.isFolder(linkRequest, path));
      const kind = viewerKindOf(path.at(-1) ?? open.grant.location.segments.at(-1) ?? '', 'other');
      // Browsers show no PDF in their own viewer when scripts are blocked, so the page does.
      const isFramed = kind === 'pdf' && allowsPreview(open);
      if (fmode === 'open' && isFile && !isFramed)
        return sendDirectly(parts, linkRequest, path, true, request, response);
      refuseEnded(open.link, clock.now());
      // This cookie distinguishes the visitor's downloads from others.
      if (open.link.downloadLimit > 0 && request.secure) knownLinkBrowser(request, response);
      await shown.show(request, response, linkRequest, path, { mode, start }, { isSent: done === 'sent' });
    }),
  );

  router.post(
    '/wl/send',
    route(async (request, response, linkRequest) => {
      response.locals.linkFound = true;
      const { path } = checkParameters(pageQuery.pick({ path: true }), queryOf(request));
      try {
        const isSent = await sentForm(parts, linkRequest, path, request, response);
        if (!isSent) throw new ApiError('missing_parameter', t('links.send.none'));
        response.redirect(303, linkAddresses(basePath, linkRequest.open).page(pathText(path), { done: 'sent' }));
      } catch (error) {
        if (!(error instanceof ApiError) || error.status >= 500) throw error;
        const isNameless = error.details?.parameter === 'sender';
        const sentence = isNameless ? t('links.send.nameMissing') : (linkSentence(error.code) ?? error.message);
        await shown.show(request, response, linkRequest, path, { start: 0 }, { problem: sentence });
      }
    }),
  );

  router.post(
    '/wl/comment',
    route(async (request, response, linkRequest) => {
      response.locals.linkFound = true;
      const { path } = checkParameters(pageQuery.pick({ path: true }), queryOf(request));
      const fields = parseForm(await readText(request, response));
      await recheckLink(parts, linkRequest);
      const refused = await takeComment(parts, linkRequest, path, fields);
      if (refused !== null) return shown.show(request, response, linkRequest, path, undefined, { comment: refused });
      response.redirect(303, `${linkAddresses(basePath, linkRequest.open).page(pathText(path))}#comments`);
    }),
  );

  router.use(linkGate(parts, failed));
  router.put('/wl/upload', linkUploads(parts));
  router.use(linkContent(parts, route, failed));

  return router;
}
