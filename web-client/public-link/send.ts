// Files for the maker of a link: dropped, chosen or pasted.

import { t } from 'virtual:messages/public-link';
import { announce, required } from '../lib/dom.ts';
import { throttled } from '../lib/schedule.ts';
import { type Dropped, entriesOf, filesOf, hasFiles, pastedFiles, readEntries } from '../upload/chosen-files.ts';
import { createUploadClient } from '../upload/client.ts';
import { isOpen } from '../upload/job.ts';
import { adapter, endOfSending, isSame, type SendJob, toJob } from './send-adapter.ts';
import { area, form, prepareForm } from './send-form.ts';
import { createSendList, summaryOf } from './send-list.ts';
import { readSenderName, senderName, watchSenderName } from './sender-name.ts';

/** Milliseconds between two updates of the list. */
const REDRAW = 100;

const { chooseButton } = prepareForm((files) => add(filesOf(files)));

const queue = createUploadClient(adapter, {
  onChange: () => redraw(),
  onSettled: () => reportEnd(),
});
const list = createSendList(required(document, '.sendings'), queue, chooseButton);
const redraw = throttled(list.draw, REDRAW);

/** Announces the end of all uploads. */
function reportEnd(): void {
  redraw();
  if (queue.isBusy()) return;
  const end = endOfSending();
  if (end !== null) {
    list.showEnd(end);
    area.hidden = true;
  } else if (queue.jobs.some(({ state }) => state === 'sent' || state === 'failed')) announce(summaryOf(queue.jobs));
}

function add({ files, emptyFolders, systemFiles, unreadable }: Dropped): void {
  const hasEmptyFolders = emptyFolders.length > 0;
  if (endOfSending() !== null || (files.length === 0 && !hasEmptyFolders && systemFiles + unreadable === 0)) return;
  const details = form.closest('details');
  if (details !== null) details.open = true;
  readSenderName();
  const wasBusy = queue.isBusy();
  const { fresh, known } = withoutKnown(files.map(toJob));
  queue.add(fresh);
  const remarks = [
    hasEmptyFolders ? t('links.send.list.emptyFolders') : '',
    systemFiles > 0 ? t('uploads.systemFiles', { count: systemFiles }) : '',
    unreadable > 0 ? t('uploads.notRead', { count: unreadable }) : '',
    known > 0 ? t('links.send.list.known') : '',
  ].filter(Boolean);
  list.remark(remarks.join(' '));
  const begun = queue.jobs.filter(isOpen).length;
  if (!wasBusy && begun > 0 && senderName() !== '') {
    announce([t('links.send.list.begun', { count: begun }), ...remarks].join(' '));
  } else if (remarks.length > 0) announce(remarks.join(' '));
  if (!queue.isBusy()) reportEnd();
}

/**
 * Files in the list are not sent twice; failed ones are retried instead.
 * @returns the others, and how many were left out
 */
function withoutKnown(jobs: readonly SendJob[]): { readonly fresh: SendJob[]; readonly known: number } {
  let fresh: SendJob[] = [];
  let known = 0;
  for (const job of jobs) {
    const other = [...queue.jobs, ...fresh].find((one) => isSame(one, job));
    if (other !== undefined && (isOpen(other) || other.state === 'sent')) {
      known += 1;
      continue;
    }
    if (other !== undefined) {
      queue.remove(other);
      fresh = fresh.filter((one) => one !== other);
    }
    fresh.push(job);
  }
  return { fresh, known };
}

addEventListener('dragover', (event) => {
  const { dataTransfer } = event;
  if (!hasFiles(dataTransfer)) return;
  event.preventDefault();
  const isOver = endOfSending() === null;
  dataTransfer.dropEffect = isOver ? 'copy' : 'none';
  area.classList.toggle('over', isOver);
});
addEventListener('dragleave', ({ relatedTarget }) => {
  if (relatedTarget === null) area.classList.remove('over');
});
addEventListener('drop', (event) => {
  const { dataTransfer } = event;
  area.classList.remove('over');
  if (!hasFiles(dataTransfer)) return;
  event.preventDefault();
  const entries = entriesOf(dataTransfer);
  if (entries.length === 0) add(filesOf(dataTransfer.files));
  else void readEntries(entries).then(add);
});
addEventListener('paste', ({ clipboardData }) => {
  if (clipboardData !== null && clipboardData.files.length > 0)
    add(pastedFiles(clipboardData.files, t('uploads.pasted')));
});
addEventListener('beforeunload', (event) => {
  if (queue.isBusy()) event.preventDefault();
});

watchSenderName(() => queue.start());
document.documentElement.dataset.sends = '';
