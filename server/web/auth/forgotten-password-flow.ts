import express, { type Request, type Response, type Router } from 'express';
import { AccountProblem, type AccountRecord, type Accounts } from '../../accounts/accounts.ts';
import type { PasswordResets } from '../../accounts/passwords/password-resets.ts';
import type { Log } from '../../lib/log/log.ts';
import { html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import type { AppPasswordsContext } from '../../people/app-passwords.ts';
import type { ChangePassword } from '../../people/change-password.ts';
import { formOf, type Visitor, visitorOf } from '../shell/browser-session.ts';
import { field, hidden } from '../shell/form-fields.ts';
import { originOf, type PageContext, showCard } from '../shell/page-context.ts';
import { newPasswordCard } from './sign-in-page.ts';

export interface ForgottenFlowParts extends PageContext {
  readonly accounts: Accounts;
  readonly passwordResets: PasswordResets;
  readonly changePassword: ChangePassword;
  readonly appPasswordsContext: Pick<AppPasswordsContext, 'appPasswords'>;
  /** Whether a mail with a link can be sent: a mail server and an address for links are configured. */
  readonly canReset: () => boolean;
  /** Queues the mail. @param path of the link, below the household's address */
  readonly mailReset: (account: AccountRecord, path: string) => void;
  readonly log: Log;
}

/** Resets a forgotten password with a single-use link sent by mail. */
export function forgottenFlow(parts: ForgottenFlowParts): Router {
  const { basePath, sessions, accounts, passwordResets } = parts;
  const FORGOTTEN = `${basePath}/account/forgotten`;
  const RESET = `${basePath}/account/reset`;

  const router = express.Router({ caseSensitive: true });

  router.get('/account/forgotten', async (request, response) => {
    const { formToken } = await visitorOf(sessions, request, response);
    const owner = await parts.ownerName();
    const card = parts.canReset()
      ? html`<h1>${t('forgotten.heading')}</h1><p class="lead">${t('forgotten.lead')}</p>
<form method="post" action="${FORGOTTEN}">${hidden({ form_token: formToken })}
${field({ name: 'who', label: t('forgotten.who'), autocomplete: 'username', hasFocus: true })}
<div class="actions"><button class="primary">${t('forgotten.submit')}</button></div></form>`
      : html`<h1>${t('forgotten.heading')}</h1><p>${t('forgotten.askOwner', { owner })}</p>`;
    showCard(parts, request, response, { title: t('forgotten.heading'), card });
  });

  router.post('/account/forgotten', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const { who = '' } = await formOf(request, response, visitor);
    // Neither text nor timing of the reply reveals whether the account exists or has an address.
    if (parts.canReset())
      begin(who).catch((error) => parts.log.error({ err: error }, 'failed to create a link for a new password'));
    const owner = await parts.ownerName();
    const card = html`<h1>${t('forgotten.sent.heading')}</h1><p>${t('forgotten.sent.lead')}</p><p>${t('forgotten.sent.help', { owner })}</p>`;
    showCard(parts, request, response, { title: t('forgotten.sent.heading'), card });
  });

  async function begin(who: string): Promise<void> {
    const account = await accounts.byNameOrEmail(who);
    if (account === null || account.email === '' || account.isSwitchedOff) return;
    const token = await passwordResets.begin(account.id);
    if (token !== null) parts.mailReset(account, `/account/reset?code=${token}`);
  }

  router.get('/account/reset', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const code = new URLSearchParams(request.originalUrl.split('?')[1]).get('code') ?? '';
    await showForm(request, response, { visitor, code, problem: null });
  });

  router.post('/account/reset', async (request, response) => {
    const visitor = await visitorOf(sessions, request, response);
    const fields = await formOf(request, response, visitor);
    const { reset: code = '', new_password: password = '', repeat = '' } = fields;
    const again = (problem: string) => showForm(request, response, { visitor, code, problem });
    if (password !== repeat) return again(t('newPassword.differ'));
    const account = await passwordResets.find(code);
    if (account === null) return showEnded(request, response);
    try {
      // The link proves less than a password: someone else who reads the mail must not keep programs of their own.
      await parts.changePassword({ account, password, liftLock: true, from: originOf(request) });
    } catch (error) {
      if (!(error instanceof AccountProblem)) throw error;
      return again(error.message);
    }
    const card = html`<h1>${t('forgotten.done.heading')}</h1><p>${t('forgotten.done.lead')}</p>
<p><a class="button primary" href="${basePath}/account/">${t('signIn.heading')}</a></p>`;
    showCard(parts, request, response, { title: t('forgotten.done.heading'), card });
  });

  async function showForm(
    request: Request,
    response: Response,
    { visitor, code, problem }: { visitor: Visitor; code: string; problem: string | null },
  ): Promise<void> {
    const account = await passwordResets.find(code);
    if (account === null) return showEnded(request, response);
    const { id, username } = account;
    const hasAny = (await parts.appPasswordsContext.appPasswords.list(id)).length > 0;
    const form = {
      ...{ action: RESET, formToken: visitor.formToken, next: '', pending: '', username, problem, reset: code },
      appPasswords: hasAny ? html`<p class="help">${t('programs.keep.all')}</p>` : html``,
    };
    const status = problem === null ? 200 : 422;
    showCard(parts, request, response, { title: t('newPassword.heading'), card: newPasswordCard(form), status });
  }

  function showEnded(request: Request, response: Response): void {
    const again = html`<p><a href="${FORGOTTEN}">${t('forgotten.ended.again')}</a></p>`;
    const card = html`<h1>${t('forgotten.ended.heading')}</h1><p>${t('forgotten.ended.lead')}</p>${again}`;
    showCard(parts, request, response, { title: t('forgotten.ended.heading'), card, status: 410 });
  }

  return router;
}
