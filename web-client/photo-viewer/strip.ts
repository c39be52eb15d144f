// The small pictures of the neighbours below the shown one.

import { t } from 'virtual:messages/photo-viewer';
import { make } from '../lib/dom.ts';
import type { ViewerItem, ViewerSource } from './source.ts';

/** Neighbours on each side. */
const BESIDE = 8;
/** Pixels of a small picture: the preview that galleries show, which is there already. */
const SMALL = 400;

/** One that has another content has another picture. */
const keyOf = (item: ViewerItem | undefined): string => `${item?.mark ?? ''} ${item?.path ?? ''}`;

/** @param choose called with the chosen one */
export function createStrip(source: ViewerSource, choose: (item: ViewerItem) => void) {
  const list = make('ul', {});
  const element = make('nav', { class: 'strip', 'aria-label': t('photoViewer.strip') }, list);
  const known = new Map<string, HTMLElement>();

  function entry(item: ViewerItem): HTMLElement {
    const press = () => choose(source.items().find(({ path }) => path === item.path) ?? item);
    // The keys lead from one to the next, so the strip is no stop for the tab key.
    const button = make('button', { type: 'button', tabindex: -1, 'aria-label': item.name, click: press });
    const small = source.preview(item, SMALL);
    const image = make('img', {
      src: small ?? source.icon(item),
      class: small === null ? 'type-of-file' : '',
      alt: '',
      // Only then is it known how wide the current one is. Others must not move the strip, which may be in use.
      load: () => {
        if (button.hasAttribute('aria-current')) centre(button.parentElement ?? undefined);
      },
    });
    button.append(image);
    return make('li', {}, button);
  }

  return {
    element,
    /** @param index of the shown one */
    draw(items: readonly ViewerItem[], index: number): void {
      const shown = items.slice(Math.max(0, index - BESIDE), index + BESIDE + 1);
      const current = keyOf(items[index]);
      const keys = new Set(shown.map(keyOf));
      for (const key of known.keys()) if (!keys.has(key)) known.delete(key);
      for (const item of shown) if (!known.has(keyOf(item))) known.set(keyOf(item), entry(item));
      element.hidden = items.length < 2;
      list.replaceChildren(...shown.flatMap((item) => known.get(keyOf(item)) ?? []));
      for (const [key, one] of known) {
        const button = one.querySelector('button');
        if (key === current) button?.setAttribute('aria-current', 'true');
        else button?.removeAttribute('aria-current');
      }
      centre(known.get(current));
    },
  };

  function centre(current: HTMLElement | undefined): void {
    if (current === undefined) return;
    const middle = current.offsetLeft + current.offsetWidth / 2;
    element.scrollLeft = middle - element.clientWidth / 2;
  }
}
