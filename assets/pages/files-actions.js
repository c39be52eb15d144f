// What can be done with files and folders: at once, or after a dialog that is the page's own form.

import {
  ask,
  base,
  Failure,
  fill,
  make,
  numbered,
  post,
  query,
  renewSession,
  session,
  sprite,
  texts,
} from './files-common.js';
import { clear, listing } from './files-list.js';
import { complain, showDialog, toast } from './files-overlays.js';

/** Items of one request. */
const BATCH = 25;
/** Paths of one download. */
const MOST_PATHS = 900;
/** Actions that begin at once, because they can be taken back or lose nothing. */
const DIRECT = new Set(['star', 'unstar', 'delete', 'restore']);

/** What the pages do when something has changed; set by `files.js`. */
export const after = { changed: async () => undefined, gone: async () => undefined, open: async () => undefined };

/** @param items `{ path, name, isDir, isStarred }` */
export async function perform(action, items) {
  try {
    if (action === 'download') await download(items);
    else if (action === 'share') await (await import('./files-share.js')).openShare(items[0]);
    else if (action === 'link') await (await import('./files-link.js')).openLink(items[0]);
    else if (DIRECT.has(action)) await doDirectly(action, items);
    else await openForm(action, items);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    showFailure(error);
  }
}

export function showFailure(error) {
  const isOther = error.code === 'somebody_else';
  const signIn = { text: isOther ? texts.loadAgain : texts.signIn, run: () => location.reload() };
  complain(error, error.status === 401 ? signIn : null);
}

async function doDirectly(action, items) {
  const { done, failed, first } = await inBatches(action, items, []);
  if (failed.length > 0) complain({ message: someFailed(failed.length, items.length, first) });
  if (done.length === 0) return;
  const trashed = done.map(({ to }) => to).filter(Boolean);
  const undo = {
    text: texts.undo,
    run: async () => {
      const restored = trashed.map((path) => ({ path }));
      await perform('restore', restored);
    },
  };
  if (failed.length === 0)
    toast(doneText(action, done.length), action === 'delete' && trashed.length > 0 ? undo : null);
  clear();
  const isGone = action === 'delete' || action === 'restore';
  await (isGone ? after.gone(done) : after.changed());
}

function doneText(action, count) {
  const [one, many] = texts.done[action];
  return count === 1 ? one : fill(many, numbered(count));
}

function someFailed(failed, all, first) {
  return all === 1 ? first : fill(texts.someFailed, numbered(failed), numbered(all), first);
}

/** @returns what was done, the items that it failed for, and why for the first of them @throws Failure */
async function inBatches(action, items, fields, progress = null) {
  const done = [];
  const failed = [];
  let first = '';
  const bar = items.length > BATCH && progress === null ? toast(fill(texts.working, 0, numbered(items.length))) : null;
  for (let start = 0; start < items.length; start += BATCH) {
    const some = items.slice(start, start + BATCH);
    const { results } = await post(action, [...fields, ...some.map(({ path }) => ['path[]', path])]);
    results.forEach((result, index) => {
      if (result.error === undefined) done.push(result);
      else {
        first ||= result.error;
        failed.push({ ...some[index], code: result.code });
      }
    });
    progress?.(start + some.length);
    bar?.update(fill(texts.working, numbered(start + some.length), numbered(items.length)));
  }
  bar?.close();
  return { done, failed, first };
}

/** Whether the page is about to be left for a download, which leaves it where it is. */
export const leaving = { forDownload: false };

/** One as it is, a folder as an archive, several as one archive. What cannot be had is said before: the page stays. */
async function download(items) {
  if (items.length > MOST_PATHS) {
    complain({ message: fill(texts.tooMany, numbered(MOST_PATHS)) });
    return;
  }
  const paths = items.map(({ path }) => ['path[]', path]);
  await renewSession();
  await ask('POST', `${base}/download`, [['form_token', session.token], ...paths]);
  leaving.forDownload = true;
  if (items.length === 1) location.href = `${base}/download?${query({ path: items[0].path })}`;
  else {
    const name = listing()?.dataset.name ?? '';
    const fields = [['form_token', session.token], ['name', name], ...paths];
    const inputs = fields.map(([field, value]) => make('input', { type: 'hidden', name: field, value }));
    const form = make('form', { method: 'post', action: `${base}/download`, hidden: true }, ...inputs);
    document.body.append(form);
    form.submit();
    form.remove();
  }
  setTimeout(() => {
    leaving.forDownload = false;
  }, 1_000);
}

async function openForm(action, items) {
  const [first] = items;
  const count = items.length > 1 ? items.length : undefined;
  const { title, form } = await fetchForm(`${base}/do/${action}?${query({ path: first?.path, count })}`);
  const dialog = showDialog(title, form);
  prepareForm(dialog, action, items);
}

