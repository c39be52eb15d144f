import { missingPermissionFor } from '../../../access/rights.ts';
import { displayName } from '../../../accounts/account-record.ts';
import type { AccountRecord } from '../../../accounts/accounts.ts';
import type { VisibleAlbum } from '../../../albums/visible-albums.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { LOCALE } from '../../../messages/catalogue.ts';
import { t } from '../../../messages/messages.ts';
import type { PageAssets } from '../../shell/assets/page-assets.ts';
import { hidden } from '../../shell/form-fields.ts';
import { sprite } from '../../shell/icons.ts';
import type { Abilities } from '../abilities.ts';
import type { FilesLinks } from '../addresses.ts';
import type { NamedPath, Row } from '../context.ts';
import { emptyState } from '../frame.ts';
import { MORE_ROWS } from '../listing/folder-page.ts';
import { itemMenu, listFacts, selectionBar } from '../listing/list-parts.ts';
import { defaultLook } from '../listing/look.ts';
import { itemRows, type Rows } from '../listing/rows.ts';
import type { CoveredAlbum } from './list.ts';
import { face } from './share-page.ts';

interface Page {
  readonly links: FilesLinks;
  /** The list of photos, by its name. */
  readonly photos: NamedPath;
  readonly assets: PageAssets;
  /** The result of the last action. */
  readonly done: Html;
}

/** All albums, by their covers. */
export function albumsMain({
  links,
  photos,
  assets,
  done,
  albums,
}: Page & { readonly albums: readonly CoveredAlbum[] }): Html {
  return html`${assets.load('albums')}<nav class="crumbs" aria-label="${t('files.breadcrumbs')}"><ol>${photosCrumb(links, photos)}</ol></nav>
<div class="head"><div class="heading"><h1>${t('albums.heading')}</h1><p class="meta">${t('albums.count', { count: albums.length })}</p></div><div class="page-actions"><a class="button primary" href="${links.albumForm('add')}" data-do="album-form">${sprite('photoPlus')}<span>${t('albums.add.heading')}</span></a></div></div>
${done}
<ul class="albums" aria-label="${t('albums.heading')}">${albums.map((one) => html`<li>${albumCard(links, one)}</li>`)}</ul>`;
}

/** An album in a list of albums. @param title as it is shown */
export function albumCard(
  links: FilesLinks,
  { album, cover }: CoveredAlbum,
  title: Html | string = bidiIsolate(album.title),
): Html {
  const { kind, reach } = album;
  const mark = kind === 'list' ? html`` : sprite(kind === 'folder' ? 'folder' : 'starFilled');
  const shared =
    reach.role !== 'owner'
      ? html`<span class="by">${face(reach.owner)}<span>${t('albums.sharedBy', { name: bidiIsolate(displayName(reach.owner)) })}</span></span>`
      : reach.isShared
        ? html`<span class="by">${sprite('users')}<span>${t('albums.shared')}</span></span>`
        : html``;
  const of = kind === 'folder' ? html`<span class="unseen">${t('albums.ofFolder')}</span>` : html``;
  return html`<a href="${links.album(album.album)}"><span class="cover">${coverImage(links, cover, 400)}</span><strong>${mark}${of}<span>${title}</span></strong><span class="sums">${sumsText(album)}</span>${shared}</a>`;
}

function coverImage(links: FilesLinks, cover: Row | null, side: 200 | 400): Html {
  const picture = cover === null || !cover.canOpen ? null : links.picture(cover);
  if (picture === null) return sprite('photo');
  return html`<img src="${picture(side)}" loading="lazy" decoding="async" alt="">`;
}

/** Such as `86 photos, 4 videos`. */
function sumsText({ photos, films }: Pick<VisibleAlbum, 'photos' | 'films'>): string {
  return t('photos.sums', { photos, films });
}

interface AlbumPage extends Page {
  readonly album: VisibleAlbum;
  readonly rows: readonly Row[];
  readonly cover: Row | null;
  /** The index of the first of the rows. */
  readonly start: number;
  readonly abilities: Abilities;
  readonly account: Pick<AccountRecord, 'permissions'>;
  readonly formToken: string;
  /** Whether the account can leave the album of another person. */
  readonly mayLeave: boolean;
  readonly now: number;
  readonly icons: string;
}

