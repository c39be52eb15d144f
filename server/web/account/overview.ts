import { accountRights, isPermitted } from '../../access/rights.ts';
import { type AccountRecord, displayName } from '../../accounts/account-record.ts';
import type { SessionView } from '../../accounts/sign-in/sessions.ts';
import type { StorageUse } from '../../catalogue/storage-use.ts';
import { MEGABYTE } from '../../lib/bytes.ts';
import { DAY } from '../../lib/clock.ts';
import { avatarColour } from '../../lib/text/avatar-colour.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { humanSize } from '../../listing/human.ts';
import { t, tHtml } from '../../messages/messages.ts';
import type { AppPassword } from '../../oauth/app-passwords.ts';
import type { ConnectedApp } from '../../oauth/connected-apps.ts';
import type { Scope } from '../../oauth/scopes.ts';
import { initialOf } from '../shell/avatar.ts';
import type { Device } from '../shell/device-name.ts';
import { hidden } from '../shell/form-fields.ts';
import { icon } from '../shell/icons.ts';
import { when } from '../shell/relative-time.ts';

export interface Overview {
  readonly account: AccountRecord;
  readonly picture: Html;
  /** Base address of the account pages, with a trailing slash. */
  readonly base: string;
  /** Base address of app logos, without a trailing slash. */
  readonly logos: string;
  readonly formToken: string;
  readonly now: number;
  /** Null while the disk of the person's files is unavailable, or for accounts without files. */
  readonly storage: StorageUse | null;
  readonly apps: readonly ConnectedApp[];
  readonly sessions: readonly SessionView[];
  readonly thisSession: number;
  /** Names the device from the user agent string. */
  readonly deviceOf: (userAgent: string) => Device;
  readonly recoveryCodesLeft: number;
  /** Whether the person has called this device their own; null where devices keep nothing. */
  readonly isOwnDevice: boolean | null;
  readonly household: string;
  readonly appPasswords: readonly AppPassword[];
  /** Address of the control panel, for those who may open it; otherwise null. */
  readonly panel: string | null;
}

export function overviewSections(overview: Overview): Html {
  const { account, base, picture } = overview;
  // A guest signs in with the private link, and has neither a password nor a user name.
  const isGuest = account.type === 'guest';
  const who = [...(isGuest ? [] : [account.username]), ...(account.email === '' ? [] : [account.email])].join(' · ');
  return html`<div class="person">${picture}<div><h1>${displayName(account)}</h1>
<p>${who}</p></div>
${account.permissions.edit_profile ? html`<a class="button" href="${base}profile">${t('account.editProfile')}</a>` : html``}</div>
${overview.storage === null ? html`` : storageSection(overview.storage, overview)}
${appsSection(overview)}
${
  isGuest
    ? html``
    : html`${programsSection(overview)}
${twoStepSection(overview)}
${passwordSection(overview)}`
}
${devicesSection(overview)}
${overview.isOwnDevice === null ? html`` : ownDeviceSection(overview.isOwnDevice, overview)}
${activitySection(base)}
${overview.panel === null ? html`` : panelSection(overview.panel)}`;
}

const KINDS = ['photos', 'video', 'music', 'other', 'past'] as const;

function storageSection(use: StorageUse, { account, base }: Pick<Overview, 'account' | 'base'>): Html {
  const kinds = KINDS.filter((kind) => use[kind] > 0);
  const all = kinds.reduce((sum, kind) => sum + use[kind], 0);
  const quota = account.permissions.space_quota_max * MEGABYTE;
  const shown =
    quota === 0
      ? t('account.storage.used', { size: humanSize(all) })
      : t('account.storage.usedOf', { size: humanSize(all), quota: humanSize(quota) });
  const state = quota === 0 || all < 0.9 * quota ? null : all < quota ? 'care' : 'danger';
  const word = state === null ? html`` : html` <strong class="${state}-text">${t(STATES[state])}</strong>`;
  return html`<section id="storage"><div class="split"><h2>${t('account.storage.heading')}</h2><p>${shown}${word}</p></div>
${quota === 0 ? html`` : quotaBar(kinds.map((kind) => ({ kind: state ?? kind, share: use[kind] / quota })))}
${
  kinds.length === 0
    ? html`<p class="note">${t('account.storage.empty')}</p>`
    : html`<ul class="kinds">${kinds.map(
        (kind) => html`<li class="${kind}">${t(`account.storage.kinds.${kind}`, { size: humanSize(use[kind]) })}</li>`,
      )}</ul>`
}${hiddenFiles(use, account, base)}</section>`;
}

