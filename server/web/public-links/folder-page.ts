import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';
import { humanSize } from '../../listing/human.ts';
import { listOf, t } from '../../messages/messages.ts';
import type { OpenLink } from '../../weblinks/open-link.ts';
import { emptyState } from '../files/frame.ts';
import { sprite } from '../shell/icons.ts';
import { fittedClasses, fittedImage } from '../shell/pictures.ts';
import { spoken, when } from '../shell/relative-time.ts';
import { shownName } from '../shell/shown-name.ts';
import type { LinkAddresses, LinkView } from './addresses.ts';
import type { LinkFolder, LinkRow } from './listing.ts';
import { viewedAttributes } from './viewed-file.ts';

interface LinkFolderPage {
  readonly to: LinkAddresses;
  readonly folder: LinkFolder;
  /** The folders on the path, the linked item first; empty for itself. */
  readonly breadcrumbs: readonly { readonly name: string; readonly path: string }[];
  readonly view: LinkView;
  /** Base address of the file type icons. */
  readonly icons: string;
  readonly now: number;
  readonly open: OpenLink;
  readonly start: number;
  readonly canDownload: boolean;
  readonly canDownloadFolders: boolean;
  /** Content below the header: the last result, or the form to send files. */
  readonly above: Html;
  readonly below: Html;
}

/** Entries per page; the script loads the next ones. */
export const LINK_ROWS = 60;

/** The default view: photos as a gallery. */
export function usualView({ rows }: LinkFolder): LinkView {
  const files = rows.filter(({ isDir }) => !isDir);
  return files.length > 0 && files.filter(({ isPicture }) => isPicture).length * 2 >= files.length ? 'gallery' : 'list';
}

export function linkFolderMain(page: LinkFolderPage): Html {
  const { to, folder, above, below } = page;
  const form = folder.rows.length === 0 ? nothing(page) : listing(page);
  return html`<main id="content" class="open-folder" tabindex="-1">
${crumbs(page)}<div class="head"><div><h1>${bidiIsolate(folder.name)}</h1><p class="meta">${facts(page)}${until(page)}</p></div>${formActions(page)}</div>
${above}
<form method="post" action="${to.form('get', folder.path)}" id="take" class="take" data-icons="${page.icons}"${counted(page)}>${form}</form>
${below}</main>`;
}

/** What the photo viewer says before something is played, where that counts as a download. */
function counted({ open }: LinkFolderPage): Html {
  const { downloads: used, downloadLimit: limit } = open.link;
  if (limit === 0) return html``;
  return html` data-counted="${t('links.play.counts', { used, limit })}"`;
}

function facts({ folder, start }: LinkFolderPage): string {
  const { rows, total, bytes } = folder;
  const isAll = start === 0 && rows.length === total;
  const folders = rows.filter(({ isDir }) => isDir).length;
  const photos = rows.filter(({ type }) => type === 'image' || type === 'raw').length;
  const counts = isAll
    ? countsOf({ photos, files: rows.length - folders - photos, folders })
    : t('files.count.items', { count: total });
  return [counts, bytes === null || bytes === 0 ? '' : humanSize(bytes)].filter((part) => part !== '').join(' · ');
}

function countsOf({ photos, files, folders }: Record<'photos' | 'files' | 'folders', number>): string {
  return listOf([
    photos === 0 ? '' : t('files.count.photos', { count: photos }),
    files === 0 ? '' : t('files.count.files', { count: files }),
    folders === 0 ? '' : t('files.count.folders', { count: folders }),
  ]);
}

/** Phones have no room for it in the bar. */
function until({ open, now }: LinkFolderPage): Html {
  const endsAt = open.link.expiresAt;
  return endsAt === null
    ? html``
    : html`<span class="until"> · ${t('links.until', { date: spoken(endsAt, now) })}</span>`;
}

function crumbs({ to, breadcrumbs }: LinkFolderPage): Html {
  if (breadcrumbs.length === 0) return html``;
  return html`<nav class="crumbs" aria-label="${t('links.folder.breadcrumbs')}"><ol>${breadcrumbs.map(
    ({ name, path }) => html`<li><a href="${to.page(path)}">${shownName(name)}</a>${sprite('right')}</li>`,
  )}</ol></nav>`;
}

function formActions({ to, folder, view, canDownload, canDownloadFolders }: LinkFolderPage): Html {
  const drawing = { gallery: 'grid', list: 'rows' } as const;
  const views = (['list', 'gallery'] as const).map(
    (name) =>
      html`<a href="${to.page(folder.path, { mode: name })}"${name === view ? html` aria-current="true"` : html``}>${sprite(drawing[name])}<span>${t(`links.folder.view.${name}`)}</span></a>`,
  );
  const size =
    folder.bytes === null || folder.bytes === 0 ? html`` : html` <span class="bytes">${humanSize(folder.bytes)}</span>`;
  const canTake = canDownload && canDownloadFolders && folder.total > 0;
  const all = canTake
    ? html`<button class="primary" form="take" name="all" value="1">${sprite('download')}<span>${t('links.folder.downloadAll')}</span>${size}</button>`
    : html``;
  return html`<div class="page-actions">${folder.rows.length === 0 ? html`` : html`<div class="switch" role="group" aria-label="${t('links.folder.view.label')}">${views}</div>`}${all}</div>`;
}

