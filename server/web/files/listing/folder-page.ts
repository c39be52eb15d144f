import { avatarColour } from '../../../lib/text/avatar-colour.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { SORTS } from '../../../listing/arrange.ts';
import { listOf, t } from '../../../messages/messages.ts';
import { initialOf } from '../../shell/avatar.ts';
import { type IconName, sprite } from '../../shell/icons.ts';
import { type Abilities, ITEM_ACTIONS, type ItemAction } from '../abilities.ts';
import { defaultLook, type FilesLinks, type Look, VIEWS } from '../addresses.ts';
import type { Listed, NamedPath, Row } from '../context.ts';
import { crumbs, emptyState } from '../frame.ts';
import { itemRows } from './rows.ts';

export interface FolderPage {
  readonly links: FilesLinks;
  readonly listed: Listed;
  readonly breadcrumbs: readonly NamedPath[];
  readonly look: Look;
  readonly abilities: Abilities;
  readonly now: number;
  /** Base address of the file type icons. */
  readonly icons: string;
  /** Index of the page's first entry. */
  readonly start: number;
  readonly search: { readonly query: string; readonly in: SearchedIn } | null;
  /** The result of the last action. */
  readonly done: Html;
  readonly trashDays: number;
  readonly readOnly: boolean;
}

/** What is searched: names, contents, or metadata and comments. */
export const SEARCHED_IN = ['names', 'contents', 'details'] as const;
export type SearchedIn = (typeof SEARCHED_IN)[number];

/** Entries per further batch. */
export const MORE_ROWS = 300;

/** Lists with an order of their own. */
const ORDERED = new Set(['/PHOTOS', '/MUSIC', '/TRASH']);
/** Lists of items from different folders: each entry shows its folder. */
const SCATTERED = new Set(['/STARRED', '/PHOTOS', '/MUSIC']);

export function folderMain(page: FolderPage): Html {
  const { links, listed, breadcrumbs, look, abilities, search, done } = page;
  const { meta, total } = listed;
  const rows = listed.rows.filter(({ personId }) => personId === null);
  const people = listed.rows.filter(({ personId }) => personId !== null);
  const heading =
    search === null
      ? (breadcrumbs.at(-1)?.name ?? meta.folderName)
      : t('files.search.heading', { query: bidiIsolate(search.query) });
  const isScattered = search !== null || SCATTERED.has(meta.path);
  const dataset = html`data-path="${meta.path}" data-name="${meta.folderName}" data-total="${total - people.length}" data-can="${[...abilities.items, ...(abilities.upload ? ['upload'] : []), ...(abilities.downloadFolders ? ['downloadFolders'] : []), ...(abilities.linkFiles ? ['linkFiles'] : [])].join(' ')}"`;
  const line = metaLine(page);
  const shown = { ...page, rows, path: meta.path, canOpen: meta.perms.download, isScattered };
  return html`${crumbs(links, search === null ? breadcrumbs : [...breadcrumbs, { name: '', path: meta.path }])}
<div class="head"><div class="heading"><h1>${heading}</h1>${line === '' ? html`` : html`<p class="meta">${line}</p>`}</div>${pageActions(page)}</div>
${people.length === 0 ? html`` : peopleList(links, people)}
${tools(page)}
${search === null ? html`` : searchSwitch(page, search)}
${done}
<section class="listing" ${dataset}${search === null ? html`` : html` data-search="1"`}>${
    rows.length === 0
      ? people.length > 0
        ? html``
        : nothing(page)
      : html`${selectionBar(abilities)}<div class="table ${look.view}">${heads(page)}<ul class="items${look.view === 'gallery' ? ' fitted-rows' : ''}" aria-label="${t('files.list')}">
${itemRows(shown)}</ul></div>${moreLink(page)}${menu(abilities)}`
  }</section>`;
}

