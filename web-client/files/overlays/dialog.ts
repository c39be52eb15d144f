// A dialog over the page.

import { make } from '../../lib/dom.ts';

/** @returns the dialog, whose content can be changed; it is removed when it is closed */
export function showDialog(title: string, ...content: readonly Node[]): HTMLDialogElement {
  const opener = document.activeElement;
  const heading = make('h2', { id: 'dialog-title' }, title);
  const dialog = make('dialog', { 'aria-labelledby': 'dialog-title' }, heading, ...content);
  dialog.addEventListener('close', () => {
    dialog.remove();
    if (opener instanceof HTMLElement && opener.isConnected) opener.focus();
  });
  dialog.addEventListener('pointerdown', ({ target, clientX: x, clientY: y }) => {
    const box = dialog.getBoundingClientRect();
    const isOutside = x < box.left || x > box.right || y < box.top || y > box.bottom;
    if (target === dialog && isOutside) dialog.close();
  });
  document.body.append(dialog);
  dialog.showModal();
  return dialog;
}
