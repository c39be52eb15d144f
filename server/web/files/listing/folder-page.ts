import type { AccountRecord } from '../../../accounts/accounts.ts';
import { avatarColour } from '../../../lib/text/avatar-colour.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { SORTS } from '../../../listing/arrange.ts';
import { listOf, t } from '../../../messages/messages.ts';
import { initialOf } from '../../shell/avatar.ts';
import { sprite } from '../../shell/icons.ts';
import type { Abilities } from '../abilities.ts';
import type { FilesLinks } from '../addresses.ts';
import type { Listed, NamedPath, Row } from '../context.ts';
import { crumbs, emptyState } from '../frame.ts';
import { canImport } from '../imports/page.ts';
import { canBackUpPhotos } from '../photo-backup/page.ts';
import { albumsLink, itemMenu, listFacts, menuEntry, selectionBar, viewSwitch } from './list-parts.ts';
import type { Look } from './look.ts';
import { itemRows, type Rows } from './rows.ts';

interface FolderPage {
  readonly links: FilesLinks;
  readonly listed: Listed;
  readonly breadcrumbs: readonly NamedPath[];
  readonly look: Look;
  readonly abilities: Abilities;
  readonly account: Pick<AccountRecord, 'homeId' | 'permissions'>;
  readonly now: number;
  /** Base address of the file type icons. */
  readonly icons: string;
  /** Index of the page's first entry. */
  readonly start: number;
  /** The result of the last action. */
  readonly done: Html;
  readonly trashDays: number;
  readonly readOnly: boolean;
  /** In the list of what is shared: whether an entry is new to the person. */
  readonly isNew?: (row: Row) => boolean;
  /** In the list of people who share something: what each of them shares. */
  readonly shares: readonly SharedByPerson[];
  /** In the list of links: those that no entry shows. */
  readonly otherLinks: Html | null;
}

export interface SharedByPerson {
  readonly person: Row;
  readonly rows: readonly Row[];
  /** Of all pages. */
  readonly total: number;
}

/** Entries per further batch. */
export const MORE_ROWS = 300;

/** Lists with an order of their own. */
const ORDERED = new Set(['/RECENT', '/PHOTOS', '/MUSIC', '/TRASH']);
/** Lists of items from different folders: each entry shows its folder. */
const SCATTERED = new Set(['/RECENT', '/STARRED', '/PHOTOS', '/MUSIC']);
/** The newest items of all folders. */
const NEWEST = new Set(['/RECENT', '/PHOTOS', '/MUSIC']);

export function folderMain(page: FolderPage): Html {
  const { links, listed, breadcrumbs, look, abilities, done } = page;
  const { meta, total } = listed;
  const rows = listed.rows.filter(({ personId }) => personId === null);
  const people = listed.rows.filter(({ personId }) => personId !== null);
  const { shares } = page;
  const shownShares = shares.reduce((sum, one) => sum + one.rows.length, 0);
  const facts = listFacts({
    path: meta.path,
    name: meta.folderName,
    total: total - people.length + shownShares,
    abilities,
  });
  const line = metaLine(page);
  const shown = shownRows(page, rows);
  return html`${crumbs(links, breadcrumbs)}
<div class="head"><div class="heading"><h1>${bidiIsolate(breadcrumbs.at(-1)?.name ?? meta.folderName)}</h1>${line === '' ? html`` : html`<p class="meta">${line}</p>`}</div>${pageActions(page)}</div>
${people.length === shares.length ? html`` : peopleList(links, people)}${page.otherLinks ?? html``}
${tools(page)}
${done}
<section class="listing" ${facts}>${
    rows.length === 0
      ? shownShares > 0
        ? html`${selectionBar(abilities)}${sharesByPerson(page)}${itemMenu(abilities)}`
        : people.length > 0 || page.otherLinks !== null
          ? html``
          : nothing(page)
      : html`${selectionBar(abilities)}${sharesByPerson(page)}<div class="table ${look.view}"${windowFacts(page)}>${heads(page)}<ul class="items${look.view === 'gallery' ? ' fitted-rows' : ''}" aria-label="${t('files.list')}">
${itemRows(shown)}</ul></div>${moreLink(page)}${itemMenu(abilities)}`
  }</section>`;
}

/** How the page shows entries of its list. */
export function shownRows(
  page: Omit<FolderPage, 'breadcrumbs' | 'shares' | 'otherLinks' | 'done'>,
  rows: readonly Row[],
): Rows {
  const { meta } = page.listed;
  return { ...page, rows, path: meta.path, canOpen: meta.perms.download, isScattered: SCATTERED.has(meta.path) };
}