/** The photos and films of an album. */
export function albumMain(page: AlbumPage): Html {
  const { links, album, rows, start, abilities, assets, done } = page;
  const { title, members } = album;
  const facts = listFacts({ path: '', name: title, total: members.length, abilities });
  const dates = datesText(album);
  const line = [dates, sumsText(album)].filter((part) => part !== '').join(' · ');
  const { role, isShared } = album.reach;
  const shown = itemRows(shownInAlbum(page));
  const next = start + rows.length;
  const more =
    next >= members.length
      ? html``
      : html`<p class="more-rows"><a class="button" href="${links.album(album.album, { start: next, limit: MORE_ROWS })}" rel="next">${t('files.more', { count: Math.min(MORE_ROWS, members.length - next) })}</a></p>`;
  const list =
    members.length === 0
      ? emptyAlbum(page)
      : html`${selectionBar(abilities)}<div class="table gallery"${windowFacts(page)}><ul class="items fitted-rows" aria-label="${t('files.list')}">
${shown}</ul></div>${more}${itemMenu(abilities)}`;
  return html`${assets.load('albums')}<nav class="crumbs" aria-label="${t('files.breadcrumbs')}"><ol>${photosCrumb(links, page.photos)}<li><a href="${links.albums}">${t('albums.heading')}</a>${sprite('right')}</li></ol></nav>
<div class="head album-head"><div class="heading">${banner(page)}<h1>${bidiIsolate(title)}</h1><p class="meta">${line}</p>${isShared ? people(page) : html``}</div>${albumActions(page)}</div>
${done}${role === 'contribute' ? html`<p class="help album-help">${t('albums.contribute')}</p>` : html``}
<section class="listing" ${facts} data-album="${album.album}">${list}</section>`;
}

function emptyAlbum({ album: { kind, reach }, links }: AlbumPage): Html {
  const heading = t(`albums.empty.${kind}.heading`);
  if (reach.role === 'view') return emptyState({ heading, help: t('albums.empty.shared.help') });
  const way =
    kind === 'list'
      ? html`<p class="empty-actions"><a class="button" href="${links.folder('/PHOTOS')}">${sprite('photo')}${t('albums.empty.list.photos')}</a></p>`
      : html``;
  return emptyState({ heading, help: t(`albums.empty.${kind}.help`) }, way);
}

/** How an album shows its items. */
export function shownInAlbum(
  page: Pick<AlbumPage, 'rows' | 'links' | 'now' | 'icons' | 'abilities' | 'account'>,
): Rows {
  const { rows, links, now, icons, abilities, account } = page;
  return {
    ...{ rows, links, path: null, now, icons, abilities, account },
    look: { ...defaultLook(''), view: 'gallery' },
    canOpen: abilities.items.has('download'),
    isScattered: true,
  };
}

/** An album that the script shows in part: where its rows are. */
function windowFacts({ links, album, rows, start }: AlbumPage): Html {
  if (start > 0 || rows.length >= album.members.length) return html``;
  return html` data-rows="${links.album(album.album, { rows: 'html' })}"`;
}

/** Whose album it is, with a link to all who have it. */
function people({ links, album: { album, reach } }: AlbumPage): Html {
  const by =
    reach.role === 'owner'
      ? html`${sprite('users')}<span>${t('albums.shared')}</span>`
      : html`${face(reach.owner)}<span>${t('albums.sharedBy', { name: bidiIsolate(displayName(reach.owner)) })}</span>`;
  return html`<p class="by"><a href="${links.albumForm('share', album)}" data-do="album-form" title="${t('albums.people')}">${by}</a></p>`;
}

/** The cover behind the title. */
function banner({ links, cover }: AlbumPage): Html {
  const picture = cover === null || !cover.canOpen ? null : links.picture(cover);
  if (picture === null) return html``;
  return html`<img class="banner" src="${picture(800)}" srcset="${picture(800)} 800w, ${picture(1_280)} 1280w, ${picture(2_048)} 2048w" sizes="(width < 720px) 100vw, 1000px" decoding="async" alt="">`;
}

