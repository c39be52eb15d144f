// The visitor's name. Nothing is sent without it.

import { t } from 'virtual:messages/public-link';
import { make, required, sprite } from '../lib/dom.ts';
import { form } from './send-form.ts';

/** Milliseconds after the last key press until a name counts as complete. */
const TYPING = 2_000;
const PROBLEM = 'sender-missing';

const named = form.elements.namedItem('sender');
/** Signed-in visitors have no such field. */
const field = named instanceof HTMLInputElement ? named : null;

/** Hidden while files are sent as soon as they are chosen. */
const sendButtons = required(form, '.actions');

/** The last complete value of the field. */
let name: string | null = null;

export function readSenderName(): void {
  name = field?.value.trim() ?? null;
}

/** Null for a signed-in visitor, empty while unknown. */
export const senderName = (): string | null => name;

/** The server rejected the name, so another one is needed. */
export function refuseSenderName(): void {
  if (field !== null) name = '';
}

export function askForSenderName(): void {
  if (field === null) return;
  field.focus();
  if (field.hasAttribute('aria-invalid')) return;
  const problem = make(
    'p',
    { class: 'error', id: PROBLEM },
    sprite('alert'),
    make('span', {}, t('links.send.nameMissing')),
  );
  field.setAttribute('aria-invalid', 'true');
  field.dataset.describedBy = field.getAttribute('aria-describedby') ?? '';
  field.setAttribute('aria-describedby', PROBLEM);
  field.after(problem);
  // The files that were chosen wait for it.
  sendButtons.hidden = false;
}

function withdrawProblem(input: HTMLInputElement): void {
  if (input.value.trim() === '' || !input.hasAttribute('aria-invalid')) return;
  input.removeAttribute('aria-invalid');
  input.setAttribute('aria-describedby', input.dataset.describedBy ?? '');
  document.getElementById(PROBLEM)?.remove();
}

/** @param onNamed called when the visitor has entered a name */
export function watchSenderName(onNamed: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const complete = () => {
    clearTimeout(timer);
    readSenderName();
    if (name === '') return;
    sendButtons.hidden = true;
    onNamed();
  };
  field?.addEventListener('input', () => {
    withdrawProblem(field);
    clearTimeout(timer);
    timer = setTimeout(complete, TYPING);
  });
  field?.addEventListener('change', complete);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    complete();
  });
  readSenderName();
}
