// The page that edits a text: keys, saving without leaving the page before it is done, and a question before changes are lost.

import { t } from 'virtual:messages/files';
import { parseHtml, required } from '../lib/dom.ts';
import { asRequestError } from '../lib/requests.ts';
import { showAfterwards } from './actions/changes.ts';
import { showProblem } from './overlays/toast.ts';
import { main } from './page.ts';
import { fieldOfButton, fieldsOf, submitForm, textIn } from './requests.ts';

/** Prepares the form of the page that is shown. It works without the script. */
export function attachEditor(form: HTMLFormElement): void {
  const editor = form.parentElement;
  const text = form.querySelector('textarea');
  if (editor === null || text === null || form.dataset.attached !== undefined) return;
  form.dataset.attached = '';
  // What could not be saved is changed from the start; and something may have been typed before this script was there.
  const isRefused = editor.matches('.changed');
  const mark = () => editor.classList.toggle('changed', isRefused || text.value !== text.defaultValue);
  mark();
  text.addEventListener('input', mark);
  form.addEventListener('keydown', (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey || event.key.toLowerCase() !== 's') return;
    event.preventDefault();
    if (!event.repeat) form.requestSubmit(form.querySelector<HTMLButtonElement>('button.primary'));
  });
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    // What would be typed meanwhile would not be saved.
    if (text.readOnly) return;
    text.readOnly = true;
    const { submitter } = event;
    submitter?.setAttribute('aria-busy', 'true');
    await save(form, editor, submitter).finally(() => {
      text.readOnly = false;
      submitter?.removeAttribute('aria-busy');
    });
  });
  text.focus({ preventScroll: true });
}

async function save(form: HTMLFormElement, editor: HTMLElement, submitter: HTMLElement | null): Promise<void> {
  try {
    const reply = await submitForm(form.action, [...fieldsOf(form), ...fieldOfButton(submitter)]);
    const to = textIn(reply, 'to');
    if (to === '') {
      showRefusal(form, parseHtml(textIn(reply, 'main')));
      return;
    }
    editor.classList.remove('changed');
    // Another page has been chosen meanwhile.
    if (form.isConnected) await showAfterwards(to);
  } catch (error) {
    const { code, status, message } = asRequestError(error);
    // What is typed stays: signing in here would replace the page.
    showProblem(status === 401 && code !== 'somebody_else' ? t('editing.signedOut') : message);
  }
}

/** Takes over what the page says of a refusal, and the tag to save with: the text area keeps its place and its history. */
function showRefusal(form: HTMLFormElement, page: ParentNode): void {
  form.querySelector('.note')?.remove();
  required(form, 'label').before(required(page, '.note'));
  required<HTMLInputElement>(form, '[name=etag]').value = required<HTMLInputElement>(page, '[name=etag]').value;
  required(form, 'button.primary').textContent = required(page, 'button.primary').textContent;
}

addEventListener('beforeunload', (event) => {
  if (main.querySelector('.text-editor.changed') !== null) event.preventDefault();
});
