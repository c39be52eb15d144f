// Whom something is shared with: the page's own forms, in a dialog over the folder. Without this they are a page of their own.

import { after } from './files-actions.js';
import { ask, base, Failure, make, query, say, send } from './files-common.js';
import { complain, showDialog } from './files-overlays.js';

/** The style of these forms comes with the first of them. */
function wantStyle() {
  const href = new URL('files-share.css', import.meta.url).href;
  const isThere = [...document.querySelectorAll('link[rel=stylesheet]')].some((link) => link.href === href);
  if (!isThere) document.head.append(make('link', { rel: 'stylesheet', href }));
}

/** @param item `{ path }` */
export async function openShare({ path }) {
  wantStyle();
  const { data } = await ask('GET', `${base}/share?${query({ path })}`);
  const { title, content } = partsOf(data.main);
  const dialog = showDialog(title, content);
  dialog.classList.add('share');
  let isChanged = false;
  prepare(content);
  dialog.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(dialog, event).then((done) => {
      isChanged ||= done;
    });
  });
  dialog.addEventListener('close', () => {
    if (isChanged) void after.changed();
  });
}

function partsOf(main) {
  const section = new DOMParser().parseFromString(main, 'text/html').querySelector('section.share');
  const title = section.querySelector('h1').textContent;
  for (const extra of section.querySelectorAll('h1, .back')) extra.remove();
  const close = make('button', { type: 'button', class: 'close' }, section.dataset.close);
  close.addEventListener('click', () => close.closest('dialog').close());
  const content = make(
    'div',
    { class: 'share-parts' },
    ...section.childNodes,
    make('div', { class: 'actions' }, close),
  );
  return { title, content };
}

/** @returns whether something was changed */
async function submit(dialog, { target: form, submitter }) {
  if (form.getAttribute('aria-busy') === 'true') return false;
  form.setAttribute('aria-busy', 'true');
  const fields = [...new FormData(form)].filter(([name]) => name !== 'form_token');
  if (submitter !== null) fields.push([submitter.name, submitter.value]);
  try {
    const data = await send(form.action, fields);
    const { content } = partsOf(data.main);
    dialog.querySelector('.share-parts').replaceWith(content);
    prepare(content);
    const note = content.querySelector('.note');
    say(note?.textContent ?? '');
    (content.querySelector('#guest-link, .error input') ?? content.querySelector('select, summary, .close'))?.focus();
    return true;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    showProblem(dialog, form, error);
    return false;
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/** Beside the form that it is about: what was typed stays. */
function showProblem(dialog, form, error) {
  dialog.querySelector('.problem-here')?.remove();
  if (error.status === 0 || error.status === 401) {
    complain(error);
    return;
  }
  form.prepend(make('div', { class: 'note problem-here', role: 'alert' }, error.message));
}

function prepare(content) {
  for (const button of content.querySelectorAll('[data-copy]')) {
    if (navigator.clipboard === undefined) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(content.querySelector(`#${button.dataset.copy}`).value);
      button.querySelector('span').textContent = button.dataset.copied;
      say(button.dataset.copied);
    });
  }
  const link = content.querySelector('#guest-link');
  link?.addEventListener('focus', () => link.select());
}

const page = document.querySelector('main section.share');
if (page !== null) prepare(page);
