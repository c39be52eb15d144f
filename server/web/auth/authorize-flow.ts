import express, { type Request, type Response, type Router } from 'express';
import { isAdministrator } from '../../accounts/permissions/permissions.ts';
import { sessionStillOpen } from '../../accounts/sign-in/proof-validity.ts';
import { ApiError } from '../../http/errors.ts';
import { parseForm } from '../../http/request/read-parameters.ts';
import { html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import type { AuthorizationCodes } from '../../oauth/authorization-codes.ts';
import {
  type AuthorizationRequest,
  type CheckedRequest,
  checkAuthorizationRequest,
  codeRedirect,
  errorRedirect,
} from '../../oauth/authorization-request.ts';
import type { Clients } from '../../oauth/clients/clients.ts';
import type { Tokens } from '../../oauth/tokens.ts';
import { formOf, type Visitor, visitorOf } from '../shell/browser-session.ts';
import { originOf, type PageContext, type ShowSignIn, showCard } from '../shell/page-context.ts';
import { consentCard } from './consent-page.ts';

export interface AuthorizeFlowParts extends PageContext {
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly codes: AuthorizationCodes;
  readonly isApiEnabled: () => boolean;
  readonly trashDays: () => number;
}

type RefusalReason = Extract<CheckedRequest, { outcome: 'refuse' }>['why'];

/** The authorization request of an app, and its answer (§5.2, RFC 6749 §4.1). */
export function authorizeFlow(parts: AuthorizeFlowParts, showSignIn: ShowSignIn): Router {
  const { basePath, sessions, clients, tokens, codes } = parts;
  const AUTHORIZE = `${basePath}/oauth2/authorize/`;

  async function authorize(
    request: Request,
    response: Response,
    visitor: Visitor,
    { query, answer }: { query: string; answer: 'allow' | 'cancel' | null },
  ): Promise<void> {
    if (!parts.isApiEnabled()) {
      throw new ApiError('api_disabled', t('api.service.apiDisabled'));
    }
    const checked = await checkAuthorizationRequest(clients, parseForm(query));
    if (checked.outcome === 'refuse') return showRefusal(request, response, checked.why);
    if (checked.outcome === 'redirect') return response.redirect(303, checked.location);
    const requested = checked.request;
    // Browsers apply `form-action` to redirects after a form, too.
    allowFormTarget(response, requested.redirectUri);
    const next = `${AUTHORIZE}?${query}`;
    if (visitor.session === null) return showSignIn(request, response, visitor, next);
    const { account } = visitor.session;
    if (requested.scopes.includes('admin') && !isAdministrator(account)) {
      return response.redirect(303, errorRedirect(requested, 'invalid_scope', t('api.oauth.adminScope')));
    }
    if (answer === 'cancel') {
      return response.redirect(303, errorRedirect(requested, 'access_denied', t('api.oauth.denied')));
    }
    if (answer !== 'allow' && !(await isKnown(requested, account.id))) {
      const card = consentCard({
        request: requested,
        account,
        household: parts.householdName(),
        basePath,
        trashDays: parts.trashDays(),
        formToken: visitor.formToken,
        query,
        next,
      });
      return showCard(parts, request, response, {
        title: t('consent.heading', { app: requested.client.name }),
        card,
        size: 'wide',
      });
    }
    const { client, redirectUri, scopes, codeChallenge } = requested;
    const address = originOf(request).address ?? '';
    const grant = { clientRowId: client.id, accountId: account.id, redirectUri, scopes, codeChallenge, address };
    const code = await codes.issue(grant, sessionStillOpen(visitor.session.id));
    if (code === null) return showSignIn(request, response, visitor, next);
    response.redirect(303, codeRedirect(requested, code));
  }

  /** A confidential client that was allowed these scopes before needs no new consent. */
  async function isKnown({ client, mustAsk, scopes }: AuthorizationRequest, accountId: number): Promise<boolean> {
    return client.secretHash !== null && !mustAsk && (await tokens.isAuthorized(accountId, client.id, scopes));
  }

  function showRefusal(request: Request, response: Response, why: RefusalReason): void {
    const card = html`<h1>${t('refusal.heading')}</h1><p>${t(`refusal.why.${why}`)}</p><p>${t('refusal.help')}</p>`;
    showCard(parts, request, response, { title: t('refusal.heading'), card, status: 400 });
  }

  const router = express.Router({ caseSensitive: true });

  router.get('/oauth2/authorize', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const query = request.originalUrl.split('?').slice(1).join('?');
    await authorize(request, response, visitor, { query, answer: null });
  });

  router.post('/oauth2/authorize', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const fields = await formOf(request, response, visitor);
    const answer = fields.answer === 'allow' ? 'allow' : 'cancel';
    await authorize(request, response, visitor, { query: fields.request ?? '', answer });
  });

  // A logo chosen by the owner; everyone who may see the consent page may see it.
  router.get('/oauth2/logo/:clientId', async (request, response) => {
    const client = await clients.byClientId(request.params.clientId);
    if (client === null || client.logo === null) throw new ApiError('not_found', t('api.pictures.none'));
    response.setHeader('Cache-Control', 'private, max-age=3600');
    response.type('image/png').send(client.logo);
  });

  return router;
}

/**
 * The app that one of our addresses leads to; forms of the page being sent may then redirect to the app's own address.
 * @returns its name; null when the address leads to no app
 */
export async function appBehind(
  { clients, basePath }: { clients: Clients; basePath: string },
  response: Response,
  next: string,
): Promise<string | null> {
  const [path, ...query] = next.split('?');
  if (path !== `${basePath}/oauth2/authorize/`) return null;
  const checked = await checkAuthorizationRequest(clients, parseForm(query.join('?')));
  if (checked.outcome !== 'ask') return null;
  allowFormTarget(response, checked.request.redirectUri);
  return checked.request.client.name;
}

function allowFormTarget(response: Response, redirectUri: string): void {
  const { protocol, origin, hostname } = new URL(redirectUri);
  // A policy cannot name an IPv6 address (CSP 3, host-source): for [::1] only the scheme is given.
  const hasOrigin = (protocol === 'https:' || protocol === 'http:') && !hostname.startsWith('[');
  const target = hasOrigin ? origin : protocol;
  const policy = String(response.getHeader('Content-Security-Policy'));
  response.setHeader('Content-Security-Policy', policy.replace(/form-action [^;]*/, `form-action 'self' ${target}`));
}
