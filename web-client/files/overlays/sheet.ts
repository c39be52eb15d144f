// A page of forms about one file or folder, in a dialog over the list; its forms are sent and shown again inside of it.

import '../share.css';
import { t } from 'virtual:messages/files';
import { prepareCopy } from '../../lib/copy-button.ts';
import { announce, elements, make, parseHtml, required, sprite } from '../../lib/dom.ts';
import { asRequestError, type RequestError } from '../../lib/requests.ts';
import { afterChange } from '../actions/changes.ts';
import { type Field, fieldOfButton, fieldsOf, requestPage, submitForm, textIn } from '../requests.ts';
import { showDialog } from './dialog.ts';
import { enterAgain, enteredBeside, prepareForms, primaryOf, unsentIn } from './sheet-forms.ts';
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
  readonly foot: Foot;
  isChanged: boolean;
}

/** The buttons that are always visible: the main one does what was chosen, and closes the sheet where nothing was. */
interface Foot {
  readonly element: HTMLElement;
  readonly main: HTMLButtonElement;
  readonly cancel: HTMLButtonElement;
  /** The main button where nothing was chosen. */
  readonly closeText: string;
}

const contentOf = ({ dialog }: Sheet): HTMLElement => required(dialog, '.parts');

/** @throws RequestError */
export const openSheet = async (address: string, kind: SheetKind): Promise<void> =>
  showSheet((await requestPage(address)).main, kind);

/** The same for a page that is the reply to a form. @throws RequestError */
export const openSheetFrom = async (address: string, fields: readonly Field[], kind: SheetKind): Promise<void> =>
  showSheet(textIn(await submitForm(address, fields), 'main'), kind);

function showSheet(main: string, kind: SheetKind): void {
  const { title, content, closeText } = partsOf(main, kind);
  const foot = makeFoot(closeText);
  const dialog = showDialog(title, content, foot.element);
  dialog.classList.add(kind.name, 'with-foot');
  const sheet: Sheet = { kind, dialog, foot, isChanged: false };
  showContent(sheet, content);
  for (const kindOfEvent of ['input', 'change']) dialog.addEventListener(kindOfEvent, () => showFoot(sheet));
  foot.main.addEventListener('click', () => void submitAll(sheet));
  foot.cancel.addEventListener('click', () => leave(sheet));
  dialog.addEventListener('cancel', (event) => {
    if (unsentIn(contentOf(sheet)).length === 0) return;
    event.preventDefault();
    leave(sheet);
  });
  dialog.addEventListener('submit', (event) => {
    event.preventDefault();
    const { target, submitter } = event;
    if (target instanceof HTMLFormElement) void submit(sheet, target, submitter);
  });
  const keep = (event: BeforeUnloadEvent) => {
    if (unsentIn(contentOf(sheet)).length > 0) event.preventDefault();
  };
  addEventListener('beforeunload', keep);
  dialog.addEventListener('close', () => {
    removeEventListener('beforeunload', keep);
    if (sheet.isChanged) void afterChange();
  });
}

function makeFoot(closeText: string): Foot {
  const main = make('button', { type: 'button', class: 'primary' });
  const cancel = make('button', { type: 'button' }, t('files.forms.cancel'));
  return { element: make('div', { class: 'actions foot' }, cancel, main), main, cancel, closeText };
}

/** The form whose main button is at the foot: one with something entered, or the one that the sheet is for. */
function mainForm(sheet: Sheet): HTMLFormElement | null {
  const content = contentOf(sheet);
  return unsentIn(content)[0] ?? content.querySelector<HTMLFormElement>('form[data-main]');
}

function showFoot(sheet: Sheet): void {
  const { main, cancel, closeText } = sheet.foot;
  const form = mainForm(sheet);
  main.textContent = (form === null ? null : primaryOf(form)?.textContent) ?? closeText;
  cancel.hidden = form === null;
}

/** Sends everything that was entered, one form after the other, and stops where something is wrong. */
async function submitAll(sheet: Sheet): Promise<void> {
  let form = mainForm(sheet);
  if (form === null) sheet.dialog.close();
  while (form !== null) {
    const folded = form.closest('details');
    if (folded !== null && !form.checkValidity()) folded.open = true;
    if (!form.reportValidity() || !(await submit(sheet, form, primaryOf(form)))) return;
    form = unsentIn(contentOf(sheet))[0] ?? null;
  }
}

/** Asks about what was entered and not sent. */
function leave(sheet: Sheet): void {
  const [form] = unsentIn(contentOf(sheet));
  if (form === undefined) {
    sheet.dialog.close();
    return;
  }
  const back = make('button', { type: 'button' }, t('files.forms.unsaved.back'));
  const discard = make('button', { type: 'button' }, t('files.forms.unsaved.discard'));
  const send = make('button', { type: 'button', class: 'primary' }, primaryOf(form)?.textContent ?? '');
  const question = showDialog(
    t('files.forms.unsaved.heading'),
    make('p', {}, t('files.forms.unsaved.lead')),
    make('div', { class: 'act' }, make('div', { class: 'actions' }, back, discard, send)),
  );
  question.setAttribute('role', 'alertdialog');
  back.addEventListener('click', () => question.close());
  discard.addEventListener('click', () => {
    question.close();
    sheet.dialog.close();
  });
  send.addEventListener('click', () => {
    question.close();
    void submitAll(sheet);
  });
}

/** Prepares a page opened directly, without a dialog. */
export function prepareSheetPage(kind: SheetKind): void {
  const section = document.querySelector<HTMLElement>(`main section.${kind.name}`);
  if (section !== null) prepareContent(section, kind);
}

function partsOf(main: string, { name }: SheetKind): { title: string; content: HTMLElement; closeText: string } {
  const section = required(parseHtml(main), `section.${name}`);
  const title = required(section, 'h1').textContent;
  for (const extra of elements(section, 'h1, .back')) extra.remove();
  const content = make('div', { class: 'parts' }, ...section.childNodes);
  return { title, content, closeText: section.dataset.close ?? '' };
}

function showContent(sheet: Sheet, content: HTMLElement): void {
  prepareForms(content);
  prepareContent(content, sheet.kind);
  showFoot(sheet);
}

/** @returns whether it was done */
async function submit(sheet: Sheet, form: HTMLFormElement, submitter: HTMLElement | null): Promise<boolean> {
  if (form.getAttribute('aria-busy') === 'true') return false;
  form.setAttribute('aria-busy', 'true');
  const { kind, dialog } = sheet;
  try {
    const data = await submitForm(form.action, [...fieldsOf(form), ...fieldOfButton(submitter)]);
    sheet.isChanged = true;
    const { content } = partsOf(textIn(data, 'main'), kind);
    // What was entered in other forms is not lost by sending this one.
    const unsent = enteredBeside(contentOf(sheet), form);
    contentOf(sheet).replaceWith(content);
    showContent(sheet, content);
    enterAgain(content, unsent);
    showFoot(sheet);
    announce(content.querySelector('.note')?.textContent ?? '');
    dialog.scrollTop = 0;
    (kind.first(content, submitter) ?? sheet.foot.main).focus();
    return true;
  } catch (error) {
    showError(sheet, form, asRequestError(error));
    return false;
  } finally {
    form.removeAttribute('aria-busy');
  }
}

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