function nothing({ breadcrumbs }: LinkFolderPage): Html {
  return emptyState(
    breadcrumbs.length === 0
      ? { heading: t('links.folder.empty.heading'), help: t('links.folder.empty.help') }
      : { heading: t('links.folder.emptyInside'), help: '' },
  );
}

function listing(page: LinkFolderPage): Html {
  const { view, folder, canDownload, start, to } = page;
  const next = start + folder.rows.length;
  const more =
    next >= folder.total
      ? html``
      : html`<p class="more-rows"><a class="button" rel="next" href="${to.page(folder.path, { mode: view, start: next })}">${t('links.folder.more', { count: Math.min(LINK_ROWS, folder.total - next) })}</a></p>`;
  const bar = canDownload
    ? html`<div class="selection"><span id="count" aria-live="polite"></span><button name="some" value="1">${sprite('download')}<span>${t('links.folder.downloadSelected')}</span></button></div>`
    : html``;
  return html`${view === 'gallery' ? gallery(page) : list(page)}${more}${bar}`;
}

function gallery(page: LinkFolderPage): Html {
  const { rows } = page.folder;
  const folders = rows.filter(({ isDir }) => isDir);
  const pictures = rows.filter(({ isPicture }) => isPicture);
  const others = rows.filter(({ isDir, isPicture }) => !isDir && !isPicture);
  const cards = [...folders, ...others];
  return html`${cards.length === 0 ? html`` : html`<ul class="cards" aria-label="${t('links.folder.list')}">${cards.map((row) => card(page, row))}</ul>`}${
    pictures.length === 0
      ? html``
      : html`<ul class="pictures fitted-rows">${pictures.map((row) => picture(page, row))}</ul>`
  }`;
}

function pick({ canDownload, canDownloadFolders }: LinkFolderPage, { name, path, isDir }: LinkRow): Html {
  if (!canDownload || (isDir && !canDownloadFolders)) return html``;
  return html`<label class="pick"><input type="checkbox" name="path" value="${path}" aria-label="${t('links.folder.select', { name })}"></label>`;
}

function viewed(page: LinkFolderPage, row: LinkRow): Html {
  // A tile has the address of its picture already.
  return viewedAttributes(page, row, !(page.view === 'gallery' && row.isPicture));
}

function card(page: LinkFolderPage, row: LinkRow): Html {
  const { icons, to } = page;
  return html`<li${viewed(page, row)}><a href="${to.page(row.path)}"><img src="${icons}/${row.type}.svg" width="36" height="36" alt=""><span><strong>${shownName(row.name)}</strong><span class="sub">${subOf(row)}</span></span></a>${pick(page, row)}</li>`;
}

function subOf({ isDir, entries, size }: LinkRow): string {
  if (!isDir) return size === null ? '' : humanSize(size);
  if (entries === null) return '';
  return entries.photos > 0 && entries.photos === entries.entries
    ? t('files.count.photos', { count: entries.photos })
    : t('files.count.items', { count: entries.entries });
}

function picture(page: LinkFolderPage, row: LinkRow): Html {
  const { to } = page;
  return html`<li class="${fittedClasses(row.pixels)}"${viewed(page, row)}><a href="${to.page(row.path)}">${fittedImage((side) => to.thumbnail(row.path, side), row.pixels, { alt: bidiIsolate(row.name), title: bidiIsolate(row.name) })}${wholeMark(row)}</a>${pick(page, row)}</li>`;
}

/** How many photos it stands for, that it is a Live Photo, or how long it is. */
function wholeMark({ burst, film, length }: LinkRow): Html {
  if (burst.length > 0) return html`<span class="whole">${t('photos.burst', { count: burst.length + 1 })}</span>`;
  if (length !== null) return html`<span class="length">${length}</span>`;
  return film === null ? html`` : html`<span class="whole">${t('photos.live')}</span>`;
}

function list(page: LinkFolderPage): Html {
  const { rows } = page.folder;
  return html`<div class="heads" aria-hidden="true"><span class="pick"></span><span class="what">${t('links.folder.columns.name')}</span><span class="when">${t('links.folder.columns.modified')}</span><span class="bytes">${t('links.folder.columns.size')}</span></div>
<ul class="rows" aria-label="${t('links.folder.list')}">${rows.map((row) => listRow(page, row))}</ul>`;
}

function listRow(page: LinkFolderPage, row: LinkRow): Html {
  const { icons, to, now } = page;
  const drawing = row.isPicture
    ? html`<img class="thumb" src="${to.thumbnail(row.path, 200)}" width="40" height="40" loading="lazy" decoding="async" alt="">`
    : html`<img src="${icons}/${row.type}.svg" width="30" height="30" alt="">`;
  return html`<li${viewed(page, row)}>${pick(page, row)}<a class="what" href="${to.page(row.path)}">${drawing}${shownName(row.name)}${wholeMark(row)}</a><span class="when">${row.changedAt === null ? html`` : when(row.changedAt, now)}</span><span class="bytes">${subOf(row)}</span></li>`;
}
