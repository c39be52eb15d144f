import express, { type ErrorRequestHandler, type Request, type RequestHandler, type Response } from 'express';
import type { Sessions } from '../accounts/sessions.ts';
import type { SignIn, SignInResult } from '../accounts/sign-in.ts';
import { ApiError } from '../http/errors.ts';
import { parseForm } from '../http/read-parameters.ts';
import type { AuthorizationCodes } from '../oauth/authorization-codes.ts';
import {
  type AuthorizationRequest,
  checkAuthorizationRequest,
  codeRedirect,
  errorRedirect,
} from '../oauth/authorization-request.ts';
import type { Clients } from '../oauth/clients.ts';
import type { Tokens } from '../oauth/tokens.ts';
import { beginSession, endSession, formOf, type Visitor, visitorOf } from './browser-session.ts';
import { consentCard } from './consent-page.ts';
import { type Html, html } from './html.ts';
import { signInCard } from './sign-in-page.ts';
import { texts } from './texts.ts';

export interface WebFlowParts {
  readonly basePath: string;
  readonly sessions: Sessions;
  readonly signIn: SignIn;
  readonly clients: Clients;
  readonly tokens: Tokens;
  readonly codes: AuthorizationCodes;
  readonly isApiEnabled: () => boolean;
  readonly householdName: () => string;
  /** The first name of whoever looks after the household. */
  readonly ownerName: () => Promise<string>;
  /** A card in the niche, as a whole page. */
  readonly page: (request: Request, title: string, card: Html, size: 'small' | 'wide', below?: Html) => string;
}

interface Shown {
  readonly title: string;
  readonly card: Html;
  readonly size: 'small' | 'wide';
  readonly status?: number;
  readonly below?: Html;
}

