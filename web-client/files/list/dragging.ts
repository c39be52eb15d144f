// Dragging entries onto a folder: a row, a breadcrumb or an entry of the sidebar. The keyboard has the action Move.

import { t } from 'virtual:messages/files';
import { closest, make } from '../../lib/dom.ts';
import { moveItems } from '../moves.ts';
import { subjectsOf } from '../overlays/item-menu.ts';
import { base, root } from '../page.ts';
import { draggedItems, isDraggingItems, setDragged } from './dragged.ts';
import { pathOf } from './item.ts';
import { abilities, rowOf } from './items.ts';
import { showPage } from './navigation.ts';
import { isAllowed } from './selection.ts';

/** Milliseconds over a folder until it opens. */
const OPENING = 800;

let marked: { readonly element: HTMLElement; readonly timer: ReturnType<typeof setTimeout> } | null = null;

/** A folder under the pointer, with its element and path. */
function folderAt(target: EventTarget | null): { element: HTMLElement; path: string } | null {
  const row = rowOf(target);
  if (row?.classList.contains('dir') === true) return { element: row, path: pathOf(row) };
  const link = closest<HTMLAnchorElement>(target, '.crumbs a, .file-nav ul a');
  const path = link === null ? null : new URL(link.href).searchParams.get('path');
  return link === null || path === null || !isFolder(path) ? null : { element: link, path };
}

const isFolder = (path: string) => /^\/ROOT\/(?:HOME|\d+\/\d+)(?:\/|$)/.test(path);

/** Not into itself, and not where it is already. */
const canTake = (folder: string): boolean =>
  draggedItems().every(
    ({ path }) => folder !== path && !folder.startsWith(`${path}/`) && folder !== path.slice(0, path.lastIndexOf('/')),
  );

function mark(element: HTMLElement | null, path = ''): void {
  if (marked?.element === element) return;
  if (marked !== null) {
    clearTimeout(marked.timer);
    marked.element.classList.remove('drop-here');
    marked.element.removeAttribute('data-drop');
  }
  marked = null;
  if (element === null) return;
  element.classList.add('drop-here');
  element.dataset.drop = t('files.drag.here');
  const timer = setTimeout(() => void showPage(`${base}/?path=${encodeURIComponent(path)}`), OPENING);
  marked = { element, timer };
}

function onStart(event: DragEvent): void {
  const row = rowOf(event.target);
  const { dataTransfer } = event;
  if (row === null || dataTransfer === null) return;
  const items = subjectsOf(row);
  if (!abilities().includes('move') || !isAllowed('move', items)) return;
  setDragged(items);
  dataTransfer.clearData();
  dataTransfer.setData('text/plain', items.map(({ name }) => name).join('\n'));
  dataTransfer.effectAllowed = 'move';
  const text =
    items.length === 1
      ? (items[0]?.name ?? '')
      : t('files.selection.count', { count: items.length, total: items.length });
  const image = document.body.appendChild(make('div', { class: 'drag-image' }, text));
  dataTransfer.setDragImage(image, -12, -12);
  // The browser has taken its picture by then.
  requestAnimationFrame(() => image.remove());
}

function onOver(event: DragEvent): void {
  if (!isDraggingItems()) return;
  const folder = folderAt(event.target);
  if (folder === null || !canTake(folder.path)) {
    mark(null);
    return;
  }
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'move';
  mark(folder.element, folder.path);
}

function onDrop(event: DragEvent): void {
  if (!isDraggingItems()) return;
  const folder = folderAt(event.target);
  event.preventDefault();
  mark(null);
  const items = draggedItems();
  if (folder === null || !canTake(folder.path)) return;
  void moveItems(items, folder.path);
}

export function startDragging(): void {
  root.addEventListener('dragstart', onStart);
  root.addEventListener('dragover', onOver);
  root.addEventListener('drop', onDrop);
  addEventListener('dragend', () => {
    mark(null);
    setDragged([]);
  });
}
