// Comments on a file: sent and deleted in place, without loading another page.

import { t } from 'virtual:messages/files';
import { make, required, sprite } from '../lib/dom.ts';
import { asRequestError } from '../lib/requests.ts';
import { showFailure } from './failure.ts';
import { showToast } from './overlays/toast.ts';
import { fieldsOf, submitForm, textIn } from './requests.ts';

/** @param form of the comments section @param submitter determines the action */
export async function submitComment(form: HTMLFormElement, submitter: HTMLButtonElement): Promise<void> {
  if (form.getAttribute('aria-busy') === 'true') return;
  form.setAttribute('aria-busy', 'true');
  const { name, value: action } = submitter;
  const section = form.closest<HTMLElement>('.comments');
  try {
    const data = await submitForm(form.action, [...fieldsOf(form), [name, action]]);
    if (section !== null) replaceSection(section, textIn(data, 'section'), action);
    showToast(action === 'add' ? t('files.toast.commented') : t('files.toast.uncommented'));
  } catch (error) {
    const failure = asRequestError(error);
    const isShownBesideBox = action === 'add' && failure.status !== 0 && failure.status !== 401;
    if (isShownBesideBox) showError(form, failure.message);
    else showFailure(failure);
  } finally {
    form.removeAttribute('aria-busy');
  }
}

const boxIn = (section: HTMLElement) => section.querySelector<HTMLTextAreaElement>('.comment-form textarea');

/** Keeps text that was not sent. */
function replaceSection(section: HTMLElement, markup: string, action: string): void {
  const typed = action === 'add' ? '' : (boxIn(section)?.value ?? '');
  const hadFocus = section.contains(document.activeElement);
  const template = document.createElement('template');
  template.innerHTML = markup;
  const fresh = template.content.querySelector<HTMLElement>('.comments');
  if (fresh === null) {
    section.remove();
    return;
  }
  section.replaceWith(fresh);
  const box = boxIn(fresh);
  if (box !== null) box.value = typed;
  if (!hadFocus) return;
  const heading = required(fresh, 'h2');
  heading.tabIndex = -1;
  (box ?? heading).focus();
}

/** The entered text stays in the box. */
function showError(form: HTMLFormElement, text: string): void {
  form.querySelector('.error')?.remove();
  const box = required<HTMLTextAreaElement>(form, 'textarea');
  box.setAttribute('aria-invalid', 'true');
  box.setAttribute('aria-describedby', 'comment-problem');
  box.after(make('p', { class: 'error', id: 'comment-problem' }, sprite('alert'), make('span', {}, text)));
  box.focus();
}
