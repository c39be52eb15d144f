// The panel with the progress of uploads.

import { t } from 'virtual:messages/files';
import { make, setText, shownName, sprite } from '../../lib/dom.ts';
import { bidiIsolate } from '../../lib/format.ts';
import { humanSize } from '../../lib/human-size.ts';
import { pressJob } from '../../upload/client.ts';
import { createJobList, type JobRow } from '../../upload/job-list.ts';
import { countIn, createTimeEstimate, totalsOf } from '../../upload/progress.ts';
import type { UploadQueue } from '../../upload/queue.ts';
import { nameButton, progressText } from '../../upload/upload-texts.ts';
import { base } from '../page.ts';
import { type FileJob, type FileTarget, signIn } from './upload-adapter.ts';

/** Rows in the panel; further files are counted. */
const MAX_ROWS = 60;

interface UploadPanelActions {
  readonly queue: UploadQueue<FileTarget>;
  /** The user confirms that they signed in again. */
  onContinue(): void;
  onClose(): void;
}

/** All but cancelled ones. */
const activeIn = (jobs: readonly FileJob[]) => jobs.filter(({ state }) => state !== 'cancelled');

/** The summary of all uploads. */
export function summaryOf(jobs: readonly FileJob[]): string {
  const requested = activeIn(jobs);
  const [sent, failed] = [countIn(requested, 'sent'), countIn(requested, 'failed')];
  if (failed > 0) {
    return t('uploads.someFailed', { sent, total: requested.length, failed });
  }
  return t('uploads.finished', { count: sent });
}

/** @returns a function that draws the panel; it is shown while the queue has files */
export function createUploadPanel(actions: UploadPanelActions): () => void {
  const { queue } = actions;
  const time = createTimeEstimate();
  let draw: (() => void) | null = null;
  let element: HTMLElement | null = null;
  return () => {
    if (queue.jobs.length === 0) {
      element?.remove();
      [element, draw] = [null, null];
      time.reset();
      return;
    }
    if (draw === null) {
      const panel = buildPanel(actions, time);
      ({ element, draw } = panel);
      document.body.append(panel.element);
    }
    draw();
  };
}

function buildPanel({ queue, onContinue, onClose }: UploadPanelActions, time: ReturnType<typeof createTimeEstimate>) {
  const heading = make('h2', {}, t('uploads.heading'));
  const bar = make('progress', { 'aria-label': t('uploads.heading') });
  const facts = make('p');
  // It scrolls, and rows of what was sent have nothing to focus.
  const rows = make('ul', { tabindex: 0, 'aria-label': t('uploads.list') });
  const problem = make('span', {}, t('uploads.signedOut'));
  const note = make(
    'div',
    { class: 'note care', hidden: true },
    ...[sprite('alert'), problem],
    make('a', { class: 'button', target: '_blank', rel: 'noopener', href: `${base}/` }, t('uploads.signIn')),
    make('button', { type: 'button', click: onContinue }, t('uploads.continue')),
  );
  const close = make('button', { type: 'button', class: 'plain', click: onClose });
  const resize = () => {
    element.classList.toggle('small');
    draw();
  };
  const size = make('button', { type: 'button', class: 'bare', click: resize }, sprite('chevron'));
  const element = make(
    'section',
    { class: 'uploads-panel', 'aria-label': t('uploads.heading') },
    make('header', {}, heading, close, size, bar, facts),
    note,
    rows,
  );
  const list = createJobList<FileTarget>({
    list: rows,
    maxRows: MAX_ROWS,
    isSorted: true,
    createRow: (job) => createRow(job, () => pressJob(queue, job)),
    rest: { class: 'upload-status', text: (count) => t('uploads.more', { count }) },
  });

  /** Once everything was sent, one line is enough; with a failure, its reason stays in sight. */
  function fold(isBusy: boolean): void {
    if (isBusy === wasBusy) return;
    wasBusy = isBusy;
    element.classList.toggle('small', !isBusy && countIn(activeIn(queue.jobs), 'failed') === 0);
  }

  let wasBusy = true;

  function draw(): void {
    const isBusy = queue.isBusy();
    fold(isBusy);
    const { files, sentFiles, bytes, sentBytes } = totalsOf(activeIn(queue.jobs));
    setText(heading, isBusy ? t('uploads.progress', { sent: sentFiles, total: files }) : summaryOf(queue.jobs));
    bar.hidden = !isBusy;
    bar.max = Math.max(bytes, 1);
    bar.value = sentBytes;
    const left = isBusy ? time.remaining(sentBytes, bytes) : null;
    facts.hidden = !isBusy;
    setText(facts, progressText(humanSize(sentBytes), humanSize(bytes), left));
    setText(close, isBusy ? t('uploads.cancelAll') : t('uploads.close'));
    size.setAttribute('aria-label', element.classList.contains('small') ? t('uploads.expand') : t('uploads.collapse'));
    note.hidden = !signIn.isMissing;
    setText(problem, signIn.isSomebodyElse ? t('uploads.otherAccount') : t('uploads.signedOut'));
    list.draw(queue.jobs);
  }

  return { element, draw };
}

function createRow(job: FileJob, press: () => void): JobRow {
  const name = make('span', { class: 'name' }, shownName(job.name));
  const state = make('span', { class: 'upload-status' });
  const bar = make('progress', { max: Math.max(job.file.size, 1), 'aria-label': bidiIsolate(job.name) });
  const button = make('button', { type: 'button', class: 'plain', click: press });
  return {
    element: make('li', {}, make('div', {}, name, bar, state), button),
    update() {
      setText(state, stateText(job));
      state.className = `upload-status${job.state === 'failed' ? ' problem' : job.state === 'sent' ? ' good' : ''}`;
      bar.hidden = job.state !== 'sending' && job.state !== 'paused';
      bar.value = job.sent;
      button.hidden = job.state === 'sent';
      nameButton(button, job);
    },
  };
}

function stateText({ state, message, file, sent }: FileJob): string {
  const size = humanSize(file.size);
  switch (state) {
    case 'waiting':
      return t('uploads.waiting', { size });
    case 'sending':
      return message === '' ? progressText(humanSize(sent), size) : message;
    case 'paused':
    case 'failed':
      return message;
    case 'sent':
      return t('uploads.uploaded', { size });
    case 'cancelled':
      return t('uploads.cancelled');
  }
}