function metaLine({ listed, readOnly, trashDays, abilities }: FolderPage): string {
  const { rows, total, meta } = listed;
  const people = rows.filter(({ personId }) => personId !== null).length;
  if (people === rows.length && people > 0) return t('files.count.people', { count: people });
  const folders = rows.filter(({ isDir }) => isDir).length - people;
  const counted =
    total === 0
      ? ''
      : NEWEST.has(meta.path)
        ? t('files.count.newest', { count: total })
        : rows.length < total
          ? t('files.count.items', { count: total })
          : countsOf({ people, folders, files: rows.length - folders - people });
  if (meta.path === '/TRASH' && total > 0)
    return `${t('files.count.items', { count: total })} · ${t('files.trash.lifetime', { days: trashDays })}`;
  return [counted, readOnly && !abilities.upload ? t('files.readOnly') : ''].filter((part) => part !== '').join(' · ');
}

/** Zero files are named, too, but not beside folders. */
function countsOf({ people, folders, files }: Record<'people' | 'folders' | 'files', number>): string {
  return listOf([
    people === 0 ? '' : t('files.count.people', { count: people }),
    folders === 0 ? '' : t('files.count.folders', { count: folders }),
    files === 0 && folders > 0 ? '' : t('files.count.files', { count: files }),
  ]);
}

/** Sharers are people, not folders, so no actions apply to them. */
function peopleList(links: FilesLinks, people: readonly Row[]): Html {
  return html`<ul class="people">${people.map(
    ({ name, path, personId }) =>
      html`<li><a href="${links.folder(path)}"><span class="avatar ${avatarColour(personId ?? 0)}" aria-hidden="true">${initialOf(name)}</span><span>${bidiIsolate(name)}</span></a></li>`,
  )}</ul>`;
}

/** What each person shares, below their name. */
function sharesByPerson(page: FolderPage): Html {
  const { links, shares, listed } = page;
  return html`${shares.map(({ person, rows, total }) => {
    const id = `person-${person.personId}`;
    const all =
      rows.length < total
        ? html`<a href="${links.folder(person.path)}">${t('files.shared.all', { count: total })}</a>`
        : html``;
    const shown = { ...page, rows, look: { ...page.look, view: 'list' as const }, path: person.path };
    const list = itemRows({ ...shown, canOpen: listed.meta.perms.download, isScattered: false });
    return html`<section class="group" aria-labelledby="${id}"><div class="group-head"><h2 id="${id}"><a class="sharer" href="${links.folder(person.path)}"><span class="avatar ${avatarColour(person.personId ?? 0)}" aria-hidden="true">${initialOf(person.name)}</span><span>${bidiIsolate(person.name)}</span></a></h2>${all}</div><div class="table list"><ul class="items" aria-labelledby="${id}">
${list}</ul></div></section>`;
  })}`;
}

/** The buttons that add something to the folder, or empty it. */
function pageActions({ links, listed, abilities, account }: FolderPage): Html {
  const { path } = listed.meta;
  if (abilities.emptyTrash && listed.total + listed.hidden > 0) {
    return html`<div class="page-actions"><a class="button danger" href="${links.act('empty-trash')}" data-do="empty-trash">${sprite('trash')}<span>${t('files.actions.emptyTrash')}</span></a></div>`;
  }
  if (!abilities.upload) return html``;
  return html`<div class="page-actions"><a class="button" href="${links.act('create-folder', path)}" data-do="create-folder">${sprite('folderPlus')}<span>${t('files.actions.createFolder')}</span></a><span class="uploads"><a class="button primary" href="${links.act('upload', path)}" data-do="upload">${sprite('upload')}<span>${t('files.actions.upload')}</span></a></span><template id="more-uploads" data-label="${t('files.actions.uploadMore')}">${menuEntry('upload', 'upload', t('files.actions.uploadFiles'))}${menuEntry('upload-folder', 'folderUp', t('files.actions.uploadFolder'))}${menuEntry('take-photo', 'camera', t('files.actions.takePhoto'))}${abilities.items.has('edit') ? menuEntry('create-file', 'fileText', t('editing.create')) : html``}${abilities.requestFiles ? menuEntry('request-files', 'link', t('files.actions.requestFiles')) : html``}${canBackUpPhotos(account) ? menuEntry('back-up-photos', 'phone', t('photoBackup.entry')) : html``}</template></div>`;
}

/** The view and sort controls. */
function tools(page: FolderPage): Html {
  const { links, listed, look } = page;
  const { path } = listed.meta;
  const isOfPeople = listed.rows.every(({ personId }) => personId !== null);
  if (isOfPeople || path === '/TRASH') return html``;
  const albums = path === '/PHOTOS' ? albumsLink(links) : html``;
  return html`<div class="tools">${albums}${ORDERED.has(path) ? html`` : sortMenu(page)}${viewSwitch(links, path, look)}</div>`;
}

