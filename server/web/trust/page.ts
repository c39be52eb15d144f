import { type Html, html } from '../../lib/text/html.ts';
import { t, tHtml } from '../../messages/messages.ts';
import { hidden } from '../shell/form-fields.ts';
import { icon } from '../shell/icons.ts';
import type { Comparison } from './number.ts';
import { label, SYSTEM_NAMES, SYSTEMS, type SystemName } from './systems.ts';

interface TrustPage {
  /** The prefix of the installation, without a trailing slash. */
  readonly basePath: string;
  readonly household: string;
  /** The address of this page at the name that the visitor uses. */
  readonly address: string;
  /** What the visitor's device is; null if it cannot be told. */
  readonly detected: SystemName | null;
  readonly shown: SystemName;
  /** Whether the kind of device was chosen, so that the script does not correct it. */
  readonly isChosen: boolean;
  readonly entered: string;
  readonly comparison: Comparison;
  /** Origins for the live check; empty if this device cannot be checked here. */
  readonly origins: readonly string[];
  /** Whether the visitor came from this page at another name. */
  readonly hasArrived: boolean;
  readonly isFromHome: boolean;
  /** Whether the owner provided the server's certificate, which the household's authority did not issue. */
  readonly isOwnCertificate: boolean;
  readonly qr: Html;
  /** The address that apps made for Nextcloud ask for; null while they cannot connect. */
  readonly appsAddress: string | null;
}

/** The content of "Add a device". Everything works without the script, which only checks by itself. */
export function trustPage(page: TrustPage): Html {
  const { basePath, origins, isFromHome, isChosen, shown } = page;
  const isStopped = page.comparison === 'different';
  const base = `${basePath}/trust`;
  return html`<main class="trust" id="content" tabindex="-1" data-origins="${origins.join(' ')}" data-picture="${base}/picture.gif" data-handshakes="${base}/handshakes"${isChosen ? html`` : html` data-detected="${shown}"`}>
${done(page)}
<div id="todo"><div class="top"><div><h1>${t('trust.heading')}</h1><p class="lead">${t('trust.lead')}</p></div>${chooser(page)}</div>
${tabs(page)}
<div class="columns"><div class="first">
${
  isStopped
    ? numberCard(page)
    : html`${isFromHome ? state(page) : remark('outside')}
${page.isOwnCertificate ? remark('own') : steps(page)}`
}</div>
<div class="second">${qrCard(page)}${isStopped || page.isOwnCertificate ? html`` : numberCard(page)}${isStopped ? html`` : html`${homeCard(page)}${appsCard(page)}`}</div></div></div></main>`;
}

/** @param change of the page's query */
function hrefOf({ basePath, shown, entered }: TrustPage, change: { on?: SystemName; number?: '' } = {}): string {
  const query = new URLSearchParams({ on: change.on ?? shown });
  if (entered !== '' && change.number !== '') query.set('number', entered);
  return `${basePath}/trust?${query}`;
}

/** "phone" or "computer", for texts. */
function deviceOf({ shown, detected }: TrustPage): 'phone' | 'computer' {
  return SYSTEMS[detected ?? shown].isPhone ? 'phone' : 'computer';
}

function systemLinks(page: TrustPage): Html {
  const { shown, detected } = page;
  const items = SYSTEM_NAMES.map((name) => {
    const mine = SYSTEMS[name].isPhone ? t('trust.thisPhone') : t('trust.thisComputer');
    return html`<li><a href="${hrefOf(page, { on: name })}"${name === shown ? html` aria-current="true"` : html``}>${icon(SYSTEMS[name].icon)}<span>${t(`trust.names.${name}`)}</span>${name === detected ? html`<small>${mine}</small>` : html``}</a></li>`;
  });
  return html`<ul>${items}</ul>`;
}

function tabs(page: TrustPage): Html {
  return html`<nav class="systems" aria-label="${t('trust.systems')}">${systemLinks(page)}</nav>`;
}

/** The same on phones, where the tabs do not fit. */
function chooser(page: TrustPage): Html {
  const { shown } = page;
  return html`<details class="chooser"><summary>${icon(SYSTEMS[shown].icon)}<span>${t(`trust.names.${shown}`)}</span>${icon('chevron')}</summary><nav aria-label="${t('trust.other')}">${systemLinks(page)}</nav></details>`;
}

