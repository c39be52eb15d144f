import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { codeFields, field, hidden, problemNote } from '../shell/form-fields.ts';

interface SignInForm {
  /** The form's action. */
  readonly action: string;
  readonly formToken: string;
  /** Where to continue afterwards. */
  readonly next: string;
  /** The app that someone signs in for, if any. */
  readonly app: string | null;
  /** What was wrong with the last try. */
  readonly note: string | null;
  readonly username: string;
  readonly kept: boolean;
}

export function signInCard({ action, formToken, next, app, note, username, kept }: SignInForm): Html {
  const described = note === null ? html`` : html` aria-describedby="note"`;
  // Focus the first field to fill in: the password, if the name is filled in already.
  const [focusName, focusPassword] = username === '' ? [html` autofocus`, html``] : [html``, html` autofocus`];
  return html`<h1>${t('signIn.heading')}</h1>
<p class="lead">${app === null ? t('signIn.lead') : t('signIn.toApp', { app })}</p>
${problemNote(note)}
<form method="post" action="${action}">${hidden({ form_token: formToken, next })}
<div class="field"><label for="username">${t('signIn.username')}</label>
<input id="username" name="username" value="${username}" autocomplete="username" autocapitalize="none" spellcheck="false" required${focusName}${described}></div>
<div class="field"><label for="password">${t('signIn.password')}</label>
<input type="password" id="password" name="password" autocomplete="current-password" required${focusPassword}${described}></div>
<div class="check"><input type="checkbox" id="keep" name="keep" value="1"${kept ? html` checked` : html``} aria-describedby="keep-help"><label for="keep">${t('signIn.keep')}</label><p class="help" id="keep-help">${t('signIn.keepHelp')}</p></div>
<div class="actions"><button class="primary">${t('signIn.submit')}</button></div>
</form>`;
}

/** Common to all later steps of a sign-in. */
export interface StepForm {
  readonly action: string;
  readonly formToken: string;
  readonly next: string;
  /** Represents the password that was entered. */
  readonly pending: string;
  readonly username: string;
  readonly problem: string | null;
}

/** The second step: a code from the phone, or a recovery code. */
export function codeCard({ action, formToken, next, pending, username, problem }: StepForm): Html {
  return html`<h1>${t('signIn.code.heading')}</h1>
<p class="lead">${t('signIn.code.lead', { username })}</p>
<form method="post" action="${action}">${hidden({ form_token: formToken, next, pending })}
${codeFields({ label: t('signIn.code.label'), hasFocus: true, problem: problem ?? undefined })}
<div class="actions"><button class="primary">${t('signIn.submit')}</button></div>
</form>`;
}

/** A form for a new password: required at sign-in, or opened by the link in a mail. */
export function newPasswordCard({
  action,
  formToken,
  next,
  pending,
  username,
  problem,
  reset,
  appPasswords,
}: StepForm & {
  /** What the form says of the app passwords of the account. */
  readonly appPasswords: Html;
  /** The token of the link in a mail, if opened that way. */
  readonly reset: string | null;
}): Html {
  const carried = reset === null ? { next, pending } : { reset };
  return html`<h1>${t('newPassword.heading')}</h1>
<p class="lead">${reset === null ? t('newPassword.required') : t('newPassword.reset', { username })}</p>
<form method="post" action="${action}">${hidden({ form_token: formToken, ...carried })}
<input class="unseen" name="username" value="${username}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
${field({ name: 'new_password', label: t('newPassword.label'), type: 'password', autocomplete: 'new-password', help: t('newPassword.help'), hasFocus: true, problem: problem ?? undefined })}
${field({ name: 'repeat', label: t('newPassword.repeat'), type: 'password', autocomplete: 'new-password' })}
${appPasswords}<div class="actions"><button class="primary">${t('newPassword.submit')}</button></div>
</form>`;
}
