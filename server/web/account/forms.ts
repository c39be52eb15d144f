import { type Html, html } from '../../lib/text/html.ts';
import { t } from '../../messages/messages.ts';
import { codeFields, field, hidden } from '../shell/form-fields.ts';
import { icon } from '../shell/icons.ts';
import type { SignedIn } from '../shell/page-context.ts';
import { type KeptPasswords, keptPasswordsFields } from './programs/kept-passwords.ts';

/** The menu of account pages on the left, one page on the right. */
export function accountFrame({
  base,
  at,
  inner,
  done,
  isGuest,
}: {
  base: string;
  /** The page shown, as in its address. */
  at: string;
  inner: Html;
  /** The result of the last action. */
  done: string | null;
  /** Guests have no password. */
  isGuest: boolean;
}): Html {
  const link = (to: string, name: Parameters<typeof icon>[0], text: string) =>
    html`<li><a href="${base}${to}"${to === at || (to === '' && at === 'profile') ? html` aria-current="page"` : html``}>${icon(name)}${text}</a></li>`;
  return html`<div class="account"><nav aria-label="${t('account.nav.label')}"><ul>
${link('', 'userCircle', t('account.nav.profile'))}${link('#apps', 'apps', t('account.nav.apps'))}${
  isGuest
    ? html``
    : html`${link('programs', 'plug', t('account.nav.programs'))}${link('password', 'lock', t('account.nav.password'))}
${link('two-step', 'phone', t('account.nav.twoStep'))}`
}${link('#devices', 'devices', t('account.nav.devices'))}${link('activity', 'clock', t('account.nav.activity'))}</ul></nav>
<main id="content">${done === null ? html`` : html`<div class="note good" role="status">${icon('check')}<span>${done}</span></div>`}
${inner}</main></div>`;
}

interface AccountForm {
  readonly base: string;
  readonly visitor: SignedIn;
  /** Validation errors, by field name. */
  readonly problems: Readonly<Record<string, string>>;
}

/** The fields that confirm a person's identity: the password, and a code with two-step sign-in. */
export function confirmFields({ visitor, problems }: Pick<AccountForm, 'visitor' | 'problems'>, help?: string): Html {
  const hasCode = visitor.session.account.twoStepKey !== null;
  const password = {
    name: 'password',
    label: t('confirm.password'),
    type: 'password',
    autocomplete: 'current-password',
    problem: problems.password,
    isRequired: help === undefined,
  } as const;
  return html`${field(help === undefined ? password : { ...password, help })}${
    hasCode ? codeFields({ label: t('confirm.code'), problem: problems.otp }) : html``
  }`;
}

export function profileForm({
  base,
  visitor,
  picture,
  values,
  problems,
}: AccountForm & { picture: Html; values: { name: string; lastName: string; email: string } }): Html {
  const { formToken, session } = visitor;
  const hasPicture = session.account.pictureHash !== null;
  return html`<h1>${t('profile.heading')}</h1><section class="form">
<form class="picture" method="post" action="${base}picture" enctype="multipart/form-data">${hidden({ form_token: formToken })}
${picture}<div><label for="file">${t('profile.picture.label')}</label>
<input type="file" id="file" name="file" accept="image/jpeg,image/png,image/webp,image/gif,image/avif,image/tiff" aria-describedby="picture-help"${problems.picture === undefined ? html`` : html` aria-invalid="true"`}>
${problems.picture === undefined ? html`<p class="help" id="picture-help">${t('profile.picture.help')}</p>` : html`<p class="error" id="picture-help">${icon('alert')}<span>${problems.picture}</span></p>`}</div>
<div class="actions">${hasPicture ? html`<button name="remove" value="1">${t('profile.picture.remove')}</button>` : html``}<button>${t('profile.picture.save')}</button></div></form></section>
<section class="form"><form method="post" action="${base}profile">${hidden({ form_token: visitor.formToken })}
${field({ name: 'name', label: t('profile.name'), value: values.name, autocomplete: 'given-name', problem: problems.name })}
${field({ name: 'last_name', label: t('profile.lastName'), value: values.lastName, autocomplete: 'family-name', problem: problems.lastName, isRequired: false })}
${field({ name: 'email', label: t('profile.email'), type: 'email', value: values.email, autocomplete: 'email', problem: problems.email, isRequired: false, help: t('profile.emailHelp') })}
<h2>${t('profile.confirm.heading')}</h2><p class="help">${t('profile.confirm.help')}</p>
${confirmFields({ visitor, problems }, '')}
${actions(base, t('profile.submit'))}</form></section>`;
}

export function passwordForm({ base, visitor, problems, kept }: AccountForm & { kept: KeptPasswords }): Html {
  return html`<h1>${t('password.heading')}</h1><p class="lead">${t('password.lead')}</p><section class="form">
<form method="post" action="${base}password">${hidden({ form_token: visitor.formToken })}
<input class="unseen" name="username" value="${visitor.session.account.username}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
${confirmFields({ visitor, problems })}
${field({ name: 'new_password', label: t('newPassword.label'), type: 'password', autocomplete: 'new-password', help: t('newPassword.help'), problem: problems.new_password })}
${field({ name: 'repeat', label: t('newPassword.repeat'), type: 'password', autocomplete: 'new-password', problem: problems.repeat })}
${keptPasswordsFields(kept)}${actions(base, t('password.submit'))}</form></section>`;
}

export function actions(base: string, submit: string): Html {
  return html`<div class="actions"><a class="button" href="${base}">${t('account.cancel')}</a><button class="primary">${submit}</button></div>`;
}