/** What listings leave out takes space, too. */
function hiddenFiles({ hidden: { files, bytes } }: StorageUse, account: AccountRecord, base: string): Html {
  if (files === 0) return html``;
  const remove = html`<a class="button" href="${base}hidden-files">${t('account.storage.remove')}<span class="unseen">${t('account.hidden.heading')}</span></a>`;
  const mayRemove = isPermitted(accountRights(account), null, 'files/delete');
  return html`<div class="split hidden-files"><p>${t('account.storage.hidden', { files, size: humanSize(bytes) })}</p>${mayRemove ? remove : html``}</div>`;
}

const STATES = { care: 'account.storage.nearlyFull', danger: 'account.storage.full' } as const;

const BAR = 1_000;

/** An SVG, because variable widths in HTML would need inline styles. The numbers are shown beside it. */
function quotaBar(parts: readonly { kind: string; share: number }[]): Html {
  let from = 0;
  const drawn = parts.map(({ kind, share }) => {
    const width = Math.min(Math.max(share * BAR, 3), BAR - from);
    const part = html`<rect class="${kind}" x="${from.toFixed(1)}" width="${Math.max(0, width - 2).toFixed(1)}" height="8"/>`;
    from += width;
    return part;
  });
  return html`<svg class="use" viewBox="0 0 ${BAR} 8" preserveAspectRatio="none" aria-hidden="true">${drawn}</svg>`;
}

function appsSection({ apps, base, logos, formToken, now }: Overview): Html {
  const rows = apps.map((app) => {
    const tile = app.hasLogo
      ? html`<img class="tile" src="${logos}/${app.clientId}" width="48" height="48" alt="">`
      : html`<span class="tile ${avatarColour(app.clientId)}" aria-hidden="true">${initialOf(app.name)}</span>`;
    const used =
      app.lastUsedAt === null
        ? html`${t('account.apps.neverUsed')}`
        : tHtml('account.apps.lastUsed', { when: when(app.lastUsedAt, now) });
    return html`<li>${tile}<div><h3>${app.name}</h3><p>${allowedActions(app.scopes)}</p>
<p class="meta">${tHtml('account.apps.allowed', { when: when(app.grantedAt, now), address: app.grantedFrom })}${
      app.places > 1 ? html` · ${t('account.apps.places', { count: app.places })}` : html``
    } · ${used}</p></div>
<form method="post" action="${base}apps/revoke">${hidden({ form_token: formToken, app: app.clientId })}
<button class="danger" aria-label="${t('account.apps.revokeApp', { app: app.name })}">${t('account.apps.revoke')}</button></form></li>`;
  });
  return html`<section id="apps"><h2>${t('account.apps.heading')}</h2>
<p>${rows.length === 0 ? t('account.apps.none') : t('account.apps.lead')}</p>
${rows.length === 0 ? html`` : html`<ul class="rows">${rows}</ul>`}</section>`;
}

/** The scopes that are listed, in this order. */
const SHOWN_SCOPES = [
  ...(['list', 'download', 'upload', 'modify', 'delete', 'metadata'] as const),
  ...(['weblink', 'share', 'profile', 'email', 'admin'] as const),
];

function allowedActions(scopes: readonly Scope[]): string {
  return SHOWN_SCOPES.filter((scope) => scopes.includes(scope))
    .map((scope) => t(`account.apps.may.${scope}`))
    .join(' · ');
}

/** How long the page mentions an app password that an app created, and how many of them. */
const MENTIONED_FOR = 14 * DAY;
const MAX_MENTIONED = 5;

function programsSection({ base, appPasswords, now }: Overview): Html {
  const notes = appPasswords
    .filter(({ app, createdAt }) => app !== null && now - createdAt < MENTIONED_FOR)
    .slice(0, MAX_MENTIONED)
    .map(({ app, label, createdAt }) => {
      const made = { app: app?.name ?? '', label, when: when(createdAt, now) };
      return html`<p class="meta">${tHtml('account.programs.made', made)} <a href="${base}programs#app-passwords">${t('account.programs.list')}</a></p>`;
    });
  return html`<section class="split" id="programs"><div><h2>${t('account.programs.heading')}</h2><p>${t('account.programs.lead')}</p>${notes}</div>
<a class="button" href="${base}programs">${t('account.programs.connect')}<span class="unseen">${t('account.programs.heading')}</span></a></section>`;
}

