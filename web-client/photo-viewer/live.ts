// The film of a Live Photo or a motion photo: played over the photo by a button, or for as long as a finger or the mouse holds the photo.

import { t } from 'virtual:messages/photo-viewer';
import { bestEffort } from '../../server/lib/async/settled.ts';
import { announce, make, matches, sprite } from '../lib/dom.ts';
import type { ViewerItem } from './source.ts';

/** Milliseconds after which a photo is held, and pixels that a finger may move until then. */
const HOLD = 400;
const STILL = 10;
/** What has gestures of its own. */
const OWN = 'button, a, video, audio, input';

interface LivePhoto {
  readonly element: HTMLElement;
  /** Another item is shown. @param box that contains the photo */
  shown(item: ViewerItem, box: HTMLElement): void;
}

/** @param stage where a photo is held */
export function createLivePhoto(stage: HTMLElement): LivePhoto {
  const play = make(
    'button',
    { type: 'button', class: 'live-play', 'aria-pressed': 'false' },
    sprite('play'),
    make('span', {}, t('photoViewer.live')),
  );
  const sound = make(
    'button',
    { type: 'button', class: 'live-sound', 'aria-pressed': 'false' },
    t('photoViewer.sound'),
  );
  const element = make('div', { class: 'live', hidden: true }, play, sound);
  let hasSound = false;
  let film: string | null = null;
  let box: HTMLElement | null = null;
  let video: HTMLVideoElement | null = null;
  let holding: { readonly timer: ReturnType<typeof setTimeout>; readonly x: number; readonly y: number } | null = null;

  function stop(): void {
    video?.remove();
    video = null;
    play.setAttribute('aria-pressed', 'false');
  }

  function start(): void {
    if (film === null || box === null || video !== null) return;
    const playing = make('video', { class: 'live-film', 'aria-label': t('photoViewer.live') });
    playing.muted = !hasSound;
    playing.playsInline = true;
    playing.addEventListener('ended', stop);
    playing.addEventListener('error', fail);
    playing.src = film;
    video = playing;
    box.append(playing);
    play.setAttribute('aria-pressed', 'true');
    // A browser that refuses to play says so by an error, or shows the first picture.
    void bestEffort(playing.play());
  }

  function fail(): void {
    stop();
    announce(t('photoViewer.cannotPlay.video'));
    box?.querySelector('.note-of-live')?.remove();
    box?.append(make('p', { class: 'note-of-play note-of-live' }, t('photoViewer.cannotPlay.video')));
  }

  play.addEventListener('click', () => (video === null ? start() : stop()));
  sound.addEventListener('click', () => {
    hasSound = !hasSound;
    sound.setAttribute('aria-pressed', String(hasSound));
    if (video !== null) video.muted = !hasSound;
  });

  stage.addEventListener('pointerdown', ({ target, button, isPrimary, clientX: x, clientY: y }) => {
    if (film === null || button !== 0 || !isPrimary || matches(target, OWN)) return release();
    holding = { timer: setTimeout(start, HOLD), x, y };
  });
  stage.addEventListener('pointermove', ({ clientX, clientY }) => {
    if (holding !== null && video === null && Math.hypot(clientX - holding.x, clientY - holding.y) > STILL) release();
  });
  for (const name of ['pointerup', 'pointercancel'] as const) stage.addEventListener(name, () => release());

  /** The film that was played by holding ends with it. */
  function release(): void {
    if (holding === null) return;
    clearTimeout(holding.timer);
    holding = null;
    stop();
  }

  return {
    element,
    shown(item, shownIn) {
      release();
      stop();
      [film, box] = [item.film, shownIn];
      element.hidden = film === null;
    },
  };
}
