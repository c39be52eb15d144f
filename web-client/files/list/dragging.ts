// Dragging entries onto a folder: a row, a breadcrumb, an entry of the sidebar, or the shown one. The keyboard has the action Move.

import { t } from 'virtual:messages/files';
import { make } from '../../lib/dom.ts';
import { moveItems } from '../actions/moves.ts';
import { openItemMenu, subjectsOf } from '../overlays/item-menu.ts';
import { closeMenu } from '../overlays/menu.ts';
import { base, root } from '../page.ts';
import { type Dragging, draggedItems, isDraggingItems, markAsItems, setDragged } from './dragged.ts';
import { type FolderAt, folderAt } from './folder-at.ts';
import { abilities, rowOf } from './items.ts';
import { showPage } from './navigation.ts';
import { isAllowed } from './selection.ts';

/** Milliseconds over a folder until it opens. */
const OPENING = 800;

let marked: { readonly element: HTMLElement; readonly timer: ReturnType<typeof setTimeout> | undefined } | null = null;

/** The folder at an element that takes what is dragged; null if there is none. */
function droppableAt(target: EventTarget | null): FolderAt | null {
  const folder = folderAt(target);
  return folder !== null && canTake(folder.path) ? folder : null;
}

/** Not into itself, and not where it is already. */
const canTake = (folder: string): boolean =>
  draggedItems().every(
    ({ path }) => folder !== path && !folder.startsWith(`${path}/`) && folder !== path.slice(0, path.lastIndexOf('/')),
  );

function mark(target: FolderAt | null): void {
  if (marked?.element === target?.element) return;
  if (marked !== null) {
    clearTimeout(marked.timer);
    marked.element.classList.remove('drop-here');
    marked.element.removeAttribute('data-drop');
  }
  marked = null;
  if (target === null) return;
  const { element, path, isShown } = target;
  element.classList.add('drop-here');
  element.dataset.drop = t('files.drag.here');
  const open = () => void showPage(`${base}/?path=${encodeURIComponent(path)}`);
  marked = { element, timer: isShown ? undefined : setTimeout(open, OPENING) };
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
    mark(folder);
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
  markAsItems(dataTransfer);
  dataTransfer.effectAllowed = 'move';
  dataTransfer.setDragImage(image, -12, -12);
  requestAnimationFrame(() => {
    // The browser has taken its picture by then.
    image.remove();
    // A row that is no longer in the page, because its folder was left, is not told of the end. During a drag the mouse moves unseen.
    addEventListener('mousemove', DRAGGING.end, { once: true });
  });
}

function onOver(event: DragEvent): void {
  if (!isDraggingItems(event.dataTransfer) || !DRAGGING.over(event.target)) return;
  event.preventDefault();
  if (event.dataTransfer !== null) event.dataTransfer.dropEffect = 'move';
}

function onDrop(event: DragEvent): void {
  if (!isDraggingItems(event.dataTransfer)) return;
  event.preventDefault();
  DRAGGING.drop(event.target);
  DRAGGING.end();
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
