// The elements of the viewer: a dialog over the whole window.

import { t } from 'virtual:messages/photo-viewer';
import { make, sprite } from '../lib/dom.ts';
import { VIEWER_ACTIONS, type ViewerAction } from './source.ts';

const ICONS: Readonly<Record<ViewerAction | 'details', string>> = {
  star: 'star',
  share: 'share',
  download: 'download',
  details: 'info',
};

interface ViewerFrame {
  readonly dialog: HTMLDialogElement;
  /** Everything but the details: what fills the screen on request. */
  readonly view: HTMLElement;
  readonly stage: HTMLElement;
  /** Contains what is shown; it is moved and enlarged. */
  readonly layer: HTMLElement;
  readonly title: HTMLElement;
  readonly when: HTMLElement;
  readonly position: HTMLElement;
  readonly close: HTMLButtonElement;
  readonly previous: HTMLButtonElement;
  readonly next: HTMLButtonElement;
  readonly actions: Readonly<Record<ViewerAction | 'details', HTMLButtonElement>>;
  readonly slideShow: HTMLButtonElement;
  readonly menu: HTMLButtonElement;
  readonly details: HTMLElement;
  readonly detailsContent: HTMLElement;
  readonly closeDetails: HTMLButtonElement;
}

export function createFrame(strip: HTMLElement): ViewerFrame {
  const close = button('close', t('photoViewer.close'));
  const title = make('h2', { id: 'photo-viewer-title', dir: 'auto' });
  const when = make('span', { class: 'when-taken' });
  const position = make('span', { class: 'position' });
  const actions = {
    star: labelled(ICONS.star, t('files.actions.star')),
    share: labelled(ICONS.share, t('files.actions.share')),
    download: labelled(ICONS.download, t('files.actions.download')),
    details: labelled(ICONS.details, t('files.actions.details')),
  } as ViewerFrame['actions'];
  actions.details.setAttribute('aria-pressed', 'false');
  const slideShow = button('play', t('photoViewer.slideShow'));
  const menu = button('dots', t('photoViewer.more'));
  menu.setAttribute('aria-haspopup', 'menu');
  const top = make(
    'header',
    { class: 'view-top' },
    close,
    make('div', { class: 'view-title' }, title, make('p', {}, when, position)),
    slideShow,
    make('div', { class: 'view-actions' }, ...VIEWER_ACTIONS.map((name) => actions[name]), actions.details),
    menu,
  );
  const previous = button('left', t('photoViewer.previous'));
  const next = button('right', t('photoViewer.next'));
  previous.classList.add('turn', 'back');
  next.classList.add('turn', 'forth');
  const layer = make('div', { class: 'view-layer' });
  const stage = make('div', { class: 'view-stage' }, layer, previous, next);
  const view = make('div', { class: 'view' }, top, stage, strip);
  const closeDetails = button('close', t('photoViewer.closeDetails'));
  const detailsContent = make('div', { class: 'facts' });
  const heading = make('h2', { id: 'photo-viewer-details' }, t('files.actions.details'));
  const details = make(
    'aside',
    { class: 'view-details', 'aria-labelledby': 'photo-viewer-details', hidden: true },
    make('div', { class: 'details-top' }, heading, closeDetails),
    detailsContent,
  );
  const dialog = make('dialog', { class: 'photo-viewer', 'aria-labelledby': 'photo-viewer-title' }, view, details);
  return {
    ...{ dialog, view, stage, layer, title, when, position, close, previous, next, actions, slideShow, menu },
    ...{ details, detailsContent, closeDetails },
  };
}

function button(icon: string, label: string): HTMLButtonElement {
  return make('button', { type: 'button', class: 'bare', 'aria-label': label, title: label }, sprite(icon));
}

function labelled(icon: string, label: string): HTMLButtonElement {
  return make('button', { type: 'button', class: 'bare', title: label }, sprite(icon), make('span', {}, label));
}
