// A page of forms about one file or folder, in a dialog over the list; its forms are sent and shown again inside of it.

import '../share.css';
import { prepareCopy } from '../../lib/copy-button.ts';
import { announce, elements, make, parseHtml, required, sprite } from '../../lib/dom.ts';
import { asRequestError, type RequestError } from '../../lib/requests.ts';
import { afterChange } from '../changes.ts';
import { type Field, fieldsOf, requestPage, submitForm, textIn } from '../requests.ts';
import { showDialog } from './dialog.ts';
import { showProblem } from './toast.ts';

export interface SheetKind {
  /** The class of the page's section. */
  readonly name: string;
  /** Called with the content each time it is shown. */
  prepare?(content: HTMLElement): void;
  /** The element that gets the focus after an action. */
  first(content: HTMLElement, submitter: HTMLElement | null): HTMLElement | null;
}

interface Sheet {
  readonly kind: SheetKind;
  readonly dialog: HTMLDialogElement;
  isChanged: boolean;
}

/** @throws RequestError */
export async function openSheet(address: string, kind: SheetKind): Promise<void> {
  const { title, content } = partsOf((await requestPage(address)).main, kind);
  const dialog = showDialog(title, content);
  dialog.classList.add(kind.name);
  const sheet: Sheet = { kind, dialog, isChanged: false };
  prepareContent(content, kind);
  dialog.addEventListener('submit', (event) => {
    event.preventDefault();
    const { target, submitter } = event;
    if (target instanceof HTMLFormElement) void submit(sheet, target, submitter);
  });
  dialog.addEventListener('close', () => {
    if (sheet.isChanged) void afterChange();
  });
}

/** Prepares a page opened directly, without a dialog. */
export function prepareSheetPage(kind: SheetKind): void {
  const section = document.querySelector<HTMLElement>(`main section.${kind.name}`);
  if (section !== null) prepareContent(section, kind);
}

function partsOf(main: string, { name }: SheetKind): { title: string; content: HTMLElement } {
  const section = required(parseHtml(main), `section.${name}`);
  const title = required(section, 'h1').textContent;
  for (const extra of elements(section, 'h1, .back')) extra.remove();
  const close = make('button', { type: 'button', class: 'close' }, section.dataset.close ?? '');
  close.addEventListener('click', () => close.closest('dialog')?.close());
  const content = make('div', { class: 'parts' }, ...section.childNodes, make('div', { class: 'actions' }, close));
  return { title, content };
}

async function submit(sheet: Sheet, form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  if (form.getAttribute('aria-busy') === 'true') return;
  form.setAttribute('aria-busy', 'true');
  const { kind, dialog } = sheet;
  try {
    const data = await submitForm(form.action, [...fieldsOf(form), ...fieldOfButton(submitter)]);
    sheet.isChanged = true;
    const { content } = partsOf(textIn(data, 'main'), kind);
    required(dialog, '.parts').replaceWith(content);
    prepareContent(content, kind);
    announce(content.querySelector('.note')?.textContent ?? '');
    dialog.scrollTop = 0;
    (kind.first(content, submitter) ?? required(content, '.close')).focus();
  } catch (error) {
    showError(sheet, form, asRequestError(error));
  } finally {
    form.removeAttribute('aria-busy');
  }
}

export const fieldOfButton = (submitter: HTMLElement | null): Field[] =>
  submitter instanceof HTMLButtonElement ? [[submitter.name, submitter.value]] : [];

/** Beside the field or form concerned, so that the entered text stays. */
function showError({ dialog }: Sheet, form: HTMLFormElement, { message, status, details }: RequestError): void {
  clearErrors(dialog);
  if (status === 0 || status === 401) {
    showProblem(message);
    return;
  }
  const { parameter } = details;
  const field = typeof parameter === 'string' ? form.elements.namedItem(parameter) : null;
  if (!(field instanceof HTMLElement)) {
    form.prepend(make('div', { class: 'note problem-here', role: 'alert' }, message));
    return;
  }
  const id = `${field.id}-problem`;
  field.after(
    make('p', { class: 'error problem-here', id, role: 'alert' }, sprite('alert'), make('span', {}, message)),
  );
  field.dataset.described = field.getAttribute('aria-describedby') ?? '';
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', id);
  const folded = field.closest('details');
  if (folded !== null) folded.open = true;
  field.focus();
}

function clearErrors(dialog: HTMLElement): void {
  for (const error of elements(dialog, '.problem-here')) error.remove();
  for (const field of elements(dialog, '[data-described]')) {
    field.removeAttribute('aria-invalid');
    field.setAttribute('aria-describedby', field.dataset.described ?? '');
    delete field.dataset.described;
  }
}

function prepareContent(content: HTMLElement, kind: SheetKind): void {
  for (const button of elements(content, '[data-copy]')) prepareCopy(button, content, announce);
  kind.prepare?.(content);
}
