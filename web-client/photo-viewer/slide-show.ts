// The slide show of the viewer: one item after the other, photos for a few seconds, films and music to their end.

import { t } from 'virtual:messages/photo-viewer';
import { keepAwake } from '../lib/awake.ts';
import { sprite } from '../lib/dom.ts';
import type { ViewerItem } from './source.ts';

/** Milliseconds for which a photo is shown. */
const PHOTO = 5_000;

interface SlideShow {
  readonly isRunning: boolean;
  toggle(): void;
  stop(): void;
  /** Another item is shown. @param element that shows it */
  shown(item: ViewerItem, element: HTMLElement): void;
}

/** @param isPlayedOnDemand whether films wait for someone to play them @param next shows the next item; false if there is none */
export function createSlideShow(button: HTMLButtonElement, isPlayedOnDemand: boolean, next: () => boolean): SlideShow {
  let isRunning = false;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let awake: ReturnType<typeof keepAwake> | null = null;
  let last: { readonly item: ViewerItem; readonly element: HTMLElement } | null = null;

  function draw(): void {
    const label = isRunning ? t('photoViewer.pause') : t('photoViewer.slideShow');
    button.replaceChildren(sprite(isRunning ? 'pause' : 'play'));
    button.setAttribute('aria-label', label);
    button.title = label;
  }

  function stop(): void {
    clearTimeout(timer);
    void awake?.then(({ end }) => end());
    awake = null;
    isRunning = false;
    draw();
  }

  function goOn(): void {
    if (isRunning && !next()) stop();
  }

  /** Waits for the end of what is shown. */
  function wait(): void {
    clearTimeout(timer);
    if (!isRunning || last === null) return;
    const media = isPlayedOnDemand ? null : last.element.querySelector<HTMLMediaElement>('video, audio');
    if (media === null) {
      timer = setTimeout(goOn, PHOTO);
      return;
    }
    const { element } = last;
    const isStill = () => last?.element === element;
    media.addEventListener('ended', () => isStill() && goOn(), { once: true });
    // What cannot be played, or not without being asked for, is shown like a photo.
    const instead = () => {
      if (isStill() && isRunning) timer = setTimeout(goOn, PHOTO);
    };
    media.addEventListener('error', instead, { once: true });
    media.play().catch(instead);
  }

  draw();
  return {
    get isRunning() {
      return isRunning;
    },
    toggle() {
      if (isRunning) {
        last?.element.querySelector<HTMLMediaElement>('video, audio')?.pause();
        stop();
        return;
      }
      isRunning = true;
      awake = keepAwake();
      draw();
      wait();
    },
    stop,
    shown(item, element) {
      last = { item, element };
      wait();
    },
  };
}
