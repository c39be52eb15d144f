import type { AccountRecord } from '../../../accounts/accounts.ts';
import type { PhotoMonth, PhotoTimeline } from '../../../catalogue/photos.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { LOCALE } from '../../../messages/catalogue.ts';
import { t, tHtml } from '../../../messages/messages.ts';
import type { PageAssets } from '../../shell/assets/page-assets.ts';
import { sprite } from '../../shell/icons.ts';
import type { Abilities } from '../abilities.ts';
import type { FilesLinks } from '../addresses.ts';
import type { Listed } from '../context.ts';
import { canImport } from '../imports/page.ts';
import { albumsLink, itemMenu, listFacts, selectionBar, viewSwitch } from '../listing/list-parts.ts';
import type { Look } from '../listing/look.ts';
import { itemRows } from '../listing/rows.ts';
import { canBackUpPhotos } from '../photo-backup/page.ts';
import type { PastDayRow } from './list.ts';

interface PhotosPage {
  readonly links: FilesLinks;
  readonly listed: Listed;
  readonly look: Look;
  readonly timeline: PhotoTimeline;
  /** The month of the page. */
  readonly month: string;
  /** How many photos and films are newer than the month. */
  readonly before: number;
  /** The index of the page's first entry in its month. */
  readonly start: number;
  /** How many of the month follow on the next page. */
  readonly further: number;
  readonly pastDays: readonly PastDayRow[];
  /** Whether others share something with the caller: it may have photos, which are not among these. */
  readonly hasShares: boolean;
  readonly abilities: Abilities;
  readonly account: Pick<AccountRecord, 'homeId' | 'permissions'>;
  readonly now: number;
  /** Base address of the file type icons. */
  readonly icons: string;
  /** For styles that only this page uses. */
  readonly assets: PageAssets;
  /** The result of the last action. */
  readonly done: Html;
}

/** The page of one month. The script makes it one page of all months, which it reads from the list of months. */
export function photosMain(page: PhotosPage): Html {
  const { links, listed, look, timeline, month, abilities, assets, done } = page;
  const { meta, total } = listed;
  const { path } = meta;
  const facts = listFacts({ path, name: meta.folderName, total, abilities });
  const rows = itemRows({ ...page, rows: listed.rows, path, canOpen: meta.perms.download, isScattered: true });
  const shown = timeline.months.find((one) => one.month === month);
  const id = `month-${month}`;
  const where = html`data-photos="${links.folder(path, look, { rows: 'html' })}" data-start="${page.before + page.start}"`;
  return html`${assets.load('photos')}
<div class="head photos-head"><div class="heading"><h1>${meta.folderName}</h1><p class="meta"><span>${sumsOf(sumOf(timeline.months))}</span>${page.hasShares ? ofOthers(page) : html``}</p></div><div class="tools">${albumsLink(links)}${mapLink(links)}${importLink(page)}${backupLink(page)}${viewSwitch(links, path, look)}</div></div>
${done}
<section class="listing" ${facts}>${selectionBar(abilities)}<div class="timeline"><div class="months">${pastDays(page)}<div class="table gallery by-month" ${where}><section class="month" aria-labelledby="${id}"><div class="month-head"><h2 id="${id}">${monthName(month)}</h2>${shown === undefined ? html`` : html`<p>${sumsOf(shown)}</p>`}</div><ul class="items fitted-rows" aria-labelledby="${id}">
${rows}</ul></section></div>${moreLink(page)}${besideLinks(page)}</div>${scrubber(page)}</div>${itemMenu(abilities)}</section>`;
}

function mapLink({ map }: FilesLinks): Html {
  return html`<a class="button" href="${map}">${sprite('map')}<span>${t('map.heading')}</span></a>`;
}

function backupLink({ links, account }: PhotosPage): Html {
  if (!canBackUpPhotos(account)) return html``;
  return html`<a class="button" href="${links.photoBackup}">${sprite('phone')}<span>${t('photoBackup.entry')}</span></a>`;
}

function importLink({ links, account }: PhotosPage): Html {
  if (!canImport(account)) return html``;
  return html`<a class="button" href="${links.imports}">${sprite('download')}<span>${t('imports.heading')}</span></a>`;
}

/** Where the photos of others are. */
function ofOthers({ links, look }: PhotosPage): Html {
  const list = html`<a href="${links.folder('/PHOTOS', { ...look, view: 'list' })}">${t('photos.list')}</a>`;
  return html` · ${tHtml('photos.ofOthers', { list })}`;
}

