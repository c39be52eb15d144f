// Keys of pages of the account. Those of files have them in their own script.

import { isBarKey } from '../lib/bar-keys.ts';
import { required } from '../lib/dom.ts';

const help = required<HTMLDialogElement>(document, 'dialog.keys-help');
const { newFolder } = help.dataset;

document.addEventListener('keydown', (event) => {
  // Behind an open dialog, keys mean nothing.
  if (event.defaultPrevented || !isBarKey(event) || document.querySelector('dialog[open]') !== null) return;
  if (event.key === '/') search();
  else if (event.key === '?') help.showModal();
  else if (event.key.toLowerCase() === 'n' && newFolder !== undefined) location.assign(newFolder);
  else return;
  event.preventDefault();
});

function search(): void {
  const field = required(document, '.bar .search input[type=search]');
  // Narrow pages show only a link to it.
  if (field.checkVisibility()) field.focus();
  else required(document, '.bar .to-search').click();
}
