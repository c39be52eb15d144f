// The folder onto which something is dropped: entries of the list, or files of the computer.

import { closest } from '../../lib/dom.ts';
import { main } from '../page.ts';
import { nameOf, pathOf } from './item.ts';
import { abilities, listing, rowOf } from './items.ts';

export interface FolderAt {
  readonly element: HTMLElement;
  readonly path: string;
  readonly name: string;
  /** Whether it is the folder whose list is shown. */
  readonly isShown: boolean;
}

/** @returns null where nothing can be put */
export function folderAt(target: EventTarget | null): FolderAt | null {
  const row = rowOf(target);
  if (row?.classList.contains('dir') === true) return folder(row, pathOf(row), nameOf(row));
  const link = placeAt(target);
  if (link === null) return main.contains(target as Node) ? shownFolder() : null;
  const path = new URL(link.href).searchParams.get('path') ?? '';
  return isFolder(path) ? folder(link, path, link.textContent ?? '') : null;
}

const folder = (element: HTMLElement, path: string, name: string, isShown = false): FolderAt => ({
  ...{ element, path, name, isShown },
});

/** A breadcrumb, or an entry of the sidebar. */
export const placeAt = (target: EventTarget | null): HTMLAnchorElement | null =>
  closest<HTMLAnchorElement>(target, '.crumbs a, .file-nav ul a');

/** The shown folder; null for a list that takes no files. */
export function shownFolder(): FolderAt | null {
  const element = listing();
  if (element === null || !abilities().includes('upload')) return null;
  const { path = '', name = '' } = element.dataset;
  return folder(element, path, name, true);
}

const isFolder = (path: string) => /^\/ROOT\/(?:HOME|\d+\/\d+)(?:\/|$)/.test(path);