/** The first photos of this day in earlier years; nothing if there are none. */
function pastDays({ links, pastDays: days, listed, now }: PhotosPage): Html {
  if (days.length === 0) return html``;
  const today = new Date(now).toLocaleDateString(LOCALE, { day: 'numeric', month: 'long' });
  const card = ({ years, row, start, ...sums }: PastDayRow) => {
    const month = monthOf(row.changedAt ?? now);
    const picture = listed.meta.perms.download ? links.picture(row) : null;
    const image =
      picture === null
        ? html`${sprite('photo')}`
        : html`<img src="${picture(400)}" loading="lazy" decoding="async" alt="">`;
    return html`<li><a href="${links.folder('/PHOTOS', {}, { month, start })}">${image}<span class="past-text"><strong>${t('photos.yearsAgo', { years })}</strong><span>${sumsOf(sums)}</span></span></a></li>`;
  };
  return html`<section class="past-days" aria-labelledby="past-days"><div class="month-head"><h2 id="past-days">${t('photos.pastDays')}</h2><p>${today}</p></div><ul>${days.map(card)}</ul></section>`;
}

/** Without the script: the rest of the month, and the months beside it. */
function moreLink({ links, listed, month, start, further }: PhotosPage): Html {
  if (further === 0) return html``;
  const next = links.folder('/PHOTOS', {}, { month, start: start + listed.rows.length, limit: further });
  return html`<p class="without-script"><a class="button" href="${next}">${t('files.more', { count: further })}</a></p>`;
}

function besideLinks({ links, timeline: { months }, month }: PhotosPage): Html {
  const at = months.findIndex((one) => one.month === month);
  const to = (one: PhotoMonth | undefined, direction: 'later' | 'earlier') =>
    one === undefined
      ? html``
      : html`<a class="button" href="${monthAddress(links, one)}" rel="${direction === 'later' ? 'prev' : 'next'}">${t(`photos.${direction}`, { month: monthName(one.month) })}</a>`;
  if (months.length < 2) return html``;
  return html`<nav class="without-script" aria-label="${t('photos.beside')}">${to(months[at - 1], 'later')}${to(months[at + 1], 'earlier')}</nav>`;
}

/** All months by years: links, from which the script makes the control at the edge of the window. */
function scrubber({ links, timeline: { months }, month }: PhotosPage): Html {
  const years = new Map<string, PhotoMonth[]>();
  for (const one of months) {
    const year = one.month.slice(0, 4);
    years.set(year, [...(years.get(year) ?? []), one]);
  }
  const entry = (one: PhotoMonth) => {
    const isOn = one.month === month ? html` aria-current="true"` : html``;
    return html`<li><a href="${monthAddress(links, one)}" title="${monthName(one.month)}" aria-label="${monthName(one.month)}" data-month="${one.month}" data-sums="${one.photos} ${one.films}"${isOn}>${shortMonthName(one.month)}</a></li>`;
  };
  return html`<nav class="scrubber" aria-label="${t('photos.months')}"><ol>${[...years].map(
    ([year, own]) => html`<li><strong>${year}</strong><ol>${own.map(entry)}</ol></li>`,
  )}</ol></nav>`;
}

function monthAddress(links: FilesLinks, { month }: Pick<PhotoMonth, 'month'>): string {
  return links.folder('/PHOTOS', {}, { month });
}

/** `June 2027`. @param text such as `2027-06` */
function monthName(text: string): string {
  const time = new Date(`${text}-01T00:00:00Z`);
  return time.toLocaleDateString(LOCALE, { timeZone: 'UTC', month: 'long', year: 'numeric' });
}

/** `Jun`, for the narrow column of months. @param text such as `2027-06` */
function shortMonthName(text: string): string {
  return new Date(`${text}-01T00:00:00Z`).toLocaleDateString(LOCALE, { timeZone: 'UTC', month: 'short' });
}

/** The month of a moment in the household's time zone. */
function monthOf(time: number): string {
  const date = new Date(time);
  return `${String(date.getFullYear()).padStart(4, '0')}-${String(date.getMonth() + 1).padStart(2, '0')}`;
}

function sumsOf({ photos, films }: { readonly photos: number; readonly films: number }): string {
  return t('photos.sums', { photos, films });
}

function sumOf(months: readonly PhotoMonth[]): { readonly photos: number; readonly films: number } {
  return months.reduce((sum, { photos, films }) => ({ photos: sum.photos + photos, films: sum.films + films }), {
    photos: 0,
    films: 0,
  });
}
