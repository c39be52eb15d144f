// The key that leads to the search, on pages of the account. Those of files have it in their own script.

import { required } from '../lib/dom.ts';
import { isSearchKey } from '../lib/search-key.ts';

document.addEventListener('keydown', (event) => {
  if (event.defaultPrevented || !isSearchKey(event)) return;
  event.preventDefault();
  const field = required(document, '.bar .search input[type=search]');
  // Narrow pages show only a link to it.
  if (field.checkVisibility()) field.focus();
  else required(document, '.bar .to-search').click();
});
