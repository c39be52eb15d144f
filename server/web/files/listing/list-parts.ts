import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { type IconName, sprite } from '../../shell/icons.ts';
import { type Abilities, ITEM_ACTIONS, type ItemAction } from '../abilities.ts';
import type { FilesLinks } from '../addresses.ts';
import { type Look, VIEWS } from './look.ts';

/** A list, as the script needs it. */
interface ListFacts {
  /** Of its folder; empty for a list without one. */
  readonly path: string;
  readonly name: string;
  /** Entries on all pages together. */
  readonly total: number;
  readonly abilities: Abilities;
}

/** The attributes of a list. */
export function listFacts({ path, name, total, abilities }: ListFacts): Html {
  const can = [
    ...abilities.items,
    ...(abilities.upload ? ['upload'] : []),
    ...(abilities.downloadFolders ? ['downloadFolders'] : []),
    ...(abilities.linkFiles ? ['linkFiles'] : []),
  ];
  return html`data-path="${path}" data-name="${name}" data-total="${total}" data-can="${can.join(' ')}"`;
}

const VIEW_ICONS: Record<Look['view'], IconName> = { gallery: 'grid', list: 'rows' };

/** The choice between list and gallery, from now on. */
export function viewSwitch(links: FilesLinks, path: string, look: Look): Html {
  const views = VIEWS.map((name) => {
    const isOn = look.view === name ? html` aria-current="true"` : html``;
    return html`<a href="${links.look(path, { ...look, view: name })}"${isOn}>${sprite(VIEW_ICONS[name])}<span>${t(`files.view.${name}`)}</span></a>`;
  });
  return html`<div class="switch" role="group" aria-label="${t('files.view.label')}">${views}</div>`;
}

/** The link from the photos to the albums. */
export function albumsLink(links: FilesLinks): Html {
  return html`<a class="button" href="${links.albums}">${sprite('album')}<span>${t('albums.heading')}</span></a>`;
}

const ACTION_ICONS: Record<ItemAction, IconName> = {
  download: 'download',
  edit: 'edit',
  star: 'star',
  unstar: 'starFilled',
  share: 'share',
  link: 'link',
  versions: 'history',
  replace: 'upload',
  tag: 'tag',
  album: 'album',
  albumCover: 'photo',
  albumRemove: 'close',
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

const ONE_AT_A_TIME: ReadonlySet<ItemAction> = new Set(['edit', 'rename', 'versions', 'replace', 'albumCover']);

/** Shown by the script when something is selected. */
export function selectionBar({ items }: Abilities): Html {
  const many = ITEM_ACTIONS.filter((action) => items.has(action) && !ONE_AT_A_TIME.has(action) && action !== 'unstar');
  return html`<div class="selection" role="toolbar" aria-label="${t('files.selection.label')}" hidden><label class="pick"><input type="checkbox" id="picked" aria-label="${t('files.selection.all')}"></label><strong id="count"></strong><span class="item-actions">${many.map(
    (action) =>
      html`<button type="button" data-do="${action}"${isGrave(action) ? html` class="danger"` : html``}${action === 'album' ? html` aria-label="${t('files.actions.album')}" title="${t('files.actions.album')}"` : html``}>${sprite(ACTION_ICONS[action])}<span>${t(action === 'album' ? 'files.actions.albumShort' : `files.actions.${action}`)}</span></button>`,
  )}</span><button type="button" class="bare" data-do="clear" aria-label="${t('files.selection.clear')}" title="${t('files.selection.clear')}">${sprite('close')}</button></div>`;
}

function isGrave(action: ItemAction): boolean {
  return action === 'delete' || action === 'erase';
}

/** The template of an entry's menu. */
export function itemMenu({ items }: Abilities): Html {
  const keys: Partial<Record<ItemAction, string>> = {
    rename: 'F2',
    delete: t('files.keys.delete'),
    erase: t('files.keys.delete'),
  };
  const isTrash = items.has('restore');
  const entry = (action: ItemAction) =>
    menuEntry(action, ACTION_ICONS[action], t(`files.actions.${action}`), keys[action]);
  const allowed = ITEM_ACTIONS.filter((action) => items.has(action));
  const grave = allowed.filter(isGrave);
  // What removes something stands apart, so that it is not chosen instead of its neighbour.
  return html`<template id="menu">${isTrash ? html`` : menuEntry('open', 'folder', t('files.actions.open'), t('files.keys.enter'))}${allowed
    .filter((action) => !isGrave(action))
    .map(
      entry,
    )}<hr>${isTrash ? html`` : menuEntry('details', 'info', t('files.actions.details'))}${menuEntry('select', 'select', t('files.actions.select'), t('files.keys.space'))}${grave.length === 0 ? html`` : html`<hr>${grave.map(entry)}`}</template>`;
}

export function menuEntry(action: string, name: IconName, text: string, key = ''): Html {
  const grave = action === 'delete' || action === 'erase' ? html` class="danger"` : html``;
  return html`<button type="button" role="menuitem" tabindex="-1" data-do="${action}"${grave}>${sprite(name)}<span>${text}</span>${key === '' ? html`` : html`<kbd>${key}</kbd>`}</button>`;
}
