// A page of forms about one file or folder, in a dialog over the folder: its own forms, sent and shown again there. Without this
// they are a page of their own.

import { after } from './files-actions.js';
import { ask, Failure, make, say, send, sprite } from './files-common.js';
import { complain, showDialog } from './files-overlays.js';

/** The styles of these forms come with the first of them. */
function wantStyles(names) {
  const there = [...document.querySelectorAll('link[rel=stylesheet]')].map((link) => link.href);
  for (const name of names) {
    const href = new URL(name, import.meta.url).href;
    if (!there.includes(href)) document.head.append(make('link', { rel: 'stylesheet', href }));
  }
}

/**
 * @param kind the class of the page's section
 * @param more of this page: `styles`, `prepare` what is shown, and `first`, what the keyboard is at when something was done
 */
export async function openSheet(address, kind, more) {
  wantStyles(more.styles);
  const { data } = await ask('GET', address);
  const { title, content } = partsOf(data.main, kind);
  const dialog = showDialog(title, content);
  dialog.classList.add(kind);
  const sheet = { ...more, kind, dialog, isChanged: false };
  prepare(content, sheet);
  dialog.addEventListener('submit', (event) => {
    event.preventDefault();
    void submit(sheet, event);
  });
  dialog.addEventListener('close', () => {
    if (sheet.isChanged) void after.changed();
  });
}

function partsOf(main, kind) {
  const section = new DOMParser().parseFromString(main, 'text/html').querySelector(`section.${kind}`);
  const title = section.querySelector('h1').textContent;
  for (const extra of section.querySelectorAll('h1, .back')) extra.remove();
  const close = make('button', { type: 'button', class: 'close' }, section.dataset.close);
  close.addEventListener('click', () => close.closest('dialog').close());
  const content = make('div', { class: 'parts' }, ...section.childNodes, make('div', { class: 'actions' }, close));
  return { title, content };
}

async function submit(sheet, { target: form, submitter }) {
  if (form.getAttribute('aria-busy') === 'true') return;
  form.setAttribute('aria-busy', 'true');
  const fields = [...new FormData(form)].filter(([name]) => name !== 'form_token');
  if (submitter !== null) fields.push([submitter.name, submitter.value]);
  try {
    const data = await send(form.action, fields);
    sheet.isChanged = true;
    const { content } = partsOf(data.main, sheet.kind);
    sheet.dialog.querySelector('.parts').replaceWith(content);
    prepare(content, sheet);
    say(content.querySelector('.note')?.textContent ?? '');
    sheet.dialog.scrollTop = 0;
    (sheet.first(content, submitter) ?? content.querySelector('.close')).focus();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    showProblem(sheet, form, error);
  } finally {
    form.removeAttribute('aria-busy');
  }
}

/** At the field, or beside the form that it is about: what was typed stays. */
function showProblem({ dialog }, form, error) {
  for (const problem of dialog.querySelectorAll('.problem-here')) problem.remove();
  for (const field of dialog.querySelectorAll('[data-described]')) {
    field.removeAttribute('aria-invalid');
    field.setAttribute('aria-describedby', field.dataset.described);
    delete field.dataset.described;
  }
  if (error.status === 0 || error.status === 401) {
    complain(error);
    return;
  }
  const { parameter } = error.details;
  const field = typeof parameter === 'string' ? form.elements.namedItem(parameter) : null;
  if (!(field instanceof Element)) {
    form.prepend(make('div', { class: 'note problem-here', role: 'alert' }, error.message));
    return;
  }
  const id = `${field.id}-problem`;
  const text = make('span', {}, error.message);
  field.after(make('p', { class: 'error problem-here', id, role: 'alert' }, sprite('alert'), text));
  field.dataset.described = field.getAttribute('aria-describedby') ?? '';
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', id);
  const folded = field.closest('details');
  if (folded !== null) folded.open = true;
  field.focus();
}

function prepare(content, { prepare: more }) {
  for (const button of content.querySelectorAll('[data-copy]')) {
    const field = content.querySelector(`#${button.dataset.copy}`);
    field.addEventListener('focus', () => field.select());
    if (navigator.clipboard === undefined) continue;
    button.hidden = false;
    button.addEventListener('click', async () => {
      await navigator.clipboard.writeText(field.value);
      button.querySelector('span').textContent = button.dataset.copied;
      say(button.dataset.copied);
    });
  }
  more?.(content);
}

/** The page itself, where it is one. */
export function preparePage(kind, more = {}) {
  const section = document.querySelector(`main section.${kind}`);
  if (section !== null) prepare(section, more);
}
