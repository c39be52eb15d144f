// Dragging entries with a finger. A long press opens the menu of an entry, as it does elsewhere, and lifts the entry: a finger that
// moves on drags it. Loaded where there is a touch screen.

import { closest } from '../../lib/dom.ts';
import type { Dragging } from './dragged.ts';

/** Milliseconds of a long press, for browsers that do not report it with `contextmenu`. */
const PRESS = 500;
/** Pixels that a finger may tremble. */
const TREMBLE = 10;
/** Pixels at the top and bottom of the window in which the page scrolls, and how far it does at the very edge in each frame. */
const EDGE = 72;
const STEP = 18;
/** Pixels between what a finger carries and the sides of the window. */
const MARGIN = 8;

interface Touch {
  readonly row: HTMLElement;
  /** The element that gets the events of the finger, even if the list is replaced meanwhile. */
  readonly target: EventTarget;
  readonly start: { readonly x: number; readonly y: number };
  at: { readonly x: number; readonly y: number };
  state: 'pressed' | 'lifted' | 'dragged';
  image: HTMLElement | null;
  readonly timer: ReturnType<typeof setTimeout>;
}

let current: Touch | null = null;
let dragging: Dragging;

function onTouchStart(event: TouchEvent): void {
  const isFirst = current === null && event.touches.length === 1;
  // A second finger means something else.
  end();
  const [finger] = event.touches;
  const row = closest<HTMLElement>(event.target, '.item');
  if (!isFirst || finger === undefined || event.target === null || row === null) return;
  if (dragging.itemsOf(row).length === 0) return;
  const at = { x: finger.clientX, y: finger.clientY };
  const timer = setTimeout(lift, PRESS);
  current = { row, target: event.target, start: at, at, state: 'pressed', image: null, timer };
  event.target.addEventListener('touchmove', onTouchMove, { passive: false });
  event.target.addEventListener('touchend', onTouchEnd);
  event.target.addEventListener('touchcancel', end);
}

function lift(): void {
  if (current?.state !== 'pressed') return;
  clearTimeout(current.timer);
  current.state = 'lifted';
  current.row.classList.add('lifted');
  dragging.openMenu(current.row, current.at);
}

function onTouchMove(event: Event): void {
  const { touches } = event as TouchEvent;
  const [finger] = touches;
  if (current === null || finger === undefined) return;
  current.at = { x: finger.clientX, y: finger.clientY };
  const isMoved = Math.hypot(current.at.x - current.start.x, current.at.y - current.start.y) > TREMBLE;
  if (current.state === 'pressed') {
    // The page scrolls.
    if (isMoved) end();
    return;
  }
  event.preventDefault();
  if (current.state === 'lifted' && isMoved) begin(current);
  if (current.state === 'dragged') follow(current);
}

function begin(touch: Touch): void {
  touch.state = 'dragged';
  touch.image = dragging.begin(dragging.itemsOf(touch.row));
  touch.image.classList.add('held');
  requestAnimationFrame(scroll);
}

/** Shows what the finger carries, and where it would be put. */
function follow({ at, image }: Touch): void {
  if (image !== null) {
    const furthest = document.documentElement.clientWidth - image.offsetWidth - MARGIN;
    image.style.translate = `${Math.max(MARGIN, Math.min(at.x - image.offsetWidth / 2, furthest))}px ${at.y}px`;
  }
  dragging.over(document.elementFromPoint(at.x, at.y));
}

function scroll(): void {
  if (current?.state !== 'dragged') return;
  const { y } = current.at;
  const speed = y < EDGE ? y / EDGE - 1 : Math.max(0, 1 - (innerHeight - y) / EDGE);
  const before = scrollY;
  scrollBy(0, Math.round(Math.max(-1, speed) * STEP));
  // What is below the finger has changed.
  if (scrollY !== before) follow(current);
  requestAnimationFrame(scroll);
}

function onTouchEnd(event: Event): void {
  if (current === null) return;
  // Otherwise, some browsers follow the link.
  if (current.state !== 'pressed' && event.cancelable) event.preventDefault();
  if (current.state === 'dragged') dragging.drop(document.elementFromPoint(current.at.x, current.at.y));
  end();
}

/** Puts the entry down where it was. */
function end(): void {
  if (current === null) return;
  const { row, target, timer, image, state } = current;
  current = null;
  clearTimeout(timer);
  target.removeEventListener('touchmove', onTouchMove);
  target.removeEventListener('touchend', onTouchEnd);
  target.removeEventListener('touchcancel', end);
  row.classList.remove('lifted');
  image?.remove();
  if (state === 'dragged') dragging.end();
}

/** Browsers that report a long press do so here, or begin a drag of the link that the system shows. */
function onLongPress(event: Event): void {
  if (current === null) return;
  event.preventDefault();
  event.stopPropagation();
  lift();
}

/** @param own what dragging does in the list */
export function startTouchDragging(own: Dragging): void {
  dragging = own;
  const { root } = own;
  root.addEventListener('touchstart', onTouchStart, { passive: true });
  // Only with a listener that is there before the finger can scrolling be prevented.
  root.addEventListener('touchmove', () => undefined, { passive: false });
  root.addEventListener('contextmenu', onLongPress, { capture: true });
  root.addEventListener('dragstart', onLongPress, { capture: true });
}
