// Dragging entries onto a folder: a row, a breadcrumb, an entry of the sidebar, or the shown one. The keyboard has the action Move.

import { t } from 'virtual:messages/files';
import { make } from '../../lib/dom.ts';
import { perform } from '../actions/actions.ts';
import { moveItems } from '../actions/moves.ts';
import { openItemMenu, subjectsOf } from '../overlays/item-menu.ts';
import { closeMenu } from '../overlays/menu.ts';
import { base, root } from '../page.ts';
import { type Dragging, draggedItems, isDraggingItems, markAsItems, setDragged } from './dragged.ts';
import { folderAt, pathOfPlace, placeAt } from './folder-at.ts';
import type { Item } from './item.ts';
import { abilities, rowOf } from './items.ts';
import { showPage } from './navigation.ts';
import { isAllowed } from './selection.ts';

/** Milliseconds over a folder until it opens. */
const OPENING = 800;

let marked: { readonly element: HTMLElement; readonly timer: ReturnType<typeof setTimeout> | undefined } | null = null;

/** Where dragged entries can be put. */
interface DropTarget {
  readonly element: HTMLElement;
  readonly label: string;
  /** The path of the folder that opens when the pointer stays over it. */
  readonly opens: string | null;
  put(items: readonly Item[]): void;
}

/** Where what is dragged can be put at an element; null if it cannot. */
function dropTargetAt(target: EventTarget | null): DropTarget | null {
  const items = draggedItems();
  const place = placeAt(target);
  const action = place === null ? undefined : PLACE_ACTIONS[pathOfPlace(place)];
  if (place !== null && action !== undefined) {
    const isPossible = abilities().includes(action) && isAllowed(action, items);
    const put = () => void perform(action, items);
    return isPossible ? { element: place, label: t(`files.actions.${action}`), opens: null, put } : null;
  }
  const folder = folderAt(target);
  if (folder === null || !canTake(folder.path)) return null;
  const { element, path, isShown } = folder;
  const put = () => void moveItems(items, path);
  return { element, label: t('files.drag.here'), opens: isShown ? null : path, put };
}

/** What is done with entries that are dropped onto a place of the sidebar, by its path. */
const PLACE_ACTIONS: Readonly<Record<string, 'delete' | 'star'>> = { '/TRASH': 'delete', '/STARRED': 'star' };

/** Not into itself, and not where it is already. */
const canTake = (folder: string): boolean =>
  draggedItems().every(
    ({ path }) => folder !== path && !folder.startsWith(`${path}/`) && folder !== path.slice(0, path.lastIndexOf('/')),
  );

function mark(target: DropTarget | null): void {
  if (marked?.element === target?.element) return;
  if (marked !== null) {
    clearTimeout(marked.timer);
    marked.element.classList.remove('drop-here');
    marked.element.removeAttribute('data-drop');
  }
  marked = null;
  if (target === null) return;
  const { element, label, opens } = target;
  element.classList.add('drop-here');
  element.dataset.drop = label;
  const timer =
    opens === null ? undefined : setTimeout(() => void showPage(`${base}/?path=${encodeURIComponent(opens)}`), OPENING);
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
    const drop = dropTargetAt(target);
    mark(drop);
    return drop !== null;
  },
  drop(target) {
    dropTargetAt(target)?.put(draggedItems());
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
  // The browser has taken its picture by then.
  requestAnimationFrame(() => image.remove());
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
  // A row that is no longer in the page, because its folder was left, is not told of the end.
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