function metaLine({ listed, search, readOnly, trashDays, abilities }: FolderPage): string {
  const { rows, total, meta } = listed;
  if (search !== null) {
    const found = meta.truncated === true ? 'files.count.foundFirst' : 'files.count.found';
    return `${t('files.search.folder', { folder: bidiIsolate(meta.folderName) })} · ${t(found, { count: total })}`;
  }
  const people = rows.filter(({ personId }) => personId !== null).length;
  if (people === rows.length && people > 0) return t('files.count.people', { count: people });
  const folders = rows.filter(({ isDir }) => isDir).length - people;
  const counted =
    total === 0
      ? ''
      : meta.path === '/PHOTOS' || meta.path === '/MUSIC'
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
      html`<li><a href="${links.folder(path)}"><span class="avatar ${avatarColour(personId ?? 0)}" aria-hidden="true">${initialOf(name)}</span><span>${name}</span></a></li>`,
  )}</ul>`;
}

/** The buttons that add something to the folder, or empty it. */
function pageActions({ links, listed, abilities, search }: FolderPage): Html {
  const { path } = listed.meta;
  if (abilities.emptyTrash && listed.total > 0) {
    return html`<div class="page-actions"><a class="button danger" href="${links.act('empty-trash')}" data-do="empty-trash">${sprite('trash')}<span>${t('files.actions.emptyTrash')}</span></a></div>`;
  }
  if (!abilities.upload || search !== null) return html``;
  return html`<div class="page-actions"><a class="button" href="${links.act('create-folder', path)}" data-do="create-folder">${sprite('folderPlus')}<span>${t('files.actions.createFolder')}</span></a><span class="uploads"><a class="button primary" href="${links.act('upload', path)}" data-do="upload">${sprite('upload')}<span>${t('files.actions.upload')}</span></a></span><template id="more-uploads" data-label="${t('files.actions.uploadMore')}">${menuEntry('upload', 'upload', t('files.actions.uploadFiles'))}${menuEntry('upload-folder', 'folderUp', t('files.actions.uploadFolder'))}</template></div>`;
}

/** The view and sort controls. */
function tools(page: FolderPage): Html {
  const { links, listed, look, search } = page;
  const { path } = listed.meta;
  const isOfPeople = listed.rows.every(({ personId }) => personId !== null);
  if ((isOfPeople && search === null) || path === '/TRASH') return html``;
  const canSearch = search !== null || !(ORDERED.has(path) || SCATTERED.has(path) || NO_SEARCH.has(path));
  const icons: Record<Look['view'], IconName> = { gallery: 'grid', list: 'rows' };
  const more = search === null ? {} : { q: search.query, in: search.in };
  const views = VIEWS.map((name) => {
    const isOn = look.view === name ? html` aria-current="true"` : html``;
    const href = links.folder(path, { ...look, view: name }, more);
    return html`<a href="${href}"${isOn}>${sprite(icons[name])}<span>${t(`files.view.${name}`)}</span></a>`;
  });
  return html`<div class="tools">${canSearch ? searchForm(page) : html``}${
    ORDERED.has(path) || search !== null ? html`` : sortMenu(page)
  }<div class="switch" role="group" aria-label="${t('files.view.label')}">${views}</div></div>`;
}

const NO_SEARCH = new Set(['/ROOT/SHARED', '/SHARES', '/LINKS', '/ROOT']);

function searchForm({ links, listed, look, search }: FolderPage): Html {
  const usual = defaultLook(listed.meta.path);
  return html`<form class="search" role="search" method="get" action="${links.base}/"><input type="hidden" name="path" value="${listed.meta.path}">${
    look.view === usual.view ? html`` : html`<input type="hidden" name="view" value="${look.view}">`
  }${sprite('search')}<input type="search" name="q" value="${search?.query ?? ''}" aria-label="${t('files.search.label')}" placeholder="${t('files.search.label')}" maxlength="200" required><button class="unseen">${t('files.search.submit')}</button></form>`;
}

function searchSwitch({ links, listed, look, abilities }: FolderPage, search: { query: string; in: string }): Html {
  const { path } = listed.meta;
  const tab = (name: SearchedIn) =>
    html`<a href="${links.folder(path, look, { q: search.query, in: name })}"${search.in === name ? html` aria-current="page"` : html``}>${t(`files.search.in.${name}`)}</a>`;
  return html`<nav class="tabs" aria-label="${t('files.search.submit')}">${tab('names')}${tab('contents')}${abilities.details ? tab('details') : html``}<a class="end" href="${links.folder(path, look)}">${sprite('close')}${t('files.search.clear')}</a></nav>`;
}

function sortMenu({ links, listed, look }: FolderPage): Html {
  const { path } = listed.meta;
  const choice = (change: Partial<Look>, text: string, isOn: boolean) =>
    html`<a href="${links.folder(path, { ...look, ...change })}"${isOn ? html` aria-current="true"` : html``}>${isOn ? sprite('check') : html`<span class="gap"></span>`}${text}</a>`;
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

function heads({ links, listed, look, search }: FolderPage): Html {
  const { path } = listed.meta;
  const isFixed = ORDERED.has(path) || search !== null;
  const head = (name: 'name' | 'mdate' | 'size', kind: string) => {
    const text = t(name === 'mdate' && path === '/TRASH' ? 'files.sort.columns.deleted' : `files.sort.columns.${name}`);
    if (isFixed) return html`<span class="${kind}">${text}</span>`;
    const isOn = look.sort === name;
    const order = !isOn ? usualOrder(name) : look.order === 'asc' ? 'desc' : 'asc';
    return html`<span class="${kind}"><a href="${links.folder(path, { ...look, sort: name, order })}">${text}${
      isOn
        ? html`${sprite(look.order === 'asc' ? 'up' : 'down')}<span class="unseen"> ${look.order === 'asc' ? t('files.sort.ascending') : t('files.sort.descending')}</span>`
        : html``
    }</a></span>`;
  };
  return html`<div class="heads"><label class="pick"><input type="checkbox" id="all" aria-label="${t('files.selection.all')}"></label>${head('name', 'what')}${head('mdate', 'when')}${head('size', 'bytes')}<span class="more"></span></div>`;
}

const ACTION_ICONS: Record<ItemAction, IconName> = {
  download: 'download',
  star: 'star',
  unstar: 'starFilled',
  share: 'share',
  link: 'link',
  versions: 'history',
  rename: 'pencil',
  move: 'move',
  copy: 'copy',
  delete: 'trash',
  restore: 'restore',
  erase: 'trash',
};

export function actionIcon(action: ItemAction): IconName {
  return ACTION_ICONS[action];
}

const ONE_AT_A_TIME: ReadonlySet<ItemAction> = new Set(['rename', 'share', 'link', 'versions']);

/** Shown by the script when something is selected. */
function selectionBar({ items }: Abilities): Html {
  const many = ITEM_ACTIONS.filter((action) => items.has(action) && !ONE_AT_A_TIME.has(action) && action !== 'unstar');
  return html`<div class="selection" role="toolbar" aria-label="${t('files.selection.label')}" hidden><label class="pick"><input type="checkbox" id="picked" aria-label="${t('files.selection.all')}"></label><strong id="count"></strong><span class="item-actions">${many.map(
    (action) =>
      html`<button type="button" data-do="${action}"${isGrave(action) ? html` class="danger"` : html``}>${sprite(ACTION_ICONS[action])}<span>${t(`files.actions.${action}`)}</span></button>`,
  )}</span><button type="button" class="bare" data-do="clear" aria-label="${t('files.selection.clear')}" title="${t('files.selection.clear')}">${sprite('close')}</button></div>`;
}

function isGrave(action: ItemAction): boolean {
  return action === 'delete' || action === 'erase';
}

/** The template of an entry's menu. */
function menu({ items }: Abilities): Html {
  const keys: Partial<Record<ItemAction, string>> = {
    rename: 'F2',
    delete: t('files.keys.delete'),
    erase: t('files.keys.delete'),
  };
  const isTrash = items.has('restore');
  return html`<template id="menu">${isTrash ? html`` : menuEntry('open', 'folder', t('files.actions.open'), t('files.keys.enter'))}${ITEM_ACTIONS.filter(
    (action) => items.has(action),
  ).map((action) =>
    menuEntry(action, ACTION_ICONS[action], t(`files.actions.${action}`), keys[action]),
  )}<hr>${isTrash ? html`` : menuEntry('details', 'info', t('files.actions.details'))}${menuEntry('select', 'select', t('files.actions.select'), t('files.keys.space'))}</template>`;
}

function menuEntry(action: string, name: IconName, text: string, key = ''): Html {
  const grave = action === 'delete' || action === 'erase' ? html` class="danger"` : html``;
  return html`<button type="button" role="menuitem" tabindex="-1" data-do="${action}"${grave}>${sprite(name)}<span>${text}</span>${key === '' ? html`` : html`<kbd>${key}</kbd>`}</button>`;
}

function moreLink({ links, listed, look, start }: FolderPage): Html {
  const { rows, total, meta } = listed;
  const next = start + rows.length;
  if (next >= total) return html``;
  const href = links.folder(meta.path, look, { start: next, limit: MORE_ROWS });
  return html`<p class="more-rows"><a class="button" href="${href}" rel="next">${t('files.more', { count: Math.min(MORE_ROWS, total - next) })}</a></p>`;
}

const EMPTY_LISTS = {
  '/STARRED': 'starred',
  '/PHOTOS': 'photos',
  '/MUSIC': 'music',
  '/TRASH': 'trash',
  '/SHARES': 'shares',
  '/LINKS': 'links',
  '/ROOT/SHARED': 'sharedWithMe',
} as const;

function nothing({ listed, search, abilities }: FolderPage): Html {
  if (search !== null)
    return emptyState({ heading: t('files.search.none.heading'), help: t('files.search.none.help') });
  const { path } = listed.meta;
  const list = path in EMPTY_LISTS ? EMPTY_LISTS[path as keyof typeof EMPTY_LISTS] : null;
  const kind = list ?? (abilities.upload ? 'folder' : 'readOnly');
  return emptyState({ heading: t(`files.empty.${kind}.heading`), help: t(`files.empty.${kind}.help`) });
}