async function fetchForm(address) {
  const { data } = await ask('GET', address);
  const section = new DOMParser().parseFromString(data.main, 'text/html').querySelector('section.form');
  return { title: section.querySelector('h1').textContent, form: section.querySelector('form') };
}

function prepareForm(dialog, action, items) {
  const form = dialog.querySelector('form');
  const field = form.querySelector('[name=name]');
  if (field !== null) {
    field.focus();
    const dot = items[0]?.isDir === false ? field.value.lastIndexOf('.') : -1;
    field.setSelectionRange(0, dot > 0 ? dot : field.value.length);
  } else {
    (form.querySelector('.chooser a') ?? form.querySelector('.cancel')).focus();
  }
  form.addEventListener('click', (event) => {
    const link = event.target.closest('a');
    if (link === null) return;
    event.preventDefault();
    if (link.matches('.new')) void makeFolder(dialog, link.href, (to) => goOn(dialog, action, items, chooserAt(to)));
    else if (link.matches('.chooser a')) void goOn(dialog, action, items, link.href);
    else dialog.close();
  });
  const chooserAt = (to) => `${base}/do/${action}?${query({ path: items[0].path, count: items.length, to })}`;
  const fresh = form.querySelector('.new');
  if (fresh !== null) fresh.hidden = false;
  let busy = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    await submit(dialog, form, action, items).finally(() => {
      busy = false;
    });
  });
}

/** Another folder of the chooser: what was ticked stays so. */
async function goOn(dialog, action, items, address) {
  try {
    const { form } = await fetchForm(address);
    const box = dialog.querySelector('[name=overwrite]');
    if (box?.checked) form.querySelector('[name=overwrite]').checked = true;
    dialog.querySelector('form').replaceWith(form);
    prepareForm(dialog, action, items);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(dialog, error.message);
  }
}

/** A new folder in the one that is looked at, without leaving what is being done. @param go to the chooser at a path */
async function makeFolder(dialog, address, go) {
  const path = new URL(address, location.href).searchParams.get('path');
  try {
    const { form } = await fetchForm(address);
    // What was ticked comes along.
    const box = dialog.querySelector('.check');
    if (box !== null) {
      box.hidden = true;
      form.append(box);
    }
    dialog.querySelector('form').replaceWith(form);
    const field = form.querySelector('[name=name]');
    field.focus();
    form.querySelector('.cancel').addEventListener('click', (event) => {
      event.preventDefault();
      void go(path);
    });
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      const fields = [
        ['path[]', path],
        ['name', field.value],
      ];
      const made = await post('create-folder', fields).then(
        ({ results }) => results[0],
        ({ message: error }) => ({ error }),
      );
      if (made.error === undefined) await go(made.to);
      else note(dialog, made.error);
    });
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(dialog, error.message);
  }
}

async function submit(dialog, form, action, items) {
  const button = form.querySelector('button');
  const fields = [...new FormData(form)].filter(([name]) => name !== 'path[]' && name !== 'form_token');
  button.setAttribute('aria-busy', 'true');
  const bar = items.length > BATCH ? make('progress', { max: items.length, value: 0 }) : null;
  if (bar !== null) form.append(bar);
  try {
    const isAboutItems = items.length > 0;
    const { done, failed, first } = isAboutItems
      ? await inBatches(action, items, fields, (count) => bar?.setAttribute('value', count))
      : { done: (await post(action, fields)).results, failed: [], first: '' };
    if (failed.length > 0) {
      note(dialog, someFailed(failed.length, items.length, first));
      // Trying again is about those alone.
      items.splice(0, items.length, ...failed);
      if (done.length > 0) await after.changed();
      return;
    }
    dialog.close();
    toast(doneText(action, Math.max(done.length, 1)));
    clear();
    const [only] = done;
    const isGone = action === 'move' || action === 'erase' || action === 'empty-trash';
    if (isGone) await after.gone(done);
    else await after.changed(action !== 'copy' && done.length === 1 ? only.to : null);
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    note(dialog, error.message);
  } finally {
    button.removeAttribute('aria-busy');
    bar?.remove();
  }
}

/** What went wrong, in the dialog: what was typed stays. */
function note(dialog, text) {
  const field = dialog.querySelector('[name=name]');
  dialog.querySelector('.problem-here')?.remove();
  if (field === null) {
    const shown = make('div', { class: 'note problem-here', role: 'alert' }, sprite('alert'), make('span', {}, text));
    dialog.querySelector('form').prepend(shown);
    return;
  }
  const shown = make(
    'p',
    { class: 'error problem-here', id: 'name-problem', role: 'alert' },
    sprite('alert'),
    make('span', {}, text),
  );
  field.after(shown);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-describedby', 'name-problem');
  field.focus();
}
