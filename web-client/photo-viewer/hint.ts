// What fingers can do in the viewer: said on touch screens until someone has swiped there once.

import { t } from 'virtual:messages/photo-viewer';
import { make, sprite } from '../lib/dom.ts';

const KEY = 'larder-swiped';
const TOUCH = '(pointer: coarse)';

interface SwipeHint {
  readonly element: HTMLElement;
  /** @param count of the items that swipes lead to */
  draw(count: number): void;
  /** Someone knows it. */
  learned(): void;
}

export function createHint(): SwipeHint {
  // The keys and buttons have names of their own.
  const element = make('p', { class: 'swipe-hint', 'aria-hidden': 'true' });
  element.hidden = !matchMedia(TOUCH).matches || isLearned();
  return {
    element,
    draw(count) {
      const content = count > 1 ? [sprite('sides'), t('photoViewer.hint')] : [sprite('up'), t('photoViewer.hintAlone')];
      element.replaceChildren(...content);
    },
    learned() {
      if (element.hidden) return;
      element.hidden = true;
      try {
        localStorage.setItem(KEY, '1');
      } catch {
        // Without storage it is said again.
      }
    },
  };
}

function isLearned(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}
