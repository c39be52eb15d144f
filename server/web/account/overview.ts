import { type AccountRecord, displayName } from '../../accounts/account-record.ts';
import type { SessionView } from '../../accounts/sign-in/sessions.ts';
import type { StorageUse } from '../../catalogue/storage-use.ts';
import { MEGABYTE } from '../../lib/bytes.ts';
import { avatarColour } from '../../lib/text/avatar-colour.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { humanSize } from '../../listing/human.ts';
import type { ConnectedApp } from '../../oauth/connected-apps.ts';
import { initialOf } from '../shell/avatar.ts';
import type { Device } from '../shell/device-name.ts';
import { hidden } from '../shell/form-fields.ts';
import { icon } from '../shell/icons.ts';
import { when } from '../shell/relative-time.ts';
import { texts } from '../shell/texts.ts';

export interface Overview {
  readonly account: AccountRecord;
  readonly picture: Html;
  /** Where the pages of the account are, with a slash at the end. */
  readonly base: string;
  /** Where pictures of apps are, without a slash at the end. */
  readonly logos: string;
  readonly formToken: string;
  readonly now: number;
  /** null while the disk of the person's files is away, or for somebody without files. */
  readonly storage: StorageUse | null;
  readonly apps: readonly ConnectedApp[];
  readonly sessions: readonly SessionView[];
  readonly thisSession: number;
  /** What a browser says of itself, in words that people know. */
  readonly deviceOf: (userAgent: string) => Device;
  readonly recoveryCodesLeft: number;
  /** Where the control panel is, for those who may open it; otherwise null. */
  readonly panel: string | null;
}

export function overviewSections(overview: Overview): Html {
  const { account, base, picture } = overview;
  // A guest comes in by the private link, and has neither a password nor a user name to type.
  const isGuest = account.type === 'guest';
  const who = [...(isGuest ? [] : [account.username]), ...(account.email === '' ? [] : [account.email])].join(' · ');
  return html`<div class="person">${picture}<div><h1>${displayName(account)}</h1>
<p>${who}</p></div>
${account.permissions.edit_profile ? html`<a class="button" href="${base}profile">${texts.account.editProfile}</a>` : html``}</div>
${overview.storage === null ? html`` : storageSection(overview.storage, account.permissions.space_quota_max)}
${appsSection(overview)}
${
  isGuest
    ? html``
    : html`${twoStepSection(overview)}
${passwordSection(overview)}`
}
${devicesSection(overview)}
${overview.panel === null ? html`` : panelSection(overview.panel)}`;
}

type Kind = keyof typeof texts.account.storage.kinds;

function storageSection(use: StorageUse, quotaMegabytes: number): Html {
  const { storage } = texts.account;
  const kinds = (Object.keys(storage.kinds) as Kind[]).filter((kind) => use[kind] > 0);
  const all = kinds.reduce((sum, kind) => sum + use[kind], 0);
  const quota = quotaMegabytes * MEGABYTE;
  const shown = quota === 0 ? storage.used(humanSize(all)) : storage.usedOf(humanSize(all), humanSize(quota));
  const state = quota === 0 || all < 0.9 * quota ? null : all < quota ? 'care' : 'danger';
  const word = state === null ? html`` : html` <strong class="${state}-text">${storage.state[state]}</strong>`;
  return html`<section><div class="split"><h2>${storage.heading}</h2><p>${shown}${word}</p></div>
${quota === 0 ? html`` : quotaBar(kinds.map((kind) => ({ kind: state ?? kind, share: use[kind] / quota })))}
${
  kinds.length === 0
    ? html`<p class="quiet">${storage.empty}</p>`
    : html`<ul class="kinds">${kinds.map(
        (kind) => html`<li class="${kind}">${storage.kinds[kind]} ${humanSize(use[kind])}</li>`,
      )}</ul>`
}</section>`;
}

const BAR = 1_000;

