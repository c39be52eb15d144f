// The viewer of photos, films and music: over the whole window, with keys, gestures and a strip of neighbours.

import { bestEffort } from '../../server/lib/async/settled.ts';
import './photo-viewer.css';
import { t } from 'virtual:messages/photo-viewer';
import { announce, make, matches, shownName, sprite } from '../lib/dom.ts';
import { bidiIsolate } from '../lib/format.ts';
import { createBurst, photosOf } from './burst.ts';
import { createFrame } from './frame.ts';
import { listenToGestures } from './gestures.ts';
import { createHint } from './hint.ts';
import { createLivePhoto } from './live.ts';
import { preload, show } from './shown.ts';
import { createSlideShow } from './slide-show.ts';
import { VIEWER_ACTIONS, type ViewerItem, type ViewerSource } from './source.ts';
import { createStrip } from './strip.ts';
import { createZoom } from './zoom.ts';

/** So many items before the end of what is loaded, more are requested. */
const NEAR_END = 5;
/** Enlargement of a key. */
const KEY_ZOOM = 1.5;
/** Elements with keys of their own. */
const TYPING = 'input, textarea, select';
const PLAYING = 'video, audio';
/** Dialogs over the viewer. */
const OVER_VIEWER = 'dialog[open]:not(.photo-viewer)';
/** Parts of the page that work only inside of the open dialog. */
const OVER_PAGE = '#say, .toasts, .uploads-panel';

export interface PhotoViewer {
  readonly isOpen: boolean;
  close(): void;
  /** The items have changed. @param renamed the new path of the shown one */
  sync(renamed?: string | null): void;
}

