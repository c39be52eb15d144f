// The files of a visitor, and their progress.

import { extensions } from 'virtual:file-types';
import { t } from 'virtual:messages/public-link';
import { elements, make, setText, shownName, sprite } from '../lib/dom.ts';
import { bidiIsolate } from '../lib/format.ts';
import { humanSize } from '../lib/human-size.ts';
import { pressJob } from '../upload/client.ts';
import { createJobList, type JobRow } from '../upload/job-list.ts';
import { countIn, createTimeEstimate, type TimeLeft, totalsOf } from '../upload/progress.ts';
import type { UploadQueue } from '../upload/queue.ts';
import { nameButton, progressText } from '../upload/upload-texts.ts';
import { type End, endOfSending, type SendJob, type SendTarget } from './send-adapter.ts';
import { form, iconFolder } from './send-form.ts';

/** Rows in the list; further files are counted. */
const MAX_ROWS = 100;

interface SendList {
  draw(): void;
  /** A remark on the files chosen last. */
  remark(text: string): void;
  /** Shows once why nothing more is accepted. */
  showEnd(end: End): void;
}

/** "108 of 164 MB": the unit once, if it is the same. */
function progressOf(sent: number, total: number, left: TimeLeft | null = null): string {
  const [sentText, totalText] = [humanSize(sent), humanSize(total)];
  const [amount = '', unit = ''] = sentText.split(' ');
  if (sent === 0) return progressText('0', totalText, left);
  return progressText(totalText.endsWith(` ${unit}`) ? amount : sentText, totalText, left);
}

/** The summary of all uploads. */
export function summaryOf(jobs: readonly SendJob[]): string {
  const [sent, failed] = [countIn(jobs, 'sent'), countIn(jobs, 'failed')];
  if (failed > 0) {
    return t('links.send.list.someFailed', { sent, total: sent + failed, failed });
  }
  return t('links.send.list.done', { count: sent });
}

/** @param container on the page @param fallback gets the focus when the last row is removed */
export function createSendList(
  container: HTMLElement,
  queue: UploadQueue<SendTarget>,
  fallback: HTMLElement,
): SendList {
  const heading = make('strong');
  const facts = make('span');
  const bar = make('progress', { 'aria-label': t('links.send.list.heading') });
  const remark = make('p', { class: 'remark' });
  const note = make('div', { class: 'note', role: 'alert', hidden: true }, sprite('alert'));
  const rows = make('ul');
  container.append(make('div', { class: 'all' }, heading, facts), bar, remark, note, rows);
  container.setAttribute('role', 'region');
  container.setAttribute('aria-label', t('links.send.list.heading'));

  const time = createTimeEstimate();
  const list = createJobList<SendTarget>({
    list: rows,
    maxRows: MAX_ROWS,
    isSorted: false,
    createRow: (job) => createRow(job, () => pressJob(queue, job, () => removeRow(job))),
    rest: { class: 'rest', text: (count) => t('links.send.list.more', { count }) },
  });

  /** Keeps the keyboard focus where the row was. */
  function removeRow(job: SendJob): void {
    const row = list.rowOf(job);
    const next = row?.nextElementSibling ?? row?.previousElementSibling;
    queue.remove(job);
    const button = next === null || next === undefined ? undefined : elements(next, 'button:not([hidden])')[0];
    (button ?? fallback).focus();
  }

  function drawFacts(isBusy: boolean, sentFiles: number, text: string): void {
    const { folder } = form.dataset;
    if (isBusy) setText(facts, text);
    else if (folder === undefined || sentFiles === 0) setText(facts, '');
    else if (facts.firstElementChild === null)
      facts.replaceChildren(make('a', { href: folder }, t('links.send.list.show')));
  }

  return {
    draw() {
      const { jobs } = queue;
      const isBusy = queue.isBusy();
      if (!isBusy) time.reset();
      container.hidden = jobs.length === 0;
      const counted = jobs.filter((job) => job.state !== 'cancelled' && !job.isRefused);
      const { files, sentFiles, bytes, sentBytes } = totalsOf(counted);
      const hasEnded = sentFiles > 0 || countIn(jobs, 'failed') > 0;
      const progress = t('links.send.list.progress', { sent: sentFiles, total: files });
      setText(heading, isBusy ? progress : hasEnded ? summaryOf(jobs) : '');
      bar.hidden = !isBusy;
      bar.max = Math.max(bytes, 1);
      bar.value = sentBytes;
      const left = countIn(jobs, 'sending') > 0 ? time.remaining(sentBytes, bytes) : null;
      drawFacts(isBusy, sentFiles, progressOf(sentBytes, bytes, left));
      list.draw(jobs);
    },
    remark(text) {
      remark.textContent = text;
      container.hidden = false;
    },
    showEnd(end) {
      if (!note.hidden) return;
      note.append(make('span', {}, t(`links.send.list.ends.${end}`)));
      if (end === 'stale') {
        note.append(make('button', { type: 'button', click: () => location.reload() }, t('links.send.list.reload')));
      }
      note.hidden = false;
    },
  };
}

const types = new Map(
  Object.entries(extensions).flatMap(([type, names]) => names.split(' ').map((name) => [name, type] as const)),
);

function typeOf(path: string): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const [, extension = ''] = /.\.([^.]+)$/.exec(name) ?? [];
  return types.get(extension.toLowerCase()) ?? 'other';
}

function createRow(job: SendJob, press: () => void): JobRow {
  const picture = make('img', { src: `${iconFolder}/${typeOf(job.name)}.svg`, width: 36, height: 36, alt: '' });
  const name = make('span', { class: 'name' }, shownName(job.name));
  const size = make('span', { class: 'bytes' });
  const bar = make('progress', { max: Math.max(job.file.size, 1), 'aria-label': bidiIsolate(job.name) });
  const reason = make('span', { class: 'why' });
  const word = make('span', { class: 'status-text' });
  const button = make('button', { type: 'button', click: press });
  const state = make('span', { class: 'state' }, word, button);
  const element = make('li', {}, picture, name, size, bar, reason, state);
  return {
    element,
    update() {
      const isUnderWay = job.state === 'sending' || job.state === 'paused';
      setText(size, isUnderWay ? progressOf(job.sent, job.file.size) : humanSize(job.file.size));
      bar.hidden = !isUnderWay;
      bar.value = job.sent;
      setText(reason, job.message);
      reason.hidden = job.message === '';
      element.dataset.state = job.state;
      const isStopped = job.state === 'failed' && endOfSending() !== null && !job.isRefused;
      drawWord(word, job, isStopped);
      state.classList.toggle('good', job.state === 'sent');
      button.hidden = job.state === 'sent' || isStopped;
      nameButton(button, job);
    },
  };
}

function drawWord(word: HTMLElement, { state }: SendJob, isStopped: boolean): void {
  if (state === 'sent') {
    if (word.firstElementChild === null) word.replaceChildren(sprite('check'), t('links.send.sent'));
    return;
  }
  if (isStopped) setText(word, t('links.send.list.notSent'));
  else setText(word, state === 'waiting' || state === 'cancelled' ? t(`links.send.list.states.${state}`) : '');
}