function twoStepSection({ account, base, recoveryCodesLeft, now }: Overview): Html {
  const isOn = account.twoStepKey !== null;
  const state = isOn
    ? html`${tHtml('account.twoStep.onSince', { when: when(account.twoStepSince ?? now, now) })} ${t('account.twoStep.codesLeft', { codes: recoveryCodesLeft })}`
    : html`${t('account.twoStep.off')}`;
  return html`<section id="two-step" class="split"><div><h2>${t('account.twoStep.heading')}</h2><p>${state}</p></div>
<div class="state">${isOn ? html`<span class="badge">${icon('check')}${t('account.twoStep.on')}</span>` : html``}<a class="button" href="${base}two-step">${
    isOn ? t('account.twoStep.change') : t('account.twoStep.setUp')
  }<span class="unseen">${t('account.twoStep.heading')}</span></a></div></section>`;
}

function passwordSection({ account, base, now }: Overview): Html {
  const changed = account.passwordChangedAt ?? account.registeredAt;
  return html`<section id="password" class="split"><div><h2>${t('account.password.heading')}</h2><p>${tHtml('account.password.changed', { when: when(changed, now) })}</p></div>
${account.permissions.change_pass ? html`<a class="button" href="${base}password">${t('account.password.change')}<span class="unseen">${t('account.password.heading')}</span></a>` : html``}</section>`;
}

function ownDeviceSection(isOn: boolean, { base, formToken, household }: Overview): Html {
  const [text, button] = isOn
    ? (['account.ownDevice.on', 'account.ownDevice.forget'] as const)
    : (['account.ownDevice.off', 'account.ownDevice.keep'] as const);
  return html`<section id="own-device"><h2>${t('account.ownDevice.heading', { household })}</h2><p>${t(text)}</p>
<form class="all" method="post" action="${base}own-device">${hidden({ form_token: formToken, keep: isOn ? '0' : '1' })}
<button>${t(button)}</button></form></section>`;
}

function activitySection(base: string): Html {
  return html`<section class="split"><div><h2>${t('account.activity.heading')}</h2><p>${t('account.activity.lead')}</p></div>
<a class="button" href="${base}activity">${t('account.activity.open')}</a></section>`;
}

function panelSection(address: string): Html {
  return html`<section class="split"><div><h2>${t('account.panel.heading')}</h2><p>${t('account.panel.lead')}</p></div>
<a class="button" href="${address}">${t('account.panel.open')}</a></section>`;
}

function devicesSection({ sessions, deviceOf, thisSession, base, formToken, now }: Overview): Html {
  const rows = sessions.map((session) => {
    const isThis = session.id === thisSession;
    const { name, isPhone } = deviceOf(session.browser);
    return html`<li><span class="tile plain">${icon(isPhone ? 'phone' : 'laptop')}</span><div><h3>${name}</h3>
<p class="meta">${tHtml('account.devices.signedIn', { when: when(session.createdAt, now), address: session.address })} · ${
      isThis
        ? html`<strong>${t('account.devices.current')}</strong>`
        : tHtml('account.devices.lastSeen', { when: when(session.lastSeenAt, now) })
    }</p></div>
${
  isThis
    ? html``
    : html`<form method="post" action="${base}devices/sign-out">${hidden({ form_token: formToken, session: String(session.id) })}
<button aria-label="${t('account.devices.signOutDevice', { device: name })}">${t('account.devices.signOut')}</button></form>`
}</li>`;
  });
  return html`<section id="devices"><h2>${t('account.devices.heading')}</h2><p>${t('account.devices.lead')}</p>
<ul class="rows">${rows}</ul>
${
  sessions.length < 2
    ? html``
    : html`<form class="all" method="post" action="${base}devices/sign-out">${hidden({ form_token: formToken, session: 'others' })}
<button>${t('account.devices.signOutOthers')}</button></form>`
}</section>`;
}