/** @param path of the item that is shown first @param isSlideShow whether one item after the other is shown */
export function openViewer(source: ViewerSource, path: string, isSlideShow = false): PhotoViewer {
  const strip = createStrip(source, (item) => go(item));
  const frame = createFrame(strip.element);
  const { dialog, stage, layer, actions } = frame;
  const zoom = createZoom(layer, stage);
  const hint = createHint();
  const slideShow = createSlideShow(frame.slideShow, source.isPlayedOnDemand, () => {
    const item = source.items()[index + 1];
    go(item);
    return item !== undefined;
  });
  const live = createLivePhoto(stage);
  const burst = createBurst(
    source,
    (photo) => {
      picked = photo.path;
      slideShow.stop();
      draw();
    },
    () => void deleteOne(),
  );
  stage.append(hint.element, live.element);
  strip.element.before(burst.element);
  const overPage = [...document.querySelectorAll(OVER_PAGE)];
  let current = source.items().find((item) => item.path === path) ?? null;
  let index = 0;
  /** The path of the photo of a burst that was chosen; null for the one that stands for it. */
  let picked: string | null = null;
  let isOpen = true;
  // Without its scroll bar, the page below is wider for as long as it is covered.
  const top = scrollY;
  // The path of a linked file is empty.
  let drawn: string | null = null;
  let drawnMark: string | null = null;
  let isLeaving = false;
  let isBusy = false;
  /** The last details that were asked for. */
  let asked: Promise<unknown> = Promise.resolve();

  /** Once: each step back in the history would leave another page. */
  function leave(): void {
    if (isLeaving) return;
    isLeaving = true;
    source.leave();
  }

  /** Shows an item, unless it is shown already. */
  function draw(): void {
    const items = source.items();
    if (current === null) {
      leave();
      return;
    }
    index = items.findIndex((item) => item.path === current?.path);
    const item = items[index] ?? current;
    current = item;
    const seen = seenOf(item);
    drawFrame(item, items);
    burst.draw(item, seen);
    // An item that has another content is shown anew.
    if (drawn === seen.path && drawnMark === seen.mark) return;
    drawn = seen.path;
    drawnMark = seen.mark;
    zoom.reset();
    const shown = show(seen, source, source.can('download', item) ? () => void act('download') : null);
    layer.replaceChildren(shown);
    live.shown(seen, shown);
    slideShow.shown(seen, shown);
    for (const neighbour of [items[index + 1], items[index - 1]])
      if (neighbour !== undefined) preload(neighbour, source);
    if (!frame.details.hidden) void drawDetails();
    if (index >= items.length - NEAR_END && source.hasMore()) void source.loadMore().then((isMore) => isMore && draw());
  }

  const seenOf = (item: ViewerItem): ViewerItem => photosOf(item).find(({ path: own }) => own === picked) ?? item;

  function drawFrame(item: ViewerItem, items: readonly ViewerItem[]): void {
    const seen = seenOf(item);
    const position = t('photoViewer.position', {
      index: index + 1,
      total: items.length,
      more: String(source.hasMore()),
    });
    frame.title.replaceChildren(shownName(seen.name));
    frame.title.title = bidiIsolate(seen.name);
    frame.when.textContent = item.when;
    frame.position.textContent = position;
    frame.previous.hidden = index <= 0;
    frame.next.hidden = index >= items.length - 1;
    frame.slideShow.hidden = items.length < 2;
    frame.menu.hidden = !source.can('menu', item);
    for (const name of VIEWER_ACTIONS) actions[name].hidden = !source.can(name, item);
    const label = item.isStarred ? t('files.actions.unstar') : t('files.actions.star');
    actions.star.replaceChildren(sprite(item.isStarred ? 'starFilled' : 'star'), make('span', {}, label));
    actions.star.title = label;
    strip.draw(items, index);
    hint.draw(items.length);
    if (drawn !== seen.path && drawn !== null) announce(t('photoViewer.announce', { name: seen.name, position }));
  }

  function go(item: ViewerItem | undefined): void {
    if (item === undefined || item.path === current?.path) return;
    current = item;
    picked = null;
    source.moved(item);
    draw();
  }

  const step = (by: number) => go(source.items()[index + by]);

  async function act(action: 'star' | 'share' | 'download' | 'delete'): Promise<void> {
    if (isBusy || current === null || !source.can(action, current)) return;
    isBusy = true;
    const item = current;
    // Otherwise details are asked of a file that is gone.
    if (action === 'delete') await asked;
    await source.perform(action, item).finally(() => {
      isBusy = false;
    });
    sync();
  }

  /** Only the photo of the burst that is shown, and not the others. */
  async function deleteOne(): Promise<void> {
    if (isBusy || current === null || !source.can('delete', current)) return;
    isBusy = true;
    slideShow.stop();
    const seen = seenOf(current);
    await asked;
    await source.performOnOne('delete', seen).finally(() => {
      isBusy = false;
    });
    picked = null;
    sync();
  }

  /** What was shown may be gone: then the next one is shown. */
  function sync(renamed: string | null = null): void {
    if (!isOpen) return;
    const items = source.items();
    const wanted = renamed ?? current?.path;
    current = items.find((item) => item.path === wanted) ?? items[Math.min(index, items.length - 1)] ?? null;
    if (current !== null && current.path !== drawn) source.moved(current);
    draw();
  }

  function showDetails(isWanted: boolean): void {
    frame.details.hidden = !isWanted;
    actions.details.setAttribute('aria-pressed', String(isWanted));
    if (isWanted) void drawDetails();
    else if (frame.details.contains(document.activeElement)) actions.details.focus();
  }

  async function drawDetails(): Promise<void> {
    if (current === null) return;
    const item = seenOf(current);
    // It may be deleted meanwhile, or the server not respond.
    const details = source.details(item).catch(() => null);
    asked = details;
    const content = await details;
    if (item.path === drawn) frame.detailsContent.replaceChildren(...(content === null ? [] : [content]));
  }

  function fillScreen(): void {
    if (document.fullscreenElement !== null) void document.exitFullscreen();
    // Some browsers have no full screen.
    else void bestEffort(frame.view.requestFullscreen?.());
  }

  const KEYS: Readonly<Record<string, () => void>> = {
    ArrowLeft: () => step(-1),
    ArrowRight: () => step(1),
    Home: () => go(source.items()[0]),
    End: () => go(source.items().at(-1)),
    Delete: () => void act('delete'),
    ' ': () => slideShow.toggle(),
    f: fillScreen,
    i: () => showDetails(frame.details.hidden === true),
    '+': () => zoom.by(KEY_ZOOM),
    '-': () => zoom.by(1 / KEY_ZOOM),
    '0': () => zoom.reset(),
  };

  const onKey = (event: KeyboardEvent) => {
    const { key, target, ctrlKey, metaKey, altKey } = event;
    // A button that had the focus may be gone; another dialog may be open over this one.
    const isHere = target === document.body ? document.querySelector(OVER_VIEWER) === null : isInside(target);
    if (!isHere || ctrlKey || metaKey || altKey || event.defaultPrevented || matches(target, TYPING)) return;
    if (target instanceof Element && target.closest('.menu') !== null) return;
    // Players move in the film with the arrows, and have a full screen of their own.
    if (matches(target, PLAYING) && key !== 'i' && key !== 'Delete') return;
    // The space key presses a button or link that has the focus.
    if (key === ' ' && (matches(target, 'button, a') || frame.slideShow.hidden)) return;
    const run = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const isInside = (target: EventTarget | null) => target instanceof Node && dialog.contains(target);
  document.addEventListener('keydown', onKey);
  dialog.addEventListener('cancel', (event) => {
    if (event.target !== dialog) return;
    event.preventDefault();
    leave();
  });
  // Browsers may close a dialog without asking first.
  dialog.addEventListener('close', (event) => {
    if (event.target === dialog && isOpen) leave();
  });
  frame.close.addEventListener('click', () => leave());
  frame.previous.addEventListener('click', () => step(-1));
  frame.next.addEventListener('click', () => step(1));
  for (const name of VIEWER_ACTIONS) actions[name].addEventListener('click', () => void act(name));
  actions.details.addEventListener('click', () => showDetails(frame.details.hidden === true));
  frame.slideShow.addEventListener('click', () => slideShow.toggle());
  frame.closeDetails.addEventListener('click', () => showDetails(false));
  frame.menu.addEventListener('click', () => current !== null && source.showMenu(current, frame.menu));
  const swiped = (run: () => void) => () => {
    hint.learned();
    run();
  };
  listenToGestures(stage, () => zoom, {
    left: swiped(() => step(1)),
    right: swiped(() => step(-1)),
    up: swiped(() => showDetails(true)),
    down: swiped(() => leave()),
  });

  document.body.append(dialog);
  dialog.append(...overPage);
  dialog.showModal();
  document.documentElement.classList.add('viewing');
  draw();
  if (isSlideShow) slideShow.toggle();

  return {
    get isOpen() {
      return isOpen;
    },
    close() {
      if (!isOpen) return;
      isOpen = false;
      slideShow.stop();
      if (document.fullscreenElement !== null) void document.exitFullscreen();
      document.body.append(...overPage);
      document.removeEventListener('keydown', onKey);
      document.documentElement.classList.remove('viewing');
      scrollTo(0, top);
      dialog.close();
      dialog.remove();
      source.closed(current);
    },
    sync,
  };
}
