// What people say about a file: sent and taken away in its place, without another page.

import { showFailure } from './files-actions.js';
import { Failure, make, send, sprite, texts } from './files-common.js';
import { toast } from './files-overlays.js';

/** @param form of the section that shows the comments @param submitter the button that says what is to be done */
export async function submit(form, submitter) {
  if (form.getAttribute('aria-busy') === 'true') return;
  form.setAttribute('aria-busy', 'true');
  const section = form.closest('.comments');
  const fields = [...new FormData(form)].filter(([name]) => name !== 'form_token');
  fields.push([submitter.name, submitter.value]);
  try {
    const data = await send(form.action, fields);
    replace(section, data.section, submitter.value);
    toast(texts.comments[submitter.value]);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    if (submitter.value !== 'add' || error.status === 0 || error.status === 401) showFailure(error);
    else showProblem(form, error.message);
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/** The section as it is now; what is typed and not sent stays. */
function replace(section, markup, deed) {
  const typed = deed === 'add' ? '' : (section.querySelector('.saying textarea')?.value ?? '');
  const isFocused = section.contains(document.activeElement);
  const place = document.createElement('template');
  place.innerHTML = markup;
  const fresh = place.content.querySelector('.comments');
  if (fresh === null) {
    section.remove();
    return;
  }
  section.replaceWith(fresh);
  const box = fresh.querySelector('.saying textarea');
  if (box !== null) box.value = typed;
  if (!isFocused) return;
  const heading = fresh.querySelector('h2');
  heading.tabIndex = -1;
  (box ?? heading).focus();
}

/** Beside the box: what was typed stays in it. */
function showProblem(form, text) {
  form.querySelector('.error')?.remove();
  const box = form.querySelector('textarea');
  box.setAttribute('aria-invalid', 'true');
  box.setAttribute('aria-describedby', 'comment-problem');
  box.after(make('p', { class: 'error', id: 'comment-problem' }, sprite('alert'), make('span', {}, text)));
  box.focus();
}
