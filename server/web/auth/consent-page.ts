import type { AccountRecord } from '../../accounts/accounts.ts';
import { avatarColour } from '../../lib/text/avatar-colour.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { t, tHtml } from '../../messages/messages.ts';
import type { AuthorizationRequest } from '../../oauth/authorization-request.ts';
import type { Scope } from '../../oauth/scopes.ts';
import { avatar, initialOf } from '../shell/avatar.ts';
import { icon } from '../shell/icons.ts';

interface ConsentForm {
  readonly request: AuthorizationRequest;
  readonly account: AccountRecord;
  readonly household: string;
  readonly basePath: string;
  /** Days that deleted items stay in the trash; 0: until it is emptied. */
  readonly trashDays: number;
  readonly formToken: string;
  /** The query of the request, checked again with the answer. */
  readonly query: string;
  /** Where to continue after switching the account. */
  readonly next: string;
}

type Group = 'account' | 'files' | 'sharing' | 'household';

/** What each scope affects, in reading order. */
const GROUPS: Record<Group, readonly Scope[]> = {
  account: ['profile', 'email'],
  files: ['list', 'metadata', 'download', 'upload', 'modify', 'delete'],
  sharing: ['weblink', 'share'],
  household: ['admin'],
};

const ICONS: Record<Scope, Parameters<typeof icon>[0]> = {
  profile: 'user',
  email: 'mail',
  list: 'list',
  metadata: 'tag',
  upload: 'upload',
  download: 'download',
  modify: 'pencil',
  delete: 'trash',
  weblink: 'link',
  share: 'users',
  admin: 'users',
};

const GRAVE_SCOPES: ReadonlySet<Scope> = new Set(['delete', 'admin']);

export function consentCard(form: ConsentForm): Html {
  const { request, account, household, formToken, basePath } = form;
  const { client } = request;
  const requested = new Set(request.scopes);
  const groups = (Object.keys(GROUPS) as Group[]).map((group) => {
    const scopes = GROUPS[group].filter((scope) => requested.has(scope));
    if (scopes.length === 0) return html``;
    return html`<h2 class="group">${t(`consent.groups.${group}`)}</h2><ul class="scopes">${scopes.map((scope) => scopeLine(scope, form.trashDays))}</ul>`;
  });
  const tile =
    client.logo === null
      ? html`<span class="tile ${avatarColour(client.clientId)}" aria-hidden="true">${initialOf(client.name)}</span>`
      : html`<img class="tile" src="${basePath}/oauth2/logo/${client.clientId}" width="48" height="48" alt="">`;
  return html`<div class="asker">${tile}<h1>${t('consent.heading', { app: client.name })}</h1></div>
<p class="lead">${madeBy(client)}${returnText(request.redirectUri)}</p>
<form class="who" method="post" action="${basePath}/account/sign-out">
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="next" value="${form.next}">
${avatar({ account, basePath, size: 'small' })}
<span class="name">${tHtml('consent.account', { name: html`<strong>${account.name}</strong>`, household })}</span>
<button class="plain">${t('consent.switch')}</button></form>
${groups}
<form class="answer" method="post" action="${basePath}/oauth2/authorize/">
<input type="hidden" name="form_token" value="${formToken}"><input type="hidden" name="request" value="${form.query}">
<button name="answer" value="cancel">${t('consent.cancel')}</button>
<button class="primary" name="answer" value="allow">${t('consent.allow')}</button></form>
<p class="below-answer">${tHtml('consent.revoke', { start: html`<a href="${basePath}/account/">`, end: html`</a>` })}</p>`;
}

/** The publisher of the app, as far as the owner entered it. */
function madeBy({ publisher, website }: AuthorizationRequest['client']): Html {
  if (publisher === '' && website === '') return html``;
  const shown = publisher === '' ? new URL(website).host : publisher;
  const name = website === '' ? html`${shown}` : html`<a href="${website}" rel="noreferrer">${shown}</a>`;
  return html`${tHtml('consent.madeBy', { publisher: name })} `;
}

function scopeLine(scope: Scope, trashDays: number): Html {
  const help = helpFor(scope, trashDays);
  const isGrave = GRAVE_SCOPES.has(scope);
  return html`<li${isGrave ? html` class="grave"` : html``}>${icon(ICONS[scope])}<span><span>${t(`consent.scopes.${scope}`)}</span>${
    help === undefined ? html`` : html`<small>${help}</small>`
  }</span>${isGrave ? html`<em>${t('consent.sensitive')}</em>` : html``}</li>`;
}

/** @param trashDays an app with the right to delete can also bypass the trash */
function helpFor(scope: Scope, trashDays: number): string | undefined {
  if (scope === 'delete') return t('consent.scopeHelp.delete', { days: trashDays });
  if (scope === 'list') return t('consent.scopeHelp.list');
  return scope === 'admin' ? t('consent.scopeHelp.admin') : undefined;
}

/** Names the known host, or the app on this device. */
function returnText(redirectUri: string): Html {
  const { protocol, host } = new URL(redirectUri);
  const isWeb = protocol === 'https:' || protocol === 'http:';
  const isHere = !isWeb || /^(?:localhost|127\.0\.0\.1)(?::|$)/.test(host);
  const [start, end] = [html`<strong>`, html`</strong>`];
  return tHtml('consent.return', { target: isHere ? 'device' : 'host', host, start, end });
}
