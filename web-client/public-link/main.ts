// The scripts of the pages of web links, which also work without them.

import { closest } from '../lib/dom.ts';
import { startFolder } from './folder.ts';
import { startViewer } from './viewer-entries.ts';

document.body.classList.add('scripted');

const KEYS: Readonly<Record<string, string>> = { ArrowLeft: 'prev', ArrowRight: 'next' };

// Arrow keys open the previous and next file.
document.addEventListener('keydown', (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || closest(event.target, 'input, textarea, dialog') !== null)
    return;
  const rel = Object.hasOwn(KEYS, event.key) ? KEYS[event.key] : undefined;
  if (rel !== undefined) document.querySelector<HTMLElement>(`.steps-along a[rel="${rel}"]`)?.click();
});

const folder = document.querySelector<HTMLFormElement>('form.take');
const photo = document.querySelector<HTMLElement>('.stage .enlarge');
if (folder !== null) startFolder(folder);
else if (photo !== null)
  startViewer(
    photo,
    () => photo,
    ({ fileBelow }) => fileBelow(photo),
  );
else reloadForHistory();

/** A page that was loaded for an entry of the viewer is another one than that of the entries before and after it. */
function reloadForHistory(): void {
  const { search } = location;
  addEventListener('popstate', () => {
    if (location.search !== search) location.reload();
  });
}

if (document.querySelector('form.send') !== null) void import('./send.ts');
