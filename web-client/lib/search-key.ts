import { matches } from './dom.ts';

/** Elements that take letters themselves. */
const TYPED_IN = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog *';

/** Whether a key leads to the search of the bar: `/`, unless it is typed into something. */
export function isSearchKey({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return key === '/' && !ctrlKey && !metaKey && !altKey && !matches(target, TYPED_IN);
}
