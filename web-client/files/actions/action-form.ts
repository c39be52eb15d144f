// The form of an action, in a dialog: the same that the page shows without the script.

import { closest, make, parseHtml, required, sprite } from '../../lib/dom.ts';
import { asRequestError, encodeQuery } from '../../lib/requests.ts';
import { clearSelection } from '../list/selection.ts';
import { showDialog } from '../overlays/dialog.ts';
import { showToast } from '../overlays/toast.ts';
import { base } from '../page.ts';
import { fieldsOf, postItems, requestPage } from '../requests.ts';
import {
  type ActionItem,
  aboutItems,
  BATCH_SIZE,
  type BatchResult,
  doneText,
  failedText,
  inBatches,
} from './batches.ts';
import { afterChange, afterRemoval, showAfterwards } from './changes.ts';
import { undoOf } from './moves.ts';

/** A dialog, and its items. After some items are done, it concerns the rest. */
interface OpenForm {
  readonly dialog: HTMLDialogElement;
  readonly action: string;
  items: readonly ActionItem[];
}

/** Actions after which the items have left the list. */
const MOVING: ReadonlySet<string> = new Set(['move', 'erase', 'empty-trash']);

const formIn = (dialog: HTMLElement) => required<HTMLFormElement>(dialog, 'form');
/** The field that the form is about. */
const nameField = (form: ParentNode) => form.querySelector<HTMLInputElement>('[name=name], [name=tag]');

/** @throws RequestError */
export async function openActionForm(action: string, items: readonly ActionItem[]): Promise<void> {
  const { title, form } = await fetchForm(`${base}/do/${action}?${encodeQuery(aboutItems(items))}`);
  prepareForm({ dialog: showDialog(title, form), action, items });
}

async function fetchForm(address: string): Promise<{ title: string; form: HTMLFormElement }> {
  const section = required(parseHtml((await requestPage(address)).main), 'section.form');
  return { title: required(section, 'h1').textContent, form: formIn(section) };
}

function prepareForm(open: OpenForm): void {
  const { dialog, items } = open;
  const form = formIn(dialog);
  focusFirst(form, items[0]);
  form.addEventListener('click', (event) => {
    const link = closest<HTMLAnchorElement>(event.target, 'a');
    if (link === null) return;
    event.preventDefault();
    if (link.matches('.new')) void showFolderForm(open, link.href);
    else if (link.matches('.chooser a')) void showFolder(open, link.href);
    else dialog.close();
  });
  const newFolder = form.querySelector<HTMLElement>('.new');
  if (newFolder !== null) newFolder.hidden = false;
  let isBusy = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    await submit(open, form).finally(() => {
      isBusy = false;
    });
  });
}

function focusFirst(form: HTMLFormElement, item: ActionItem | undefined): void {
  const field = nameField(form);
  if (field === null) {
    (form.querySelector<HTMLElement>('select, .chooser a') ?? required(form, '.cancel')).focus();
    return;
  }
  field.focus();
  // For the name of a file, selects everything before the extension.
  const dot = item?.isDir === false ? field.value.lastIndexOf('.') : -1;
  field.setSelectionRange(0, dot > 0 ? dot : field.value.length);
}

const addressOfFolder = ({ action, items }: OpenForm, to: string): string =>
  `${base}/do/${action}?${encodeQuery({ ...aboutItems(items), to })}`;

/** Shows another folder to choose; ticked options stay. */
async function showFolder(open: OpenForm, address: string): Promise<void> {
  const { dialog } = open;
  await reporting(dialog, async () => {
    const { form } = await fetchForm(address);
    const isTicked = dialog.querySelector<HTMLInputElement>('[name=overwrite]')?.checked === true;
    const box = form.querySelector<HTMLInputElement>('[name=overwrite]');
    if (isTicked && box !== null) box.checked = true;
    formIn(dialog).replaceWith(form);
    prepareForm(open);
  });
}

