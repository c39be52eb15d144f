import type { AccountRecord } from '../../accounts/accounts.ts';
import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { LANGUAGE } from '../../messages/catalogue.ts';
import { t } from '../../messages/messages.ts';
import type { PageAssets } from './assets/page-assets.ts';
import { avatar } from './avatar.ts';
import { icon } from './icons.ts';
import { type SearchField, searchField } from './search-field.ts';

/** The canvas of the pages (web-client/styles/base/tokens.css), which browsers continue around them. */
export const CANVAS = { light: '#f5f4f0', dark: '#111310' } as const;

interface Frame {
  readonly title: string;
  readonly assets: PageAssets;
}

interface CardPage extends Frame {
  /** The width of the card: for a form, for text, or for uploads. */
  readonly size: 'small' | 'wide' | 'widest';
  readonly household: string;
  readonly card: Html;
  /** Content below the card. */
  readonly below?: Html;
  /** The footer: the address, so that people learn to recognize theirs; empty: none. */
  readonly address: string;
  /** Further head elements: styles and scripts. */
  readonly head?: Html;
}

/** A page with one card: sign-in, and single messages. */
export function cardPage({ title, size, household, assets, card, below, address, head }: CardPage): string {
  const foot = html`${below === undefined ? html`` : html`<aside class="below">${below}</aside>`}${address === '' ? html`` : html`<footer>${icon('lock')}<span>${address}</span></footer>`}`;
  return frame({ title, assets }, niche({ assets, size, household, card, foot }), head);
}

interface BarPage extends Frame {
  readonly basePath: string;
  readonly household: string;
  readonly account: AccountRecord;
  readonly formToken: string;
  /** The address of the control panel, for those who may open it. */
  readonly panel: string | null;
  readonly content: Html;
  /** Further head elements: styles and scripts. */
  readonly head?: Html;
  /** What is searched for on this page. */
  readonly search?: SearchField;
  /** Where the household's name leads; by default to the account. */
  readonly home?: string;
}

/** A page with a bar that names the household and the signed-in person, and content below it. */
export function barPage(page: BarPage): string {
  const { title, assets, basePath, household, account, formToken, panel, content, head = html`` } = page;
  const toAccount = `${basePath}/account/`;
  const home = page.home ?? toAccount;
  // Each of the two links to the other.
  const files =
    home === toAccount
      ? html`<a class="to" href="${basePath}/files/">${icon('folder')}<span>${t('bar.files')}</span></a>`
      : html``;
  const toPanel =
    panel === null
      ? html``
      : html`<a class="to panel" href="${panel}" title="${t('bar.panel')}">${icon('adjust')}<span>${t('bar.panel')}</span></a>`;
  const me = html`${avatar({ account, basePath, size: 'small' })}<span>${account.name}</span>`;
  return frame(
    { title, assets },
    html`<a class="skip" href="#content">${t('page.skip')}</a>
<header class="bar"><div>
<a class="house" href="${home}">${mark(assets)}<span>${household}</span></a>
${searchField(basePath, page.search ?? {})}
${files}${toPanel}${home === toAccount ? html`<span class="me">${me}</span>` : html`<a class="me" href="${toAccount}" title="${t('bar.account')}">${me}</a>`}
<form method="post" action="${basePath}/account/sign-out"><input type="hidden" name="form_token" value="${formToken}"><button class="plain">${t('bar.signOut')}</button></form>
</div></header>
${content}`,
    html`${assets.load('account')}
${head}`,
  );
}

interface HouseholdPage extends Frame {
  readonly basePath: string;
  readonly household: string;
  readonly content: Html;
  readonly head: Html;
}

/** A page with a bar that names the household, and content below it: for anyone, signed in or not. */
export function householdPage({ title, assets, basePath, household, content, head }: HouseholdPage): string {
  return frame(
    { title, assets },
    html`<a class="skip" href="#content">${t('page.skip')}</a>
<header class="bar"><div><a class="house" href="${basePath}/">${mark(assets)}<span>${household}</span></a></div></header>
${content}`,
    head,
  );
}

interface OpenPage extends Frame {
  /** The content of the bar, and at its end. */
  readonly bar: Html;
  readonly end: Html;
  readonly content: Html;
  readonly head: Html;
}

/** A page with a bar that names who shares it, and content below it: for visitors without an account. */
export function openPage({ title, assets, bar, end, content, head }: OpenPage): string {
  return frame(
    { title, assets },
    html`<a class="skip" href="#content">${t('page.skip')}</a>
<header class="open-bar">${mark(assets)}<p>${bar}</p>${end}</header>
${content}`,
    head,
  );
}

/** The logo, in the colours of light or dark. */
export function mark({ base }: PageAssets): Html {
  return html`<picture><source srcset="${base}/mark-dark.svg" media="(prefers-color-scheme: dark)"><img src="${base}/mark-light.svg" width="40" height="40" alt=""></picture>`;
}

function niche(parts: { assets: PageAssets; size: string; household: string; card: Html; foot: Html }): Html {
  return html`<div class="niche ${parts.size}">
<header>${mark(parts.assets)}<span>${parts.household}</span></header>
<main class="card">${parts.card}</main>
${parts.foot}
</div>`;
}

function frame({ title, assets }: Frame, body: Html, head = html``): string {
  return html`<!doctype html>
<html lang="${LANGUAGE}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${bidiIsolate(title)}</title>
${assets.load('base')}
<link rel="icon" href="${assets.base}/app-icon.svg" type="image/svg+xml">
<meta name="theme-color" content="${CANVAS.light}" media="(prefers-color-scheme: light)">
<meta name="theme-color" content="${CANVAS.dark}" media="(prefers-color-scheme: dark)">
${head}
</head>
<body>
${body}
</body>
</html>
`.text;
}