/** A drawing, because what is wide by a number would need a style of its own. The numbers stand beside it. */
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
  const text = texts.account.apps;
  const rows = apps.map((app) => {
    const tile = app.hasLogo
      ? html`<img class="tile" src="${logos}/${app.clientId}" width="48" height="48" alt="">`
      : html`<span class="tile ${avatarColour(app.clientId)}" aria-hidden="true">${initialOf(app.name)}</span>`;
    const used =
      app.lastUsedAt === null ? html`${text.neverUsed}` : html`${text.lastUsed} ${when(app.lastUsedAt, now)}`;
    return html`<li>${tile}<div><h3>${app.name}</h3><p>${text.may(app.scopes)}</p>
<p class="meta">${text.allowed} ${when(app.grantedAt, now)} ${text.from(app.grantedFrom)}${
      app.places > 1 ? html` · ${text.places(app.places)}` : html``
    } · ${used}</p></div>
<form method="post" action="${base}apps/revoke">${hidden({ form_token: formToken, app: app.clientId })}
<button class="danger" aria-label="${text.revokeApp(app.name)}">${text.revoke}</button></form></li>`;
  });
  return html`<section id="apps"><h2>${text.heading}</h2>
<p>${rows.length === 0 ? text.none : text.lead}</p>
${rows.length === 0 ? html`` : html`<ul class="rows">${rows}</ul>`}</section>`;
}

function twoStepSection({ account, base, recoveryCodesLeft, now }: Overview): Html {
  const text = texts.account.twoStep;
  const isOn = account.twoStepKey !== null;
  const state = isOn
    ? html`${text.onSince} ${when(account.twoStepSince ?? now, now)}. ${text.codesLeft(recoveryCodesLeft)}`
    : html`${text.off}`;
  return html`<section id="two-step" class="split"><div><h2>${text.heading}</h2><p>${state}</p></div>
<div class="state">${isOn ? html`<span class="badge">${icon('check')}${text.on}</span>` : html``}<a class="button" href="${base}two-step">${
    isOn ? text.change : text.setUp
  }<span class="unseen">${text.heading}</span></a></div></section>`;
}

function passwordSection({ account, base, now }: Overview): Html {
  const text = texts.account.password;
  const changed = account.passwordChangedAt ?? account.registeredAt;
  return html`<section id="password" class="split"><div><h2>${text.heading}</h2><p>${text.changed} ${when(changed, now)}.</p></div>
${account.permissions.change_pass ? html`<a class="button" href="${base}password">${text.change}<span class="unseen">${text.heading}</span></a>` : html``}</section>`;
}

function panelSection(address: string): Html {
  const text = texts.account.panel;
  return html`<section class="split"><div><h2>${text.heading}</h2><p>${text.lead}</p></div>
<a class="button" href="${address}">${text.open}</a></section>`;
}

function devicesSection({ sessions, deviceOf, thisSession, base, formToken, now }: Overview): Html {
  const text = texts.account.devices;
  const rows = sessions.map((session) => {
    const isThis = session.id === thisSession;
    const { name, isPhone } = deviceOf(session.browser);
    return html`<li><span class="tile plain">${icon(isPhone ? 'phone' : 'laptop')}</span><div><h3>${name}</h3>
<p class="meta">${text.signedIn} ${when(session.createdAt, now)} ${text.from(session.address)} · ${
      isThis ? html`<strong>${text.thisDevice}</strong>` : html`${text.lastSeen} ${when(session.lastSeenAt, now)}`
    }</p></div>
${
  isThis
    ? html``
    : html`<form method="post" action="${base}devices/sign-out">${hidden({ form_token: formToken, session: String(session.id) })}
<button aria-label="${text.signOutDevice(name)}">${text.signOut}</button></form>`
}</li>`;
  });
  return html`<section id="devices"><h2>${text.heading}</h2><p>${text.lead}</p>
<ul class="rows">${rows}</ul>
${
  sessions.length < 2
    ? html``
    : html`<form class="all" method="post" action="${base}devices/sign-out">${hidden({ form_token: formToken, session: 'others' })}
<button>${text.signOutOthers}</button></form>`
}</section>`;
}
