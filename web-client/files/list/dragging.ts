// Dragging entries onto a folder: a row, a breadcrumb or an entry of the sidebar. The keyboard has the action Move.

import { t } from 'virtual:messages/files';
import { closest, make } from '../../lib/dom.ts';
import { moveItems } from '../actions/moves.ts';
import { openItemMenu, subjectsOf } from '../overlays/item-menu.ts';
import { closeMenu } from '../overlays/menu.ts';
import { base, root } from '../page.ts';
import { type Dragging, draggedItems, isDraggingItems, setDragged } from './dragged.ts';
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

/** The folder at an element that takes what is dragged; null if there is none. */
function droppableAt(target: EventTarget | null): { element: HTMLElement; path: string } | null {
  const folder = folderAt(target);
  return folder !== null && canTake(folder.path) ? folder : null;
}

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

const DRAGGING: Dragging = {
  root,
  itemsOf(row) {
    const items = subjectsOf(row);
    return abilities().includes('move') && isAllowed('move', items) ? items : [];
  },
  begin(items) {
    closeMenu();
    setDragged(items);
    const [first] = items;
    const count = items.length;
    const text = count === 1 && first !== undefined ? first.name : t('files.selection.count', { count, total: count });
    return document.body.appendChild(make('div', { class: 'drag-image' }, text));
  },
  over(target) {
    const folder = droppableAt(target);
    mark(folder?.element ?? null, folder?.path);
    return folder !== null;
  },
  drop(target) {
    const folder = droppableAt(target);
    if (folder !== null) void moveItems(draggedItems(), folder.path);
  },
  end() {
    mark(null);
    setDragged([]);
  },
  openMenu: (row, at) => openItemMenu(row, at),
};

function onStart(event: DragEvent): void {
  const row = rowOf(event.target);
  const { dataTransfer } = event;
  if (row === null || dataTransfer === null) return;
  const items = DRAGGING.itemsOf(row);
  if (items.length === 0) return;
  const image = DRAGGING.begin(items);
  dataTransfer.clearData();
  dataTransfer.setData('text/plain', items.map(({ name }) => name).join('\n'));
  dataTransfer.effectAllowed = 'move';
  dataTransfer.setDragImage(image, -12, -12);
  // The browser has taken its picture by then.
  requestAnimationFrame(() => image.remove());
}

function onOver(event: DragEvent): void {
  if (!isDraggingItems() || !DRAGGING.over(event.target)) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'move';
}

function onDrop(event: DragEvent): void {
  if (!isDraggingItems()) return;
  event.preventDefault();
  DRAGGING.drop(event.target);
  mark(null);
}

export function startDragging(): void {
  root.addEventListener('dragstart', onStart);
  root.addEventListener('dragover', onOver);
  root.addEventListener('drop', onDrop);
  addEventListener('dragend', DRAGGING.end);
  if (navigator.maxTouchPoints > 0) void startByTouch();
}

async function startByTouch(): Promise<void> {
  (await import('./touch-dragging.ts')).startTouchDragging(DRAGGING);
}
