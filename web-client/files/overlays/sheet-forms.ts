// What was entered in the forms of a sheet and not sent yet.

import { elements } from '../../lib/dom.ts';

/** The button that does what the form is for. */
export const primaryOf = (form: HTMLFormElement): HTMLButtonElement | null =>
  form.querySelector<HTMLButtonElement>('button.primary:not(.grave)');

const atFirst = new WeakMap<HTMLFormElement, string>();

const stateOf = (form: HTMLFormElement): string => JSON.stringify([...new FormData(form)]);

/** Remembers what forms contain before anything is entered. Their main buttons are shown at the foot of the sheet instead. */
export function prepareForms(content: HTMLElement): void {
  for (const form of elements<HTMLFormElement>(content, 'form')) {
    const primary = primaryOf(form);
    if (primary === null) continue;
    primary.hidden = true;
    atFirst.set(form, stateOf(form));
  }
}

/** The forms with something that was entered and not sent. */
export const unsentIn = (content: HTMLElement): HTMLFormElement[] =>
  elements<HTMLFormElement>(content, 'form').filter((form) => atFirst.has(form) && atFirst.get(form) !== stateOf(form));

/** Values by the form they belong to. */
type Unsent = ReadonlyMap<string, FormData>;

/** The same form has the same purpose and recipient. */
const keyOf = (form: HTMLFormElement): string =>
  `${primaryOf(form)?.value} ${form.querySelector<HTMLInputElement>('input[type=hidden][name=to]')?.value ?? ''}`;

/** What was entered in all forms but one, which is being sent. */
export const enteredBeside = (content: HTMLElement, sent: HTMLFormElement): Unsent =>
  new Map(unsentIn(content).flatMap((form) => (form === sent ? [] : [[keyOf(form), new FormData(form)]])));

/** Enters it again into the same forms of new content. */
export function enterAgain(content: HTMLElement, unsent: Unsent): void {
  for (const form of elements<HTMLFormElement>(content, 'form')) {
    const values = unsent.get(keyOf(form));
    if (values === undefined) continue;
    for (const field of form.elements) {
      if (field instanceof HTMLInputElement && field.type === 'hidden') continue;
      if (field instanceof HTMLInputElement && (field.type === 'checkbox' || field.type === 'radio'))
        field.checked = values.getAll(field.name).includes(field.value);
      else if (
        field instanceof HTMLInputElement ||
        field instanceof HTMLSelectElement ||
        field instanceof HTMLTextAreaElement
      )
        field.value = String(values.get(field.name) ?? '');
    }
    const folded = form.closest('details');
    if (folded !== null) folded.open = true;
  }
}
