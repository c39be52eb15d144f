import type { Response } from 'express';
import { SHARED_BASE } from '../../access/access.ts';
import type { AccountRecord } from '../../accounts/account-record.ts';
import { sendJson } from '../../http/response/envelope.ts';
import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { humanSize } from '../../listing/human.ts';
import { t } from '../../messages/messages.ts';
import { newGrantsOf } from '../../sharing/new-shares.ts';
import { type IconName, sprite, sprites } from '../shell/icons.ts';
import { type PageOptions, type SignedIn, showContent } from '../shell/page-context.ts';
import type { FilesLinks } from './addresses.ts';
import type { FilesPagesParts, NamedPath } from './context.ts';
import type { SearchQuery } from './search/query.ts';

/** No content of other origins, and no inline script, style or frame. */
const POLICY = [
  "default-src 'none'",
  ...['script-src', 'style-src', 'img-src', 'media-src', 'connect-src', 'form-action'].map((name) => `${name} 'self'`),
  // Framed content gets an origin of its own.
  "frame-src 'self'",
  "worker-src 'self'",
  "manifest-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

interface FilesPage extends PageOptions {
  readonly title: string;
  /** The entry marked in the navigation. */
  readonly at: string | null;
  readonly roots: readonly NamedPath[];
  readonly main: Html;
  readonly status?: number;
  /** The search that the page shows; null for other pages. */
  readonly search?: SearchQuery | null;
  /** What else the page loads. */
  readonly head?: Html;
  /** The only other origin of images. */
  readonly images?: string;
}

/** A file page: complete for a browser; only its parts for the script, which swaps them in. */
export async function showFiles(
  parts: FilesPagesParts,
  response: Response,
  visitor: SignedIn,
  links: FilesLinks,
  { title, at, roots, main, status = 200, head: more = html``, search = null, isCompressed = false, images }: FilesPage,
  isForScript: boolean,
): Promise<void> {
  const storage = await storageOf(parts, visitor.session.account);
  const news = (await newGrantsOf(parts.sharing, visitor.session.account)).length;
  const nav = html`${navigation(links, { roots, at, news }, storage)}${storage?.meter ?? html``}`;
  const whole = t('page.title', { page: bidiIsolate(title), household: bidiIsolate(parts.householdName()) });
  response.setHeader('Vary', 'Accept');
  if (isForScript) {
    const account = visitor.session.account.id;
    sendJson(response, status, {
      success: true,
      error: false,
      data: { account, title: whole, nav: nav.text, main: main.text },
    });
    return;
  }
  const policy = images === undefined ? POLICY : POLICY.replace(/img-src [^;]*/, `$& ${images}`);
  response.setHeader('Content-Security-Policy', policy);
  const { permissions } = visitor.session.account;
  const content = html`<div class="files" data-base="${links.base}" data-account="${visitor.session.account.id}" data-token="${visitor.formToken}" data-max="${permissions.upload_max_size}" data-types="${permissions.upload_limit_types}"${parts.keepsPages() ? html` data-worker="${links.base}/worker.js"` : html``}>
<nav class="file-nav" aria-label="${t('files.nav')}">${nav}</nav>
<main id="content" tabindex="-1">${main}</main></div>
<div class="unseen" id="say" role="status"></div>
${sprites()}`;
  const { assets, basePath } = parts;
  const install = html`<link rel="manifest" href="${links.base}/app.webmanifest"><link rel="apple-touch-icon" href="${assets.base}/icons/app-touch-180.png">`;
  const head = html`${install}${assets.load('filesStyles', 'files')}${more}`;
  showContent(parts, response, visitor, {
    title: whole,
    content,
    status,
    head,
    isCompressed,
    home: `${basePath}/files/`,
    search: search === null ? {} : { words: search.words, fields: fieldsOf(search) },
  });
}

/** What a new search keeps of the one shown. */
function fieldsOf({ kind, time, inside, from, personId }: SearchQuery) {
  return { kind, time, in: inside, from, who: personId };
}

const ICONS: Record<string, IconName> = {
  '/ROOT/HOME': 'home',
  '/ROOT/SHARED': 'users',
  '/RECENT': 'clock',
  '/STARRED': 'star',
  '/PHOTOS': 'photo',
  '/MUSIC': 'music',
  '/SHARES': 'share',
  '/LINKS': 'link',
  '/TRASH': 'trash',
};

/** How many places a narrow window shows beside `More`. */
const SHOWN_FIRST = 3;

/** All places. A narrow window shows the most used ones and the current one, and has the others in a menu. */
function navigation(
  links: FilesLinks,
  { roots, at, news }: Pick<FilesPage, 'roots' | 'at'> & { readonly news: number },
  storage: { readonly entry: Html } | null,
): Html {
  const count =
    news === 0
      ? html``
      : html`<span class="new-badge"><span aria-hidden="true">${news}</span><span class="unseen">${t('files.nav.new', { count: news })}</span></span>`;
  const [top] = roots;
  const usual = roots.filter(({ path }) => path === top?.path || path === '/RECENT' || path === '/PHOTOS');
  const current = roots.find(({ path }) => path === at);
  const first =
    current === undefined || usual.includes(current) ? usual : [...usual.slice(0, SHOWN_FIRST - 1), current];
  const place = ({ name, path }: NamedPath) =>
    html`<a href="${links.folder(path)}"${path === at ? html` aria-current="page"` : html``}>${sprite(ICONS[path] ?? 'folder')}<span>${name}</span>${path === SHARED_BASE ? count : html``}</a>`;
  const further = roots.filter((one) => !first.includes(one));
  return html`<ul>${roots.map((one) => html`<li${first.includes(one) ? html`` : html` class="further"`}>${place(one)}</li>`)}</ul>
<details class="drop places"><summary>${t('files.nav.more')}${further.some(({ path }) => path === SHARED_BASE) && news > 0 ? html`<span class="new-dot"></span><span class="unseen">${t('files.nav.new', { count: news })}</span>` : html``}${sprite('chevron')}</summary><div class="choices">${further.map(place)}${storage?.entry ?? html``}</div></details>`;
}

interface StorageShown {
  readonly meter: Html;
  readonly entry: Html;
}

/** What the pages show of an account's storage. @returns null for an account without files */
export async function storageOf(
  { files, basePath }: Pick<FilesPagesParts, 'files' | 'basePath'>,
  { homeId }: Pick<AccountRecord, 'homeId'>,
): Promise<StorageShown | null> {
  return homeId === null ? null : storageMeter(basePath, await files.quotas.usage({ id: homeId }));
}

/** How full the home is: at the foot of the sidebar, and as an entry of a menu. Both lead to what takes the space. */
function storageMeter(basePath: string, { used, quota }: { used: number; quota: number | null }): StorageShown {
  const size = humanSize(used);
  const text =
    quota === null ? t('files.storage.used', { size }) : t('files.storage.usedOf', { size, quota: humanSize(quota) });
  const share = quota === null || quota === 0 ? 0 : Math.min(1, used / quota);
  const state = share < 0.9 ? 'photos' : share < 1 ? 'care' : 'danger';
  // An SVG, because a variable width in HTML would need inline styles.
  const bar = html`<svg class="use" viewBox="0 0 1000 8" preserveAspectRatio="none" aria-hidden="true"><rect class="${state}" width="${Math.max(used > 0 ? 6 : 0, Math.round(share * 1_000))}" height="8"/></svg>`;
  const meter = html`<a class="storage" href="${basePath}/account/#storage"><span><strong>${t('files.storage.label')}</strong> ${text}</span>${quota === null ? html`` : html`${bar}<span class="free">${t('files.storage.free', { size: humanSize(Math.max(0, quota - used)) })}</span>`}</a>`;
  const entry = html`<a class="storage-entry" href="${basePath}/account/#storage">${sprite('pie')}<span>${t('files.storage.label')} · ${text}</span></a>`;
  return { meter, entry };
}

/** The top-level entry that a path is in, to be marked in the navigation. */
export function rootOf(roots: readonly NamedPath[], path: string): string | null {
  const own = roots.find((one) => path === one.path || path.startsWith(`${one.path}/`));
  // The folders of other people are below the root, beside the list of all of them.
  const isShared = own === undefined && path.startsWith('/ROOT/');
  return (isShared ? roots.find((one) => one.path === '/ROOT/SHARED') : own)?.path ?? null;
}

/** The breadcrumbs; the last part is the heading. */
export function crumbs(links: FilesLinks, breadcrumbs: readonly NamedPath[]): Html {
  const above = breadcrumbs.slice(0, -1);
  if (above.length === 0) return html``;
  const step = ({ name, path }: NamedPath) => html`<a href="${links.folder(path)}">${bidiIsolate(name)}</a>`;
  const one = (place: NamedPath) => html`<li>${step(place)}${sprite('right')}</li>`;
  const hidden = above.slice(1, -2);
  const further = t('files.breadcrumbs.hidden', { count: hidden.length });
  // A long path shows only its beginning and end; on a phone it would fill the screen.
  const shown =
    hidden.length < 2
      ? above.map(one)
      : [
          ...above.slice(0, 1).map(one),
          html`<li><details class="drop"><summary aria-label="${further}" title="${further}">${sprite('dots')}</summary><div class="choices">${hidden.map(step)}</div></details>${sprite('right')}</li>`,
          ...above.slice(-2).map(one),
        ];
  return html`<nav class="crumbs" aria-label="${t('files.breadcrumbs')}"><ol>${shown}</ol></nav>`;
}

/** An empty list: an icon, what it means, and what to do. @param isPage whether it is also the heading of the page */
export function emptyState(
  { heading, help }: { heading: string; help: string },
  more: Html = html``,
  isPage = false,
): Html {
  const title = isPage ? html`<h1>${heading}</h1>` : html`<p class="strong">${heading}</p>`;
  return html`<div class="empty"><div class="alcove" aria-hidden="true"></div>${title}<p>${help}</p>${more}</div>`;
}
