// The element that shows one item: a picture, or a player.

import { t } from 'virtual:messages/photo-viewer';
import { bestEffort } from '../../server/lib/async/settled.ts';
import { make, sprite } from '../lib/dom.ts';
import type { ViewerItem, ViewerSource } from './source.ts';

/** Pixels of the preview, of what is shown until it has come, and of the still of a film. */
const WHOLE = 2_048;
const FIRST = 400;
const POSTER = 1_280;

/** @param download the button under what cannot be played; null where nothing may be downloaded */
export function show(item: ViewerItem, source: ViewerSource, download: (() => void) | null): HTMLElement {
  return item.kind === 'picture' ? picture(item, source) : player(item, source, download);
}

/** Requests the preview, so that it is there when it is shown. Nothing else of the item is requested. */
export function preload(item: ViewerItem, source: ViewerSource): void {
  const address = source.preview(item, item.kind === 'picture' ? WHOLE : POSTER);
  if (address !== null) new Image().src = address;
}

function picture(item: ViewerItem, source: ViewerSource): HTMLElement {
  const first = make('img', { class: 'first', src: source.preview(item, FIRST), alt: '' });
  const whole = make('img', {
    class: 'whole-photo',
    src: source.moving(item) ?? source.preview(item, WHOLE),
    alt: t('photoViewer.photo', { name: item.name }),
    draggable: 'false',
  });
  const box = make('div', { class: 'photo-box' }, first, whole);
  // A picture smaller than a preview is not enlarged while it is loaded.
  first.addEventListener('load', () => {
    const { naturalWidth: width, naturalHeight: height } = first;
    box.classList.toggle('small', Math.max(width, height) < FIRST);
  });
  whole.addEventListener('load', () => first.remove());
  whole.addEventListener('error', () => box.replaceWith(sentence(t('photoViewer.cannotShow'))));
  return box;
}

function player(item: ViewerItem, source: ViewerSource, download: (() => void) | null): HTMLElement {
  const box = make('div', { class: `player ${item.kind}` });
  const poster = source.preview(item, item.kind === 'video' ? POSTER : FIRST);
  const cover = make('img', {
    class: poster === null ? 'icon-of-type' : 'cover',
    src: poster ?? source.icon(item),
    alt: '',
  });
  if (!source.isPlayedOnDemand) {
    start(box, item, source, poster, download);
    if (item.kind === 'audio') box.prepend(cover);
    return box;
  }
  const play = make(
    'button',
    { type: 'button', class: 'play', 'aria-label': t('photoViewer.playNamed', { name: item.name }) },
    sprite('play'),
  );
  const note = source.playNote === '' ? [] : [make('p', { class: 'note-of-play' }, source.playNote)];
  box.append(cover, play, ...note);
  play.addEventListener('click', () => {
    box.replaceChildren(...(item.kind === 'audio' ? [cover] : []));
    void bestEffort(start(box, item, source, poster, download).play());
    box.querySelector<HTMLElement>('video, audio')?.focus();
  });
  return box;
}

function start(
  box: HTMLElement,
  item: ViewerItem,
  source: ViewerSource,
  poster: string | null,
  download: (() => void) | null,
): HTMLMediaElement {
  const { kind, name } = item;
  const element = document.createElement(kind === 'video' ? 'video' : 'audio');
  element.controls = true;
  element.preload = 'metadata';
  element.setAttribute('aria-label', name);
  if (element instanceof HTMLVideoElement) {
    element.playsInline = true;
    if (poster !== null) element.poster = poster;
  }
  const fail = () => box.replaceChildren(cannotPlay(item, download));
  element.addEventListener('error', async () => {
    // Players report a file that did not arrive like one that they cannot read.
    if (element.error?.code !== MediaError.MEDIA_ERR_NETWORK && (await isThere(source.media(item)))) fail();
    else box.replaceChildren(notLoaded(item, () => box.replaceWith(player(item, source, download))));
  });
  element.addEventListener('loadedmetadata', () => {
    // Only its sound can be played.
    if (element instanceof HTMLVideoElement && element.videoWidth === 0) fail();
  });
  element.src = source.media(item);
  box.append(element);
  return element;
}

function cannotPlay({ kind }: ViewerItem, download: (() => void) | null): HTMLElement {
  const text = kind === 'video' ? t('photoViewer.cannotPlay.video') : t('photoViewer.cannotPlay.audio');
  const failed = sentence(text, t('photoViewer.cannotPlay.help'));
  if (download !== null) {
    failed.append(make('button', { type: 'button', class: 'primary', click: download }, t('files.actions.download')));
  }
  return failed;
}

/** @param retry begins again */
function notLoaded({ kind }: ViewerItem, retry: () => void): HTMLElement {
  const text = kind === 'video' ? t('photoViewer.notLoaded.video') : t('photoViewer.notLoaded.audio');
  const failed = sentence(text, t('photoViewer.notLoaded.help'));
  failed.append(make('button', { type: 'button', class: 'primary', click: retry }, t('photoViewer.notLoaded.retry')));
  return failed;
}

/** Whether the server would send it now. Requests no content, so nothing is counted. */
async function isThere(address: string): Promise<boolean> {
  const response = await fetch(address, { method: 'HEAD' }).catch(() => null);
  return response?.ok === true;
}

function sentence(text: string, help = ''): HTMLElement {
  return make('div', { class: 'cannot', role: 'status' }, make('p', { class: 'strong' }, text), make('p', {}, help));
}
