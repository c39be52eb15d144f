// A dialog over the page.

import { make } from '../../lib/dom.ts';

/** For ids that are unique where one dialog is over another. */
let shown = 0;

/** @returns the dialog, whose content can be changed; it is removed when it is closed */
export function showDialog(title: string, ...content: readonly Node[]): HTMLDialogElement {
  const opener = document.activeElement;
  const id = `dialog-title-${++shown}`;
  const heading = make('h2', { id }, title);
  const dialog = make('dialog', { 'aria-labelledby': id }, heading, ...content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  });
  dialog.addEventListener('pointerdown', ({ target, clientX: x, clientY: y }) => {
    const box = dialog.getBoundingClientRect();
    const isOutside = x < box.left || x > box.right || y < box.top || y > box.bottom;
    // The same as Escape, so that a listener can keep it open.
    if (target === dialog && isOutside && dialog.dispatchEvent(new Event('cancel', { cancelable: true })))
      dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
