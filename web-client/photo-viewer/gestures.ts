// Fingers, pen and mouse on the shown picture: swipe, pinch, double tap, and the wheel.

import { matches } from '../lib/dom.ts';
import type { Zoom } from './zoom.ts';

/** Pixels after which a movement is a swipe. */
const SWIPE = 56;
/** Milliseconds and pixels between two taps that belong together. */
const TAPS_WITHIN = 350;
const TAPS_BESIDE = 40;
/** Pixels that a finger may move in a tap. */
const STILL = 10;
/** Enlargement per pixel of the wheel. */
const WHEEL = 0.002;

interface Swipes {
  readonly left: () => void;
  readonly right: () => void;
  readonly up: () => void;
  readonly down: () => void;
}

/** What has gestures of its own. */
const OWN = 'button, a, video, audio, input';

interface Point {
  readonly x: number;
  readonly y: number;
}

export function listenToGestures(stage: HTMLElement, zoom: () => Zoom, swipes: Swipes): void {
  const pointers = new Map<number, Point>();
  let start: Point | null = null;
  let wasPinched = false;
  let lastTap = { at: Number.NEGATIVE_INFINITY, x: 0, y: 0 };

  /** From the middle of the stage. */
  const inStage = ({ x, y }: Point): Point => {
    const box = stage.getBoundingClientRect();
    return { x: x - box.left - box.width / 2, y: y - box.top - box.height / 2 };
  };
  const pointOf = ({ clientX: x, clientY: y }: MouseEvent): Point => ({ x, y });

  stage.addEventListener('pointerdown', (event) => {
    if (event.button !== 0 || (event.target instanceof Element && event.target.closest(OWN) !== null)) return;
    if (pointers.size === 0) [start, wasPinched] = [pointOf(event), false];
    pointers.set(event.pointerId, pointOf(event));
    wasPinched ||= pointers.size > 1;
    stage.setPointerCapture(event.pointerId);
  });

  stage.addEventListener('pointermove', (event) => {
    const before = pointers.get(event.pointerId);
    if (before === undefined || start === null) return;
    const now = pointOf(event);
    const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
    pointers.set(event.pointerId, now);
    if (other !== undefined) pinch(before, now, other);
    else if (zoom().isZoomed) zoom().move(now.x - before.x, now.y - before.y);
    else if (!wasPinched && event.pointerType !== 'mouse')
      zoom().drag(now.x - start.x, Math.max(0, now.y - start.y) / 2);
  });

  function pinch(before: Point, now: Point, other: Point): void {
    const middle = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    const length = (point: Point) => Math.hypot(point.x - other.x, point.y - other.y);
    zoom().by(length(now) / Math.max(1, length(before)), inStage(middle));
    zoom().move((now.x - before.x) / 2, (now.y - before.y) / 2);
  }

  stage.addEventListener('pointerup', (event) => {
    if (!pointers.delete(event.pointerId) || pointers.size > 0 || start === null) return;
    const now = pointOf(event);
    const [x, y] = [now.x - start.x, now.y - start.y];
    if (wasPinched) return;
    if (Math.hypot(x, y) < STILL) return tap(event, now);
    if (zoom().isZoomed || event.pointerType === 'mouse') return;
    zoom().drag(0, 0);
    if (Math.abs(x) > Math.abs(y)) {
      if (x < -SWIPE) swipes.left();
      else if (x > SWIPE) swipes.right();
    } else if (y < -SWIPE) swipes.up();
    else if (y > SWIPE) swipes.down();
  });

  stage.addEventListener('pointercancel', ({ pointerId }) => {
    pointers.delete(pointerId);
    if (!zoom().isZoomed) zoom().drag(0, 0);
  });

  function tap({ timeStamp: at }: Event, now: Point): void {
    const isSecond = at - lastTap.at < TAPS_WITHIN && Math.hypot(now.x - lastTap.x, now.y - lastTap.y) < TAPS_BESIDE;
    lastTap = { at: isSecond ? Number.NEGATIVE_INFINITY : at, ...now };
    if (isSecond) zoom().toggle(inStage(now));
  }

  stage.addEventListener(
    'wheel',
    (event) => {
      if (matches(event.target, OWN)) return;
      event.preventDefault();
      zoom().by(Math.exp(-event.deltaY * WHEEL), inStage(pointOf(event)));
    },
    { passive: false },
  );
}
