// The page that backs up the photos of a phone.

import { t } from 'virtual:messages/photo-backup';
import { base } from '../files/page.ts';
import { refreshStorage } from '../files/storage.ts';
import { signIn } from '../files/uploads/upload-adapter.ts';
import { keepAwake } from '../lib/awake.ts';
import { announce, make, required, setText, sprite } from '../lib/dom.ts';
import { humanSize } from '../lib/human-size.ts';
import { RequestError } from '../lib/requests.ts';
import { throttled } from '../lib/schedule.ts';
import { backUp } from './backup.ts';
import { acceptOn, deviceOf, isPhotoOrFilm } from './device.ts';
import { folderChoice } from './folder-choice.ts';
import { type Photo, photoOf } from './photo.ts';
import { type Progress, storedOf } from './progress.ts';
import { goOnIfSignedIn } from './questions.ts';
import { receiptView } from './receipt-view.ts';
import { startSending } from './send.ts';
import { keep, kept } from './stored-progress.ts';

/** Milliseconds between two updates of the progress. */
const REDRAW = 150;

const page = required(document, '.photo-backup');
const choosing = required(page, '.choosing');
const { home = '', household = '', locale = '', photos: photosAddress = '' } = page.dataset;
const size = matchMedia('(pointer: coarse)').matches ? 'phone' : 'other';
const device = deviceOf(navigator);
const folder = folderChoice(home, `${page.dataset.folder ?? ''}/${t('photoBackup.device', { device: size })}`);

let isRunning = false;
/** Of the last selection, files that are neither photos nor films. */
let leftOut = 0;
addEventListener('beforeunload', (event) => {
  if (isRunning) event.preventDefault();
});

const input = make('input', { type: 'file', multiple: true, accept: acceptOn(device) });
input.addEventListener('change', () => {
  const files = [...(input.files ?? [])];
  const photos = files.filter(isPhotoOrFilm).map(photoOf);
  // The same photos can be selected again.
  input.value = '';
  leftOut = files.length - photos.length;
  if (photos.length > 0) void run(photos);
  else if (leftOut > 0) showChoosing(...leftOutNote());
});
const select = (text: string, name = 'primary') =>
  make('button', { type: 'button', class: name, click: () => input.click() }, sprite('photo'), make('span', {}, text));

const note = (kind: string, icon: string, ...content: (Node | string)[]) =>
  make('div', { class: `note ${kind}`, role: 'status' }, sprite(icon), make('span', {}, ...content));

const leftOutNote = () => (leftOut === 0 ? [] : [note('care', 'alert', t('photoBackup.leftOut', { count: leftOut }))]);

/** The first state: what is sent where, and the button. */
function showChoosing(...notes: readonly HTMLElement[]): void {
  const { interrupted } = kept();
  const before = interrupted === null ? [] : [note('care', 'history', t('photoBackup.interrupted', interrupted))];
  const [heading, lead] = [required(choosing, 'h1'), required(choosing, '.lead')];
  choosing.replaceChildren(heading, lead, ...notes, ...before, folder.element);
  choosing.append(
    make('div', { class: 'note info' }, sprite('info'), make('span', {}, t('photoBackup.hint'))),
    ...(device === 'other' ? [] : [note('care', 'camera', t('photoBackup.originals', { device }))]),
    make('div', { class: 'backup-actions' }, select(t('photoBackup.select'))),
  );
  page.replaceChildren(choosing);
}

async function run(photos: readonly Photo[]): Promise<void> {
  const controller = new AbortController();
  isRunning = true;
  const awake = await keepAwake();
  const view = runningView(awake.isAwake, () => controller.abort());
  page.replaceChildren(view.element);
  // A phone may close the page before the first is sent.
  keep({ interrupted: { stored: 0, total: photos.length } });
  try {
    let before = 0;
    const onProgress = (progress: Progress) => {
      view.show(progress);
      const stored = storedOf(progress);
      if (stored === before) return;
      before = stored;
      keep({ interrupted: { stored, total: progress.total } });
    };
    const { signal } = controller;
    await backUp(photos, { folder: folder.path(), home, signal, onProgress, onTrouble: view.trouble });
    keep({ interrupted: null });
    showReceipt(photos);
  } catch (error) {
    if (!(error instanceof RequestError) && !controller.signal.aborted) throw error;
    if (controller.signal.aborted) keep({ interrupted: null });
    const text = error instanceof RequestError ? error.message : t('photoBackup.cancelled');
    showChoosing(note('care', 'alert', text));
    announce(text);
  } finally {
    isRunning = false;
    awake.end();
    // After a failure, some photos may have been stored.
    void refreshStorage();
  }
}

