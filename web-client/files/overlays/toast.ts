// Temporary messages at the bottom of the page.

import { t } from 'virtual:messages/files';
import { announce, elements, make, sprite } from '../../lib/dom.ts';

/** Milliseconds. */
const SHORT = 5_000;
/** With an action: long enough to read, and to reach it with the keyboard. */
const LONG = 12_000;
const MAX_TOASTS = 3;

export interface ToastAction {
  readonly text: string;
  /** Whether it undoes a change. */
  readonly isUndo?: boolean;
  run(): void;
}

interface Toast {
  close(): void;
  /** Replaces the text, for longer operations. */
  update(text: string): void;
}

const region = document.body.appendChild(make('section', { class: 'toasts', 'aria-label': t('files.toast.label') }));

/** Something else has been changed, perhaps the same item: only the last change can be undone. */
export function withdrawUndo(): void {
  for (const button of elements(region, '.undo')) button.remove();
}

/** @param action offered with the message, such as undo */
export function showToast(text: string, action: ToastAction | null = null, icon = 'check'): Toast {
  const sentence = make('span', {}, text);
  const shown = make('div', { class: 'toast' }, sprite(icon), sentence);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const hold = () => clearTimeout(timer);
  const close = () => {
    hold();
    shown.remove();
  };
  const expire = () => {
    hold();
    timer = setTimeout(close, action === null ? SHORT : LONG);
  };
  if (action !== null) {
    const run = () => {
      close();
      action.run();
    };
    shown.append(
      make('button', { type: 'button', class: action.isUndo === true ? 'undo' : '', click: run }, action.text),
    );
  }
  shown.addEventListener('pointerenter', hold);
  shown.addEventListener('pointerleave', expire);
  shown.addEventListener('focusin', hold);
  shown.addEventListener('focusout', expire);
  while (region.childElementCount >= MAX_TOASTS) region.firstElementChild?.remove();
  region.append(shown);
  announce(text);
  expire();
  return {
    close,
    update(other) {
      sentence.textContent = other;
      // It may have expired meanwhile.
      if (!shown.isConnected) region.append(shown);
      expire();
    },
  };
}

export const showProblem = (text: string, action: ToastAction | null = null): Toast => showToast(text, action, 'alert');