function sortMenu({ links, listed, look }: FolderPage): Html {
  const { path } = listed.meta;
  const choice = (change: Partial<Look>, text: string, isOn: boolean) =>
    html`<a href="${links.look(path, { ...look, ...change })}"${isOn ? html` aria-current="true"` : html``}>${isOn ? sprite('check') : html`<span class="gap"></span>`}${text}</a>`;
  const isReverse = look.order !== usualOrder(look.sort);
  const other = look.order === 'asc' ? 'desc' : 'asc';
  return html`<details class="drop"><summary class="button">${sprite('sort')}<span>${t('files.sort.label')}</span></summary><div class="choices">${SORTS.map(
    (name) => choice({ sort: name, order: usualOrder(name) }, t(`files.sort.by.${name}`), look.sort === name),
  )}<hr>${choice({ order: other }, t('files.sort.reverse'), isReverse)}</div></details>`;
}

/** By date and size, the newest and largest come first. */
function usualOrder(sort: Look['sort']): Look['order'] {
  return sort === 'mdate' || sort === 'size' ? 'desc' : 'asc';
}

function heads({ links, listed, look }: FolderPage): Html {
  const { path } = listed.meta;
  const isFixed = ORDERED.has(path);
  const head = (name: 'name' | 'mdate' | 'size', kind: string) => {
    const text = t(`files.sort.columns.${name === 'mdate' ? timeIn(path) : name}`);
    if (isFixed) return html`<span class="${kind}">${text}</span>`;
    const isOn = look.sort === name;
    const order = !isOn ? usualOrder(name) : look.order === 'asc' ? 'desc' : 'asc';
    return html`<span class="${kind}"><a href="${links.look(path, { ...look, sort: name, order })}">${text}${
      isOn
        ? html`${sprite(look.order === 'asc' ? 'up' : 'down')}<span class="unseen"> ${look.order === 'asc' ? t('files.sort.ascending') : t('files.sort.descending')}</span>`
        : html``
    }</a></span>`;
  };
  return html`<div class="heads"><label class="pick"><input type="checkbox" id="all" aria-label="${t('files.selection.all')}"></label>${head('name', 'what')}${head('mdate', 'when')}${head('size', 'bytes')}<span class="more"></span></div>`;
}

/** Which time a list shows. */
function timeIn(path: string): 'deleted' | 'recent' | 'mdate' {
  if (path === '/TRASH') return 'deleted';
  return path === '/RECENT' ? 'recent' : 'mdate';
}

/** A list that the script shows in part: where its rows are. */
function windowFacts({ links, listed, look, start }: FolderPage): Html {
  const { rows, total, meta } = listed;
  const isWhole = rows.length >= total;
  if (isWhole || start > 0 || rows.some(({ personId }) => personId !== null)) return html``;
  return html` data-rows="${links.folder(meta.path, look, { rows: 'html' })}"`;
}

function moreLink({ links, listed, look, start }: FolderPage): Html {
  const { rows, total, meta } = listed;
  const next = start + rows.length;
  if (next >= total) return html``;
  const href = links.folder(meta.path, look, { start: next, limit: MORE_ROWS });
  return html`<p class="more-rows"><a class="button" href="${href}" rel="next">${t('files.more', { count: Math.min(MORE_ROWS, total - next) })}</a></p>`;
}

const EMPTY_LISTS = {
  '/RECENT': 'recent',
  '/STARRED': 'starred',
  '/PHOTOS': 'photos',
  '/MUSIC': 'music',
  '/TRASH': 'trash',
  '/SHARES': 'shares',
  '/LINKS': 'links',
  '/ROOT/SHARED': 'sharedWithMe',
} as const;

function nothing({ links, listed, abilities, account }: FolderPage): Html {
  const { path } = listed.meta;
  const list = path in EMPTY_LISTS ? EMPTY_LISTS[path as keyof typeof EMPTY_LISTS] : null;
  if (listed.hidden > 0) {
    return emptyState({ heading: t('files.empty.hidden.heading'), help: t('files.empty.hidden.help') });
  }
  const kind = list ?? (abilities.upload ? 'folder' : 'readOnly');
  const way =
    kind === 'photos' && canBackUpPhotos(account)
      ? html`<p class="empty-actions"><a class="button primary" href="${links.photoBackup}">${sprite('phone')}<span>${t('photoBackup.entry')}</span></a>${canImport(account) ? html` <a class="button" href="${links.imports}">${sprite('download')}<span>${t('imports.heading')}</span></a>` : html``}</p>`
      : html``;
  return emptyState({ heading: t(`files.empty.${kind}.heading`), help: t(`files.empty.${kind}.help`) }, way);
}
