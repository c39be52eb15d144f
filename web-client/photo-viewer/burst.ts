// The photos of a burst, which is one item of the list: each can be looked at.

import { t } from 'virtual:messages/photo-viewer';
import { make, sprite } from '../lib/dom.ts';
import type { ViewerItem, ViewerSource } from './source.ts';

/** Pixels of a small picture: the preview that galleries show. */
const SMALL = 400;

/** The photos that an item stands for, itself among them. */
export const photosOf = (item: ViewerItem): readonly ViewerItem[] => [item, ...item.burst];

/** @param choose called with the chosen one @param remove deletes the one that is shown */
export function createBurst(source: ViewerSource, choose: (photo: ViewerItem) => void, remove: () => void) {
  const count = make('p', {});
  const list = make('ul', {});
  const label = make('span', {}, t('photoViewer.deleteOne'));
  const removal = make('button', { type: 'button', class: 'burst-delete', click: remove }, sprite('trash'), label);
  const head = make('div', { class: 'burst-head' }, count, removal);
  const element = make('nav', { class: 'burst', 'aria-label': t('photoViewer.burst'), hidden: true }, head, list);
  let drawn = '';

  function entry(photo: ViewerItem, index: number, total: number): HTMLElement {
    const image = make('img', { src: source.preview(photo, SMALL) ?? source.icon(photo), alt: '', loading: 'lazy' });
    const label = t('photoViewer.ofBurst', { index: index + 1, total, name: photo.name });
    return make('li', {}, make('button', { type: 'button', 'aria-label': label, click: () => choose(photo) }, image));
  }

  return {
    element,
    /** @param seen the one that is shown */
    draw(item: ViewerItem, seen: ViewerItem): void {
      const photos = photosOf(item);
      element.hidden = photos.length < 2;
      removal.hidden = !source.can('delete', item);
      const paths = photos.map(({ path }) => path).join('\n');
      if (paths !== drawn) list.replaceChildren(...photos.map((photo, index) => entry(photo, index, photos.length)));
      drawn = paths;
      count.textContent = t('photoViewer.burstOf', { total: photos.length });
      for (const [index, { path }] of photos.entries()) {
        const button = list.children[index]?.firstElementChild;
        if (path === seen.path) button?.setAttribute('aria-current', 'true');
        else button?.removeAttribute('aria-current');
      }
    },
  };
}