function stateBox(name: string, tone: 'care' | 'danger' | 'plain', title: string, help: Html, isShown = false): Html {
  return html`<div class="state ${tone}" data-state="${name}"${isShown ? html`` : html` hidden`}>${icon(tone === 'danger' ? 'alert' : 'shield')}<div><strong>${title}</strong><p>${help}</p></div></div>`;
}

/** What the check found. Without a script, the other address is a link. */
function state(page: TrustPage): Html {
  const { origins, hasArrived, basePath } = page;
  const device = deviceOf(page);
  const [other] = origins;
  const isUnknown = other === undefined;
  const link = html`<a href="${other ?? ''}${basePath}/trust?on=${page.shown}&amp;checked=1">${t('trust.state.plainLink')}</a>`;
  return html`<div id="state" role="status">
${stateBox('checking', 'plain', t('trust.state.checking'), html`${t('trust.state.checkingHelp')}`)}
${stateBox('untrusted', 'care', t('trust.state.untrusted', { device }), html`${t('trust.state.untrustedHelp')}`)}
${stateBox('unreachable', 'danger', t('trust.state.unreachable'), html`${t('trust.state.unreachableHelp')}`)}
${stateBox('unknown', 'plain', t('trust.state.unknown'), html`${t('trust.state.unknownHelp')}`, isUnknown && !hasArrived)}
${hasArrived ? stateBox('plain', 'plain', t('trust.state.arrived'), html`${t('trust.state.arrivedHelp')}`, true) : html``}
${isUnknown || hasArrived ? html`` : stateBox('plain', 'plain', t('trust.state.plain'), tHtml('trust.state.plainHelp', { link }), true)}
</div>`;
}

function remark(name: 'own' | 'outside'): Html {
  return html`<div class="state plain">${icon('info')}<div><strong>${t(`trust.${name}.heading`)}</strong><p>${t(`trust.${name}.text`)}</p></div></div>`;
}

function steps({ basePath, shown }: TrustPage): Html {
  const system = SYSTEMS[shown];
  const [href, text] =
    system.file === 'profile'
      ? [`${basePath}/trust/larder.mobileconfig`, t('trust.download.profile')]
      : [`${basePath}/ca.crt`, t('trust.download.certificate')];
  const download = html`<a class="button primary" href="${href}">${icon('download')}${text}</a>`;
  return html`<ol class="stages" aria-label="${t('trust.steps')}">${system
    .steps()
    .map(
      ({ title, text: said, hint, check, downloads }) =>
        html`<li><div><h2>${title}</h2><p>${said}</p></div><div class="hint ${hint.kind}" aria-hidden="true"><i></i><b>${hint.text}</b><i></i></div>${downloads === true ? html`<div class="step-file">${download}${checkOf(check)}</div>` : html``}</li>`,
    )}</ol>`;
}

function checkOf(check: Html | undefined): Html {
  if (check === undefined) return html``;
  return html`<details class="number-of-file"><summary>${t('trust.check')}</summary><p>${check}</p></details>`;
}

function qrCard({ address, qr }: TrustPage): Html {
  return html`<section class="scan"><h2>${t('trust.qr.heading')}</h2><p>${t('trust.qr.lead')}</p>${qr}
<div class="copied-from"><input id="address" value="${address}" aria-label="${t('trust.qr.address')}" readonly><button type="button" data-copy="address" data-copied="${t('trust.qr.copied')}" hidden>${icon('copy')}<span>${t('trust.qr.copy')}</span></button></div></section>`;
}

function appsCard({ appsAddress }: TrustPage): Html {
  if (appsAddress === null) return html``;
  const address = html`<strong translate="no">${appsAddress}</strong>`;
  const text = tHtml('trust.apps.text', {
    login: html`<strong>${t('programs.steps.nextcloud.login')}</strong>`,
    address,
  });
  return html`<section class="apps"><h2>${t('trust.apps.heading')}</h2><p>${text}</p></section>`;
}

