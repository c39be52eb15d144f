// The row that is being dragged has to stay in the document.

import { closest } from '../../lib/dom.ts';

/** @param list with rows that come and go */
export function followDraggedRow(list: HTMLElement): { readonly current: HTMLElement | null; close(): void } {
  let current: HTMLElement | null = null;
  list.addEventListener('dragstart', ({ target }) => {
    current = closest<HTMLElement>(target, '.item');
  });
  const onEnd = () => {
    current = null;
  };
  addEventListener('dragend', onEnd);
  return {
    get current() {
      return current;
    },
    close: () => removeEventListener('dragend', onEnd),
  };
}
