// The column with the details of a file, from its page.

import { make } from '../lib/dom.ts';

/** Its content, for the panel of the viewer: there the name is no heading of the page. */
export function detailsContent(facts: Element): HTMLElement {
  const name = facts.querySelector('h1');
  name?.replaceWith(make('p', { class: 'strong', dir: 'auto' }, name.textContent ?? ''));
  return make('div', {}, ...facts.childNodes);
}
