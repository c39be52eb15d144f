// Albums: what is added to them and removed, and the forms that change them.

import './albums.css';
import { t } from 'virtual:messages/files';
import { closest, make, parseHtml, required, sprite } from '../lib/dom.ts';
import { asRequestError, encodeQuery } from '../lib/requests.ts';
import { type ActionItem, aboutItems, countWholes, failedText, inBatches } from './actions/batches.ts';
import { afterChange, afterRemoval } from './actions/changes.ts';
import { showFailure } from './failure.ts';
import { listing } from './list/items.ts';
import { showPage } from './list/navigation.ts';
import { clearSelection } from './list/selection.ts';
import { showDialog } from './overlays/dialog.ts';
import { showProblem, showToast } from './overlays/toast.ts';
import { base } from './page.ts';
import { type Field, fieldsOf, requestPage, submitForm, textIn } from './requests.ts';

/** Items of the list into an album, out of the one that is shown, or as its cover. @throws RequestError */
export async function performInAlbum(action: string, items: readonly ActionItem[]): Promise<void> {
  if (action === 'album') return choose(items);
  const album = listing()?.dataset.album ?? '';
  const { failed, reason } = await inBatches(action, items, [['album', album]]);
  if (failed.length > 0) showProblem(failedText(failed.length, items.length, reason));
  if (action === 'albumCover') showToast(t('albums.toast.cover'));
  else {
    // What others added, only they can add again.
    const isOfOther = items.some(({ path }) => path.startsWith('/ALBUMS/'));
    const undo = isOfOther ? undefined : { text: t('files.toast.undo'), run: () => void putBack(album, items) };
    showToast(t('albums.toast.removed', { count: countWholes(items) }), undo);
  }
  clearSelection();
  await (action === 'albumRemove' ? afterRemoval() : afterChange());
}

async function putBack(album: string, items: readonly ActionItem[]): Promise<void> {
  try {
    await inBatches('album', items, [['album', album]]);
    showToast(t('files.toast.undone'));
    await afterChange();
  } catch (error) {
    showFailure(asRequestError(error));
  }
}

/** Offers the albums, and a new one. */
async function choose(items: readonly ActionItem[]): Promise<void> {
  const address = `${base}/do/album?${encodeQuery(aboutItems(items))}`;
  // A new album is made once, whatever happens to the items.
  let made = '';
  await openForm(address, async (form, submitter) => {
    const title = fieldsOf(form).filter(([name]) => name === 'title');
    const chosen = submitter instanceof HTMLButtonElement && submitter.name === 'album' ? submitter.value : '';
    if (chosen === '' && made === '') made = textIn(await submitForm(`${base}/albums/add`, title), 'album');
    const album = chosen === '' ? made : chosen;
    await inBatches('album', items, [['album', album]]);
    clearSelection();
    const see = `${base}/album?${encodeQuery({ album })}`;
    showToast(t('albums.toast.into', { count: items.length }), {
      text: t('albums.see'),
      run: () => void showPage(see),
    });
    if (listing()?.dataset.album !== undefined) await afterChange();
  });
}

/** The form that adds, renames or deletes an album, in a dialog. */
export async function openAlbumForm(address: string): Promise<void> {
  try {
    if (new URL(address).pathname === new URL(`${base}/albums/share`, location.href).pathname) {
      await (await import('./share.ts')).openShareAt(address);
      return;
    }
    await openForm(address, async (form) => {
      await send(form);
    });
  } catch (error) {
    showFailure(asRequestError(error));
  }
}

/** A form that is a single button of the page. */
export async function submitAlbumForm(form: HTMLFormElement): Promise<void> {
  try {
    await send(form);
  } catch (error) {
    showFailure(asRequestError(error));
  }
}

async function send(form: HTMLFormElement): Promise<void> {
  const fields: Field[] = fieldsOf(form);
  const data = await submitForm(form.action, fields);
  const to = textIn(data, 'to');
  await showPage(to, { isPushed: new URL(to, location.href).pathname !== location.pathname });
  for (const done of ['deleted', 'hidden'] as const) {
    const album = textIn(data, done);
    const undo = { text: t('files.toast.undo'), run: () => void undoDelete(album) };
    if (album !== '') showToast(t(`albums.toast.${done}`), undo);
  }
}

async function undoDelete(album: string): Promise<void> {
  try {
    const data = await submitForm(`${base}/albums/undo`, [['album', album]]);
    const see = { text: t('albums.see'), run: () => void showPage(textIn(data, 'to')) };
    showToast(textIn(data, 'text'), see);
    await afterChange();
  } catch (error) {
    showFailure(asRequestError(error));
  }
}

type Submit = (form: HTMLFormElement, submitter: HTMLElement | null) => Promise<void>;

/** @throws RequestError */
async function openForm(address: string, submit: Submit): Promise<void> {
  const section = required(parseHtml((await requestPage(address)).main), 'section.form');
  const form = required<HTMLFormElement>(section, 'form');
  const dialog = showDialog(required(section, 'h1').textContent, form);
  const field = form.querySelector<HTMLInputElement>('[name=title]');
  (field ?? required(form, '.cancel')).focus();
  field?.select();
  form.addEventListener('click', (event) => {
    if (closest(event.target, '.cancel') === null) return;
    event.preventDefault();
    dialog.close();
  });
  let isBusy = false;
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    if (isBusy) return;
    isBusy = true;
    try {
      await submit(form, event.submitter);
      dialog.close();
    } catch (error) {
      showError(form, asRequestError(error).message);
    } finally {
      isBusy = false;
    }
  });
}

/** Inside of the dialog, so that the entered text stays. */
function showError(form: HTMLFormElement, text: string): void {
  form.querySelector('.problem-here')?.remove();
  form.prepend(make('div', { class: 'note problem-here', role: 'alert' }, sprite('alert'), make('span', {}, text)));
}