function albumActions({ links, album, formToken, rows, account, mayLeave }: AlbumPage): Html {
  const { kind, folder, order, members, reach } = album;
  const slides =
    members.length < 2 || !rows.some(({ canOpen }) => canOpen)
      ? html``
      : html`<button type="button" data-do="slide-show">${sprite('play')}<span>${t('albums.slideShow')}</span></button>`;
  if (kind === 'favourites') return html`<div class="page-actions">${slides}</div>`;
  const open =
    folder === null
      ? html``
      : html`<a class="button" href="${links.folder(folder)}">${sprite('folder')}<span>${t('albums.openFolder')}</span></a>`;
  const form = (action: 'edit' | 'delete' | 'share' | 'leave', inner: Html, grave = html``) =>
    html`<a href="${links.albumForm(action, album.album)}" data-do="album-form"${grave}>${inner}</a>`;
  const drop = (choices: Html) =>
    html`<details class="drop"><summary class="button" aria-label="${t('albums.more')}" title="${t('albums.more')}">${sprite('dots')}</summary><div class="choices">${choices}</div></details>`;
  if (reach.role !== 'owner') {
    const leave = mayLeave
      ? form('leave', html`${sprite('close')}${t('albums.leave.submit')}`, html` class="danger"`)
      : html``;
    return html`<div class="page-actions">${slides}${drop(html`${form('share', html`${sprite('users')}${t('albums.people')}`)}${leave}`)}</div>`;
  }
  const share =
    kind === 'list' && missingPermissionFor('albums/share', account.permissions) === null
      ? html`<a class="button" href="${links.albumForm('share', album.album)}" data-do="album-form">${sprite('share')}<span>${t('albums.share.action')}</span></a>`
      : html``;
  const link =
    missingPermissionFor('files/weblink', account.permissions) === null &&
    missingPermissionFor('files/download', account.permissions) === null
      ? html`<a href="${links.albumLink(album.album)}" data-do="link-several">${sprite('link')}${t('albums.link')}</a>`
      : html``;
  const other = order === 'taken' ? 'hand' : 'taken';
  const sort = html`<form class="album-form" method="post" action="${links.albumForm('edit')}">${hidden({ form_token: formToken, album: album.album, order: other })}<button>${sprite('sort')}${t(`albums.order.${other}`)}</button></form>`;
  const hide = html`<form class="album-form" method="post" action="${links.albumForm('delete')}">${hidden({ form_token: formToken, album: album.album })}<button>${sprite('close')}${t('albums.hide')}</button></form>`;
  const choices =
    kind === 'folder'
      ? hide
      : html`${link}${form('edit', html`${sprite('pencil')}${t('albums.edit.heading')}`)}${sort}<hr>${form('delete', html`${sprite('trash')}${t('albums.delete.submit')}`, html` class="danger"`)}`;
  return html`<div class="page-actions">${slides}${share}${open}${drop(choices)}</div>`;
}

/** From when to when photos were taken. */
function datesText({ members }: VisibleAlbum): string {
  if (members.length === 0) return '';
  const times = members.map(({ local }) => local);
  const day = (time: number) =>
    new Date(time).toLocaleDateString(LOCALE, { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' });
  const from = day(times.reduce((first, time) => Math.min(first, time)));
  const to = day(times.reduce((last, time) => Math.max(last, time)));
  return from === to ? from : t('albums.dates', { from, to });
}

function photosCrumb(links: FilesLinks, { name, path }: NamedPath): Html {
  return html`<li><a href="${links.folder(path)}">${name}</a>${sprite('right')}</li>`;
}

/** Adding to a shared album shows the items to others. */
function seenBy({ reach }: VisibleAlbum): string {
  const by = reach.role === 'owner' ? [] : [t('albums.sharedBy', { name: bidiIsolate(displayName(reach.owner)) })];
  return [...by, t('albums.into.seenBy')].join(' · ');
}

/** The albums to which items can be added: buttons of a form, below the field for a new one. */
export function albumChoices(links: FilesLinks, albums: readonly CoveredAlbum[]): Html {
  if (albums.length === 0) return html``;
  return html`<p class="lead" id="album-choices">${t('albums.into.choose')}</p><ul class="album-choices" aria-labelledby="album-choices">${albums.map(
    ({ album, cover }) =>
      html`<li><button name="album" value="${album.album}" formnovalidate><span class="cover">${coverImage(links, cover, 200)}</span><span><strong>${bidiIsolate(album.title)}</strong><span class="sums">${sumsText(album)}${album.reach.isShared ? html`<br>${seenBy(album)}` : html``}${album.reach.role === 'owner' && album.record?.isLinked === true ? html`<br>${t('albums.into.linked')}` : html``}</span></span></button></li>`,
  )}</ul>`;
}