/** How a phone gets an icon of Larder. */
function homeCard({ shown, basePath }: TrustPage): Html {
  if (shown !== 'ios' && shown !== 'android') return html``;
  const files = html`<a href="${basePath}/files/">${t('trust.home.files')}</a>`;
  const text =
    shown === 'ios'
      ? tHtml('trust.home.ios', {
          files,
          share: label('trust.labels.share'),
          add: label('trust.labels.addToHomeIos'),
        })
      : tHtml('trust.home.android', {
          files,
          menu: label('trust.labels.menu'),
          add: label('trust.labels.addToHomeAndroid'),
          install: label('trust.labels.install'),
        });
  return html`<section class="home"><h2>${t('trust.home.heading')}</h2><p>${t('trust.home.lead')}</p><p>${text}</p></section>`;
}

/** A page reached without trust proves nothing by showing a number, so the person brings it. */
function numberCard(page: TrustPage): Html {
  const { comparison, entered, shown, basePath } = page;
  const heading = html`<h2>${t('trust.number.heading')}</h2>`;
  if (comparison === 'same' || comparison === 'different') {
    const tone = comparison === 'same' ? 'good' : 'danger';
    return html`<section class="number" id="number-card">${heading}<div class="result ${tone}" role="status">${icon(comparison === 'same' ? 'check' : 'alert')}<div><strong>${t(`trust.number.${comparison}`)}</strong><p>${t(`trust.number.${comparison}Help`)}</p></div></div><p class="mono" translate="no">${grouped(entered)}</p><a href="${hrefOf(page, { number: '' })}#number-card">${t('trust.number.again')}</a></section>`;
  }
  const problem =
    comparison === 'short'
      ? html`<p class="error" id="number-problem">${icon('alert')}<span>${t('trust.number.short')}</span></p>`
      : html`<p class="help" id="number-help">${t('trust.number.help')}</p>`;
  const described =
    comparison === 'short'
      ? html` aria-invalid="true" aria-describedby="number-problem"`
      : html` aria-describedby="number-help"`;
  return html`<section class="number" id="number-card">${heading}<p>${t('trust.number.lead')}</p>
<form action="${basePath}/trust#number-card">${hidden({ on: shown })}<div class="field"><label for="number">${t('trust.number.label')}</label><input id="number" name="number" value="${entered}" autocomplete="off" autocapitalize="characters" spellcheck="false" maxlength="120" required${described}>${problem}</div><button>${t('trust.number.compare')}</button></form></section>`;
}

/** In groups of eight pairs, as the control panel shows it. */
function grouped(entered: string): Html[] {
  const pairs = entered.replace(/[^\da-f]/gi, '').match(/.{1,2}/g) ?? [];
  const lines = Array.from({ length: Math.ceil(pairs.length / 8) }, (_, line) => pairs.slice(line * 8, line * 8 + 8));
  return lines.map((line) => html`<span>${line.join(':').toUpperCase()}</span> `);
}

/** The steps of phones have names of their own on the page of programs. */
const APPS: Readonly<Partial<Record<SystemName, string>>> = { android: 'nextcloudAndroid', ios: 'nextcloudIos' };

function done(page: TrustPage): Html {
  const { basePath, household, address, appsAddress, shown } = page;
  const device = deviceOf(page);
  const next = (href: string, name: 'laptop' | 'plug' | 'cloud', title: string, help: string) =>
    html`<li><a href="${href}">${icon(name)}<span><strong>${title}</strong><small>${help}</small></span>${icon('right')}</a></li>`;
  return html`<div id="done" hidden><div class="trusted">${icon('shieldCheck')}<h1 tabindex="-1">${t('trust.done.heading', { device })}</h1><p>${t('trust.done.lead', { device, household })}</p>
<a class="button primary" href="${basePath}/files/">${icon('folder')}${t('trust.done.open')}</a></div>
<h2>${t('trust.done.next')}</h2><ul class="next">${next(`${basePath}/account/programs`, 'plug', t('trust.done.programs'), t('trust.done.programsHelp'))}${
    appsAddress === null
      ? html``
      : next(
          `${basePath}/account/programs?program=${APPS[shown] ?? 'nextcloud'}`,
          'cloud',
          t('trust.apps.heading'),
          t('trust.done.appsHelp', { address: appsAddress }),
        )
  }${next('#todo', 'laptop', t('trust.done.another'), t('trust.done.anotherHelp', { address }))}</ul>${homeCard(page)}</div>`;
}