/** Creates a folder inside the shown one, without leaving the dialog. */
async function showFolderForm(open: OpenForm, address: string): Promise<void> {
  const { dialog } = open;
  const path = new URL(address, location.href).searchParams.get('path') ?? '';
  await reporting(dialog, async () => {
    const { form } = await fetchForm(address);
    // Keeps ticked options.
    const box = dialog.querySelector<HTMLElement>('.check');
    if (box !== null) {
      box.hidden = true;
      form.append(box);
    }
    formIn(dialog).replaceWith(form);
    const field = required<HTMLInputElement>(form, '[name=name]');
    field.focus();
    required(form, '.cancel').addEventListener('click', (event) => {
      event.preventDefault();
      void showFolder(open, addressOfFolder(open, path));
    });
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void reporting(dialog, () => createFolder(open, path, field.value));
    });
  });
}

async function createFolder(open: OpenForm, path: string, name: string): Promise<void> {
  const [created] = await postItems('create-folder', [
    ['path[]', path],
    ['name', name],
  ]);
  if (created?.error === undefined) await showFolder(open, addressOfFolder(open, created?.to ?? path));
  else showError(open.dialog, created.error);
}

async function submit(open: OpenForm, form: HTMLFormElement): Promise<void> {
  const { dialog, items } = open;
  const button = required(form, 'button');
  const bar = items.length > BATCH_SIZE ? make('progress', { max: items.length, value: 0 }) : null;
  button.setAttribute('aria-busy', 'true');
  if (bar !== null) form.append(bar);
  try {
    await reporting(dialog, async () => {
      const result = await performForm(open, form, (count) => bar?.setAttribute('value', String(count)));
      if (result.failed.length > 0) await showRest(open, result);
      else await finish(open, result);
    });
  } finally {
    button.removeAttribute('aria-busy');
    bar?.remove();
  }
}

async function performForm(
  { action, items }: OpenForm,
  form: HTMLFormElement,
  onProgress: (count: number) => void,
): Promise<BatchResult> {
  const fields = fieldsOf(form, ['path[]', 'form_token']);
  if (items.length > 0) return inBatches(action, items, fields, onProgress);
  // It concerns the whole list, such as the trash.
  const results = await postItems(action, fields);
  return { done: results.map((result) => ({ ...result, from: '' })), failed: [], reason: '' };
}

async function showRest(open: OpenForm, { done, failed, reason }: BatchResult): Promise<void> {
  showError(open.dialog, failedText(failed.length, open.items.length, reason));
  open.items = failed;
  if (done.length > 0) await afterChange();
}

async function finish({ dialog, action }: OpenForm, { done }: BatchResult): Promise<void> {
  dialog.close();
  if (action === 'create-file') {
    await showAfterwards(`${base}/edit?path=${encodeURIComponent(done[0]?.to ?? '')}`);
    return;
  }
  showToast(doneText(action, Math.max(done.length, 1)), undoOf(action, done));
  clearSelection();
  const [only] = done;
  if (MOVING.has(action)) await afterRemoval();
  else await afterChange(action !== 'copy' && done.length === 1 ? (only?.to ?? null) : null);
}

async function reporting(dialog: HTMLElement, run: () => Promise<void>): Promise<void> {
  try {
    await run();
  } catch (error) {
    showError(dialog, asRequestError(error).message);
  }
}

/** Inside of the dialog, so that the entered text stays. */
function showError(dialog: HTMLElement, text: string): void {
  const field = nameField(dialog);
  dialog.querySelector('.problem-here')?.remove();
  const content = [sprite('alert'), make('span', {}, text)];
  if (field === null) {
    formIn(dialog).prepend(make('div', { class: 'note problem-here', role: 'alert' }, ...content));
    return;
  }
  field.after(make('p', { class: 'error problem-here', id: 'name-problem', role: 'alert' }, ...content));
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', 'name-problem');
  field.focus();
}