/** Sign-in and consent on the way to an app (§5.2, RFC 6749 §4.1). */
export function webFlow(parts: WebFlowParts): RequestHandler {
  const { basePath, sessions, signIn, clients, tokens, codes } = parts;
  const AUTHORIZE = `${basePath}/oauth2/authorize/`;
  const SIGN_IN = `${basePath}/account/sign-in`;
  const SIGN_OUT = `${basePath}/account/sign-out`;

  function show(request: Request, response: Response, { title, card, size, status = 200, below }: Shown): void {
    response.status(status).type('html').setHeader('Cache-Control', 'no-store');
    response.send(parts.page(request, title, card, size, below));
  }

  async function showSignIn(
    request: Request,
    response: Response,
    visitor: Visitor,
    {
      next,
      app,
      result,
      username = '',
      kept = false,
    }: {
      next: string;
      app: string | null;
      result?: Exclude<SignInResult, { outcome: 'signed-in' }>;
      username?: string;
      kept?: boolean;
    },
  ): Promise<void> {
    if (result?.outcome === 'wait') response.setHeader('Retry-After', result.seconds);
    const owner = await parts.ownerName();
    const note = result === undefined ? null : texts.signIn.problem(result, owner);
    show(request, response, {
      title: texts.signIn.title(parts.householdName()),
      card: signInCard({ action: SIGN_IN, formToken: visitor.formToken, next, app, note, username, kept }),
      size: 'small',
      below: html`${texts.signIn.forgotten(owner)}`,
      status: result === undefined ? 200 : result.outcome === 'wait' ? 429 : 422,
    });
  }

  async function authorize(
    request: Request,
    response: Response,
    visitor: Visitor,
    query: string,
    answer: 'allow' | 'cancel' | null,
  ): Promise<void> {
    if (!parts.isApiEnabled()) {
      throw new ApiError('api_disabled', 'The API is off. The owner can enable it in the control panel.');
    }
    const checked = await checkAuthorizationRequest(clients, parseForm(query));
    if (checked.outcome === 'refuse') return showRefusal(request, response, checked.why);
    if (checked.outcome === 'redirect') return response.redirect(303, checked.location);
    const asked = checked.request;
    // Browsers hold the answer to a form, too, to where forms may go.
    allowFormTarget(response, asked.redirectUri);
    const next = `${AUTHORIZE}?${query}`;
    if (visitor.session === null) return showSignIn(request, response, visitor, { next, app: asked.client.name });
    const { account } = visitor.session;
    if (asked.scopes.includes('admin') && account.type !== 'superuser') {
      return response.redirect(303, errorRedirect(asked, 'invalid_scope', 'admin is for administrators only'));
    }
    if (answer === 'cancel') {
      return response.redirect(303, errorRedirect(asked, 'access_denied', 'the person said no'));
    }
    if (answer !== 'allow' && !(await isKnown(asked, account.id))) {
      return show(request, response, {
        title: texts.consent.heading(asked.client.name),
        card: consentCard({
          request: asked,
          account,
          household: parts.householdName(),
          action: AUTHORIZE,
          signOut: SIGN_OUT,
          formToken: visitor.formToken,
          query,
          next,
        }),
        size: 'wide',
      });
    }
    const { client, redirectUri, scopes, codeChallenge } = asked;
    const address = request.socket.remoteAddress ?? '';
    const grant = { clientRowId: client.id, accountId: account.id, redirectUri, scopes, codeChallenge, address };
    response.redirect(303, codeRedirect(asked, await codes.issue(grant)));
  }

  /** A client that proves itself, and was allowed this before, is not asked about again. */
  async function isKnown({ client, mustAsk, scopes }: AuthorizationRequest, accountId: number): Promise<boolean> {
    return client.secretHash !== null && !mustAsk && (await tokens.isAuthorized(accountId, client.id, scopes));
  }

  function showRefusal(request: Request, response: Response, why: keyof typeof texts.refusal.why): void {
    const { refusal } = texts;
    const card = html`<h1>${refusal.heading}</h1><p>${refusal.why[why]}</p><p>${refusal.help}</p>`;
    show(request, response, { title: refusal.heading, card, size: 'small', status: 400 });
  }

  const router = express.Router({ caseSensitive: true });
  router.use(['/oauth2/authorize', '/account'], (request, _response, next) => {
    // Cookies stay on HTTPS, also while plain HTTP is allowed for testing.
    if (!request.secure) throw new ApiError('https_required', 'This page is shown over HTTPS only.');
    next();
  });

  router.get('/oauth2/authorize', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    await authorize(request, response, visitor, queryOf(request.originalUrl), null);
  });

  router.post('/oauth2/authorize', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const fields = await formOf(request, response, visitor);
    await authorize(request, response, visitor, fields.request ?? '', fields.answer === 'allow' ? 'allow' : 'cancel');
  });

  router.post('/account/sign-in', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const { username = '', password = '', keep, next: wanted = '' } = await formOf(request, response, visitor);
    const next = ownAddress(wanted, AUTHORIZE);
    const kept = keep === '1';
    const address = request.socket.remoteAddress ?? '';
    const app = await allowNext(response, next);
    const result = await signIn.attempt(username, password, { door: 'page', client: null, address });
    if (result.outcome !== 'signed-in') {
      return showSignIn(request, response, visitor, { next, app, result, username, kept });
    }
    if (visitor.session !== null) await sessions.end(visitor.session.id);
    const browser = request.headers['user-agent'] ?? '';
    beginSession(response, await sessions.begin({ accountId: result.account.id, kept, address, browser }), kept);
    response.redirect(303, next);
  });

  router.post('/account/sign-out', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const { next = '' } = await formOf(request, response, visitor);
    if (visitor.session !== null) await sessions.end(visitor.session.id);
    endSession(response);
    response.redirect(303, ownAddress(next, AUTHORIZE));
  });

  /** The app that a sign-in leads to. @returns its name, or null */
  async function allowNext(response: Response, next: string): Promise<string | null> {
    const checked = await checkAuthorizationRequest(clients, parseForm(queryOf(next)));
    if (checked.outcome !== 'ask') return null;
    allowFormTarget(response, checked.request.redirectUri);
    return checked.request.client.name;
  }

  // A person gets a page, whatever went wrong; a program, and what nobody expected, the same as everywhere.
  const failure: ErrorRequestHandler = (error: unknown, request, response, next) => {
    const isForPerson = request.accepts(['json', 'html']) === 'html';
    if (!(error instanceof ApiError) || response.headersSent || !isForPerson) return next(error);
    const { failed } = texts;
    const card = html`<h1>${failed.heading}</h1><p>${failed.why(error.code) ?? error.message}</p>`;
    show(request, response, { title: failed.heading, card, size: 'small', status: error.status });
  };
  router.use(failure);

  return router;

  /** Where a form leads on to is a page of ours, whatever it says: no open redirect. */
  function ownAddress(wanted: string, fallback: string): string {
    return wanted.startsWith(`${AUTHORIZE}?`) && /^[\x21-\x7e]+$/.test(wanted) ? wanted : fallback;
  }
}

function queryOf(address: string): string {
  return address.split('?').slice(1).join('?');
}

function allowFormTarget(response: Response, redirectUri: string): void {
  const { protocol, origin } = new URL(redirectUri);
  const target = protocol === 'https:' || protocol === 'http:' ? origin : protocol;
  const policy = String(response.getHeader('Content-Security-Policy'));
  response.setHeader('Content-Security-Policy', policy.replace(/form-action [^;]*/, `form-action 'self' ${target}`));
}
