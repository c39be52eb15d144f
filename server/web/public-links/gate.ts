import express, { type Request, type Response, type Router } from 'express';
import { addressGroup, addressOf } from '../../http/connection/client-address.ts';
import { ApiError } from '../../http/errors.ts';
import { parseForm, type RawParameters, readText } from '../../http/request/read-parameters.ts';
import { t } from '../../messages/messages.ts';
import { knownLinkBrowser, linkBrowserOf, visitorOf } from '../shell/browser-session.ts';
import { queryOf, type ShowSignIn } from '../shell/page-context.ts';
import { arrive, type LinkPagesParts, type LinkRequest } from './context.ts';
import { showPassword, showTerms } from './frame.ts';

/** Most bytes of a form with a password. */
const MAX_FORM = 16 * 1024;

/** Asks for the requirements of a link; afterwards the requested page is shown. */
export async function showRequirement(
  parts: LinkPagesParts,
  showSignIn: ShowSignIn,
  request: Request,
  response: Response,
  linkRequest: LinkRequest,
): Promise<void> {
  const { pendingRequirement, open } = linkRequest;
  const wanted = request.method === 'GET' ? request.originalUrl : `${parts.basePath}/wl/?id=${open.link.id}`;
  const { fmode } = queryOf(request);
  // A program that requests content must not take this page for it.
  const status = fmode === 'download' || fmode === 'open' ? 403 : 200;
  if (pendingRequirement === 'login') {
    return showSignIn(request, response, await visitorOf(parts.sessions, request, response), wanted, status);
  }
  if (pendingRequirement === 'password') return showPassword(parts, request, response, linkRequest, wanted, { status });
  return showTerms(parts, request, response, linkRequest, wanted, { status });
}

/** Receives the password, and the acceptance of terms. */
export function linkGate(
  parts: LinkPagesParts,
  failed: (request: Request, response: Response, error: unknown) => void,
): Router {
  const { weblinks, basePath } = parts;
  const router = express.Router({ caseSensitive: true });

  router.post('/wl/open', async (request, response) => {
    try {
      const fields = await fieldsOf(request, response);
      const linkRequest = await arrive(parts, request, response, String(fields.id ?? ''));
      await takePassword(request, response, linkRequest, fields);
    } catch (error) {
      failed(request, response, error);
    }
  });

  async function takePassword(
    request: Request,
    response: Response,
    linkRequest: LinkRequest,
    fields: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    const { link } = linkRequest.open;
    const next = ownPage(basePath, linkRequest, fields.next);
    if (link.passwordHash === null) return response.redirect(303, next);
    const password = typeof fields.password === 'string' ? fields.password : '';
    try {
      const visitor = linkBrowserOf(request)?.visitor ?? null;
      const known = visitor !== null && (await weblinks.visits.hasEntered(link.number, visitor)) ? visitor : null;
      const isRight = await weblinks.passwordRateLimit.isRight(link, password, addressOf(request) ?? '', known);
      if (!isRight) {
        return showPassword(parts, request, response, linkRequest, next, {
          problem: t('links.password.wrong'),
          status: 403,
        });
      }
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'too_many_requests') throw error;
      const seconds = error.headers['Retry-After'] ?? '60';
      response.setHeader('Retry-After', seconds);
      const problem = t('links.password.wait', { seconds: Number(seconds) });
      return showPassword(parts, request, response, linkRequest, next, { problem, status: 429 });
    }
    const { visitor } = await browserFor(request, response, link.number);
    await weblinks.visits.note(link, visitor, { passwordShown: true });
    response.redirect(303, next);
  }

  router.post('/wl/accept', async (request, response) => {
    try {
      const fields = await fieldsOf(request, response);
      const linkRequest = await arrive(parts, request, response, String(fields.id ?? ''));
      // Only after the previous requirements.
      if (linkRequest.pendingRequirement === 'terms') {
        const { visitor } = await browserFor(request, response, linkRequest.open.link.number);
        await weblinks.visits.note(linkRequest.open.link, visitor, { termsAccepted: true });
      }
      response.redirect(303, ownPage(basePath, linkRequest, fields.next));
    } catch (error) {
      failed(request, response, error);
    }
  });

  /**
   * @throws ApiError `too_many_requests` for an address with many new browsers: each row is stored for long, and a made-up cookie
   * works like one of ours
   */
  async function browserFor(request: Request, response: Response, link: number): Promise<{ visitor: Buffer }> {
    const visitor = linkBrowserOf(request)?.visitor;
    const isRemembered = visitor !== undefined && (await weblinks.visits.isKnown(link, visitor));
    if (!isRemembered && !parts.browserLimit.take(addressGroup(addressOf(request)))) {
      throw new ApiError('too_many_requests', t('links.errors.tooManyVisits'));
    }
    return knownLinkBrowser(request, response);
  }

  return router;
}

/** The requested page, if it belongs to this link. */
function ownPage(basePath: string, { open }: LinkRequest, next: unknown): string {
  const home = `${basePath}/wl/?id=${open.link.id}`;
  return typeof next === 'string' && next.startsWith(`${home}&`) ? next : home;
}

/** @throws ApiError for a form of another site: the reply would replace this browser's secret, and with it what it has passed */
async function fieldsOf(request: Request, response: Response): Promise<RawParameters> {
  if (request.headers['sec-fetch-site'] === 'cross-site') {
    throw new ApiError('permission_denied', t('links.errors.noPermission'));
  }
  return parseForm(await readText(request, response, MAX_FORM));
}
