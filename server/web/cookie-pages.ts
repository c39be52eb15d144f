import express, { type ErrorRequestHandler, type RequestHandler } from 'express';
import { ApiError, type ErrorCode } from '../http/errors.ts';
import { inClientTerms } from '../http/system-failure.ts';
import { html } from '../lib/text/html.ts';
import type { MessageKey } from '../messages/catalogue.ts';
import { t } from '../messages/messages.ts';
import type { AccountPagesParts } from './account/context.ts';
import { accountPages } from './account/routes.ts';
import { type AuthorizeFlowParts, appBehind, authorizeFlow } from './auth/authorize-flow.ts';
import { type ForgottenFlowParts, forgottenFlow } from './auth/forgotten-password-flow.ts';
import { type GuestFlowParts, guestFlow } from './auth/guest-flow.ts';
import { type SignInFlowParts, signInFlow } from './auth/sign-in-flow.ts';
import type { FilesPagesParts } from './files/context.ts';
import { filesPages } from './files/routes.ts';
import type { LinkPagesParts } from './public-links/context.ts';
import { linkPages } from './public-links/routes.ts';
import { onlyOverHttps, showCard } from './shell/page-context.ts';

export type CookiePagesParts = AuthorizeFlowParts &
  Omit<SignInFlowParts, 'appBehind'> &
  AccountPagesParts &
  GuestFlowParts &
  ForgottenFlowParts &
  FilesPagesParts &
  LinkPagesParts;

/** Failures that have other texts for people than for apps. */
const FAILURES = {
  permission_denied: 'failed.staleForm',
  api_disabled: 'failed.apiDisabled',
  https_required: 'failed.httpsRequired',
} as const satisfies Partial<Record<ErrorCode, MessageKey>>;

/** The pages behind cookies: sign-in, consent, the account, files. */
export function cookiePages(parts: CookiePagesParts): RequestHandler {
  const signIn = signInFlow({ ...parts, appBehind: (response, next) => appBehind(parts, response, next) });
  const router = express.Router({ caseSensitive: true });
  router.use(['/oauth2/authorize', '/account', '/guest', '/files'], onlyOverHttps);
  router.use(signIn.router);
  router.use(authorizeFlow(parts, signIn.showSignIn));
  router.use(forgottenFlow(parts));
  router.use(guestFlow(parts));
  router.use(accountPages(parts, signIn.showSignIn));
  router.use(filesPages(parts, signIn.showSignIn));
  router.use(linkPages(parts, signIn.showSignIn));

  // People get an error page; programs, and unexpected failures, are handled as everywhere else.
  const failure: ErrorRequestHandler = (thrown: unknown, request, response, next) => {
    // A path that cannot be decoded matches nothing.
    const error =
      thrown instanceof URIError
        ? new ApiError('unknown_endpoint', t('api.requests.unknownAddress'))
        : inClientTerms(thrown);
    const isForPerson = request.accepts(['json', 'html']) === 'html';
    if (!(error instanceof ApiError) || response.headersSent || !isForPerson) return next(error);
    const sentence = error.code in FAILURES ? FAILURES[error.code as keyof typeof FAILURES] : undefined;
    const card = html`<h1>${t('failed.heading')}</h1><p>${sentence === undefined ? error.message : t(sentence)}</p>`;
    showCard(parts, request, response, { title: t('failed.heading'), card, status: error.status });
  };
  router.use(failure);
  return router;
}
