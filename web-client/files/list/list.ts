// The list of a folder: prepares rows for the script, and loads more near the end.

import { t } from 'virtual:messages/files';
import { elements, make, matches, parseHtml, required, sprite } from '../../lib/dom.ts';
import { syncViewer } from '../open-viewer.ts';
import { root } from '../page.ts';
import { requestPage } from '../requests.ts';
import { focusRow, linkOf, nameOf, pathOf, rowOf, rows } from './items.ts';
import {
  clearSelection,
  isAllSelected,
  markRow,
  resetSelection,
  selectRows,
  showSelection,
  toggle,
} from './selection.ts';

/** Rows per request when all are wanted. */
const MAX_ROWS = 2_000;

let loading: Promise<boolean> | null = null;

const observer = new IntersectionObserver(
  (entries) => {
    if (entries.some(({ isIntersecting }) => isIntersecting)) void loadMore();
  },
  { rootMargin: '800px' },
);

export const rowCount = (): number => rows().length;

/**
 * Initializes the list of a page.
 * @param isKept whether existing items stay selected @param focus the path of a row
 */
export function attachList({ isKept = false, focus = null }: { isKept?: boolean; focus?: string | null } = {}): void {
  loading = null;
  const all = rows();
  for (const row of all) prepareRow(row);
  resetSelection(isKept);
  for (const row of all) markRow(row);
  watchEnd();
  showSelection();
  const wanted = focus === null ? undefined : all.find((row) => pathOf(row) === focus);
  if (wanted !== undefined) focusRow(wanted);
  else linkOf(all[0])?.setAttribute('tabindex', '0');
  syncViewer();
}

/** The list is one tab stop. The box that selects a row is only for use without the script. */
function prepareRow(row: HTMLElement): void {
  const link = linkOf(row);
  if (row.dataset.path === undefined && link !== null) {
    row.dataset.path = new URL(link.href).searchParams.get('path') ?? '';
    const box = make('input', { type: 'checkbox', 'aria-label': t('files.row.select', { name: nameOf(row) }) });
    row.prepend(make('label', { class: 'pick' }, box));
    if (row.querySelector('.more') === null) {
      const more = { class: 'more', href: link.href, 'aria-label': t('files.row.more', { name: nameOf(row) }) };
      row.append(make('a', more, sprite('dots')));
    }
  }
  for (const element of elements(row, 'a, input')) element.tabIndex = -1;
  markRow(row);
}

function watchEnd(): void {
  observer.disconnect();
  const end = document.querySelector('.more-rows');
  if (end !== null) observer.observe(end);
}

/** @returns whether there were more */
export function loadMore(limit?: number): Promise<boolean> {
  const link = document.querySelector<HTMLAnchorElement>('.more-rows a');
  if (link === null) return Promise.resolve(false);
  loading ??= fetchMore(link, limit).finally(() => {
    loading = null;
  });
  return loading;
}

async function fetchMore(link: HTMLAnchorElement, limit?: number): Promise<boolean> {
  const list = required(document, '.items');
  const address = new URL(link.href);
  if (limit !== undefined) address.searchParams.set('limit', String(limit));
  try {
    const page = parseHtml((await requestPage(address.href)).main);
    if (!list.isConnected) return false;
    const more = elements(page, '.items > li');
    for (const row of more) if (row.matches('.item')) prepareRow(row);
    list.append(...more);
    const end = page.querySelector('.more-rows');
    if (end === null) link.parentElement?.remove();
    else link.parentElement?.replaceWith(end);
    watchEnd();
    return true;
  } catch {
    // The link stays available.
    return false;
  }
}

export async function selectAll(): Promise<void> {
  while (document.querySelector('.more-rows') !== null) if (!(await loadMore(MAX_ROWS))) break;
  selectRows(rows());
}

root.addEventListener('click', ({ target, shiftKey }) => {
  const row = rowOf(target);
  if (target instanceof HTMLInputElement && target.matches('#all, #picked')) {
    const isWanted = target.id === 'all' ? target.checked : !isAllSelected();
    if (isWanted) void selectAll();
    else clearSelection();
  } else if (row !== null && (matches(target, '.pick input') || !isInLink(target))) {
    toggle(row, shiftKey);
  }
});

const isInLink = (target: EventTarget | null) => target instanceof Element && target.closest('a, label') !== null;