function showReceipt(photos: readonly Photo[]): void {
  const missing = photos.filter(({ answer }) => answer?.isStored !== true);
  const retry = () => {
    for (const photo of missing) photo.reason = '';
    void run(photos);
  };
  const view = receiptView(photos, { household, locale, folder: folder.name(), device });
  const show = make('a', { class: 'button', href: photosAddress }, t('photoBackup.show'));
  const again =
    missing.length > 0
      ? make('button', { type: 'button', class: 'primary', click: retry }, t('photoBackup.retry'))
      : select(t('photoBackup.again'), '');
  view.element.append(
    make('div', { class: 'backup-actions' }, missing.length > 0 ? again : show, view.save, view.print),
  );
  if (missing.length === 0) view.element.append(make('p', { class: 'further' }, again));
  page.replaceChildren(...leftOutNote(), view.element);
  scrollTo(0, 0);
  announce(view.summary);
}

/** The progress in one line. */
function runningView(isAwake: boolean, cancel: () => void) {
  const line = make('h2', { class: 'progress-line' });
  const facts = make('p', { class: 'facts-line' });
  const bar = make('progress', { 'aria-label': t('photoBackup.running') });
  const signedOut = make('span', {});
  const signedOutNote = make(
    'div',
    { class: 'note care', hidden: true, role: 'status' },
    ...[sprite('alert'), signedOut],
    make('a', { class: 'button', target: '_blank', rel: 'noopener', href: `${base}/` }, t('uploads.signIn')),
    make('button', { type: 'button', click: () => void goOn() }, t('uploads.continue')),
  );
  const silent = note('care', 'alert', t('photoBackup.waiting'));
  silent.hidden = true;
  const open = t(isAwake ? 'photoBackup.awake' : 'photoBackup.open');
  const element = make(
    'div',
    { class: 'running' },
    make('h1', {}, t('photoBackup.running')),
    make('p', { class: 'lead' }, t('photoBackup.to', { folder: folder.name() })),
    make('section', { class: 'sum' }, line, bar, facts),
    signedOutNote,
    silent,
    make('div', { class: 'note info' }, sprite('info'), make('span', {}, open)),
    make(
      'div',
      { class: 'backup-actions' },
      make('button', { type: 'button', click: cancel }, t('photoBackup.cancel')),
    ),
  );
  let latest: Progress | null = null;
  const draw = () => {
    if (latest === null) return;
    const { isConfirming, total, sent, known, failed, part } = latest;
    setText(
      line,
      isConfirming ? t('photoBackup.confirming') : t('photoBackup.done', { done: sent + known + failed, total }),
    );
    bar.value = part;
    setText(facts, t('photoBackup.progress', { ...latest, size: humanSize(latest.sentBytes) }));
    showSignIn();
  };
  const showSignIn = () => {
    signedOutNote.hidden = !signIn.isMissing;
    setText(signedOut, signIn.isSomebodyElse ? t('uploads.otherAccount') : t('uploads.signedOut'));
  };
  const redraw = throttled(draw, REDRAW);
  return {
    element,
    show(progress: Progress) {
      const isNew = latest?.isConfirming !== progress.isConfirming;
      latest = progress;
      if (isNew) draw();
      else redraw();
    },
    trouble(trouble: 'no-answer' | 'signed-out' | null) {
      silent.hidden = trouble !== 'no-answer';
      showSignIn();
    },
  };
}

async function goOn(): Promise<void> {
  if (isRunning && (await goOnIfSignedIn())) startSending();
}

// After signing in again in another tab, the user returns to this one.
addEventListener('focus', () => {
  if (signIn.isMissing) void goOn();
});

setText(required(choosing, 'h1'), t('photoBackup.heading', { device: size }));
showChoosing();
page.dataset.ready = '';
