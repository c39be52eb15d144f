// The page that edits a text: keys, and a question before changes are lost.

import { main } from './page.ts';

/** Prepares the form of the page that is shown. It works without the script. */
export function attachEditor(form: HTMLFormElement): void {
  const editor = form.parentElement;
  const text = form.querySelector('textarea');
  if (editor === null || text === null || form.dataset.attached !== undefined) return;
  form.dataset.attached = '';
  const saved = text.value;
  // What could not be saved is changed from the start.
  const isRefused = editor.matches('.changed');
  text.addEventListener('input', () => editor.classList.toggle('changed', isRefused || text.value !== saved));
  form.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    form.requestSubmit(form.querySelector<HTMLButtonElement>('button.primary'));
  });
  form.addEventListener('submit', () => editor.classList.remove('changed'));
  text.focus({ preventScroll: true });
}

addEventListener('beforeunload', (event) => {
  if (main.querySelector('.text-editor.changed') !== null) event.preventDefault();
});
