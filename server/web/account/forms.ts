import { type Html, html } from '../../lib/text/html.ts';
import { field, hidden } from '../shell/form-fields.ts';
import { icon } from '../shell/icons.ts';
import type { SignedIn } from '../shell/page-context.ts';
import { texts } from '../shell/texts.ts';

/** The pages of the account at the left, one of them at the right. */
export function accountFrame({
  base,
  at,
  inner,
  done,
  isGuest,
}: {
  base: string;
  /** The page that is shown, as in its address. */
  at: string;
  inner: Html;
  /** What was just done. */
  done: string | null;
  /** Guests have no password. */
  isGuest: boolean;
}): Html {
  const { nav } = texts.account;
  const link = (to: string, name: Parameters<typeof icon>[0], text: string) =>
    html`<li><a href="${base}${to}"${to === at || (to === '' && at === 'profile') ? html` aria-current="page"` : html``}>${icon(name)}${text}</a></li>`;
  return html`<div class="account"><nav aria-label="${nav.label}"><ul>
${link('', 'userCircle', nav.profile)}${link('#apps', 'apps', nav.apps)}${
  isGuest
    ? html``
    : html`${link('password', 'lock', nav.password)}
${link('two-step', 'phone', nav.twoStep)}`
}${link('#devices', 'devices', nav.devices)}</ul></nav>
<main id="content">${done === null ? html`` : html`<div class="note good" role="status">${icon('check')}<span>${done}</span></div>`}
${inner}</main></div>`;
}

interface AccountForm {
  readonly base: string;
  readonly visitor: SignedIn;
  /** What was wrong, by the name of the field. */
  readonly problems: Readonly<Record<string, string>>;
}

/** What proves that it is the person: the password, and a code for those who have two-step sign-in. */
export function confirmFields({ visitor, problems }: Pick<AccountForm, 'visitor' | 'problems'>, help?: string): Html {
  const { confirm } = texts;
  const hasCode = visitor.session.account.twoStepKey !== null;
  const password = {
    name: 'password',
    label: confirm.label,
    type: 'password',
    autocomplete: 'current-password',
    problem: problems.password,
    isRequired: help === undefined,
  } as const;
  return html`${field(help === undefined ? password : { ...password, help })}${
    hasCode
      ? field({
          name: 'otp',
          label: confirm.code,
          isCode: true,
          help: texts.signIn.codeHelp,
          problem: problems.otp,
          isRequired: help === undefined,
        })
      : html``
  }`;
}

export function profileForm({
  base,
  visitor,
  picture,
  values,
  problems,
}: AccountForm & { picture: Html; values: { name: string; lastName: string; email: string } }): Html {
  const { profile } = texts;
  const { formToken, session } = visitor;
  const hasPicture = session.account.pictureHash !== null;
  return html`<h1>${profile.heading}</h1><section class="form">
<form class="picture" method="post" action="${base}picture" enctype="multipart/form-data">${hidden({ form_token: formToken })}
${picture}<div><label for="file">${profile.picture}</label>
<input type="file" id="file" name="file" accept="image/jpeg,image/png,image/webp,image/gif,image/avif,image/tiff" aria-describedby="picture-help"${problems.picture === undefined ? html`` : html` aria-invalid="true"`}>
${problems.picture === undefined ? html`<p class="help" id="picture-help">${profile.pictureHelp}</p>` : html`<p class="error" id="picture-help">${icon('alert')}<span>${problems.picture}</span></p>`}</div>
<div class="actions">${hasPicture ? html`<button name="remove" value="1">${profile.removePicture}</button>` : html``}<button>${profile.savePicture}</button></div></form></section>
<section class="form"><form method="post" action="${base}profile">${hidden({ form_token: visitor.formToken })}
${field({ name: 'name', label: profile.name, value: values.name, autocomplete: 'given-name', problem: problems.name })}
${field({ name: 'last_name', label: profile.lastName, value: values.lastName, autocomplete: 'family-name', problem: problems.lastName, isRequired: false })}
${field({ name: 'email', label: profile.email, type: 'email', value: values.email, autocomplete: 'email', problem: problems.email, isRequired: false, help: profile.emailHelp })}
<h2>${profile.confirm}</h2><p class="help">${profile.confirmHelp}</p>
${confirmFields({ visitor, problems }, '')}
${actions(base, profile.submit)}</form></section>`;
}

export function passwordForm({ base, visitor, problems }: AccountForm): Html {
  const { passwordPage, newPassword } = texts;
  return html`<h1>${passwordPage.heading}</h1><p class="lead">${passwordPage.lead}</p><section class="form">
<form method="post" action="${base}password">${hidden({ form_token: visitor.formToken })}
<input class="unseen" name="username" value="${visitor.session.account.username}" autocomplete="username" readonly tabindex="-1" aria-hidden="true">
${confirmFields({ visitor, problems })}
${field({ name: 'new_password', label: newPassword.label, type: 'password', autocomplete: 'new-password', help: newPassword.help, problem: problems.new_password })}
${field({ name: 'repeat', label: newPassword.repeat, type: 'password', autocomplete: 'new-password', problem: problems.repeat })}
${actions(base, passwordPage.submit)}</form></section>`;
}

export function actions(base: string, submit: string): Html {
  return html`<div class="actions"><a class="button" href="${base}">${texts.account.back}</a><button class="primary">${submit}</button></div>`;
}
