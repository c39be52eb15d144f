import { matches } from './dom.ts';

/** Elements that take letters themselves. A closed dialog may keep the focus until the page is drawn. */
const TYPED_IN =
  'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], dialog[open] *, .menu *';

/** Whether a key may be one of all pages with a bar (`/`, `?`, `N`): it has no modifier, and is not typed into something. */
export function isBarKey({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !matches(target, TYPED_IN);
}
