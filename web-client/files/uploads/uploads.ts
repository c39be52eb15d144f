// Uploads into the shown folder.

import { t } from 'virtual:messages/files';
import { isSameFormat } from '../../../server/lib/names/same-format.ts';
import { announce } from '../../lib/dom.ts';
import { asRequestError, RequestError } from '../../lib/requests.ts';
import { throttled } from '../../lib/schedule.ts';
import type { Dropped } from '../../upload/chosen-files.ts';
import { createUploadClient } from '../../upload/client.ts';
import { createJob } from '../../upload/job.ts';
import { afterChange } from '../actions/changes.ts';
import { type FileToSend, resolveConflicts } from '../actions/name-conflicts.ts';
import { refreshLast, refreshSoon } from '../list/folder-refresh.ts';
import { facts, listing, rowFor } from '../list/items.ts';
import { showProblem, showToast } from '../overlays/toast.ts';
import { postItems } from '../requests.ts';
import { adapter, checkSignIn, type FileJob, refusalText, signIn } from './upload-adapter.ts';
import { createUploadPanel, summaryOf } from './upload-panel.ts';

/** Milliseconds between two updates of the panel. */
const REDRAW = 150;

/** What is done once a file was sent. */
export const afterSending = new WeakMap<File, () => void>();

const queue = createUploadClient(adapter, {
  onChange: () => redraw(),
  onSettled(job) {
    if (job.state === 'cancelled') return;
    if (job.state === 'sent') {
      refreshSoon(job.target.folder);
      afterSending.get(job.file)?.();
    }
    if (queue.isBusy()) return;
    announce(summaryOf(queue.jobs));
    refreshLast();
  },
});

const draw = createUploadPanel({
  queue,
  onContinue: () => void continueUploads(),
  onClose() {
    queue.cancelAll();
    signIn.isMissing = false;
    draw();
  },
});
const redraw = throttled(draw, REDRAW);

export const isBusy = (): boolean => queue.isBusy();

/**
 * @param path of the destination folder
 * @returns whether they are sent: not when the user cancels it for names that are taken
 */
export async function addUploads(dropped: Dropped, path: string): Promise<boolean> {
  const { files, emptyFolders, systemFiles, unreadable } = dropped;
  const notRead = unreadable > 0 ? t('uploads.notRead', { count: unreadable }) : null;
  if (files.length === 0 && emptyFolders.length === 0) {
    const nothing = systemFiles > 0 ? t('uploads.onlySystemFiles', { count: systemFiles }) : t('uploads.nothing');
    showProblem(notRead ?? nothing);
    return false;
  }
  if (systemFiles > 0) showToast(t('uploads.systemFiles', { count: systemFiles }), null, 'info');
  if (notRead !== null) showProblem(notRead);
  const requested = files.map((chosen) => toFileToSend(chosen, path));
  const resolved = await resolveConflicts(requested, path).catch((error: unknown) => {
    asRequestError(error);
    // The upload itself will report the problem.
    return requested;
  });
  if (resolved === null) return false;
  queue.add(resolved.map(toJob));
  await createFolders(path, emptyFolders);
  return true;
}

/** Sends a file as the new content of another one, which keeps its name. */
export function addVersion(file: File, { path, name }: { readonly path: string; readonly name: string }): void {
  if (!isSameFormat(name, file.name)) {
    showProblem(t('uploads.otherFormat', { name, chosen: file.name }));
    return;
  }
  const folder = path.slice(0, path.lastIndexOf('/'));
  const target = { path, folder, makesFolders: false, isReplacing: true, isVersion: true };
  // The page of the file, or a list of files from anywhere. Folders are refreshed after all uploads.
  afterSending.set(file, () => {
    const isListed = listing()?.dataset.path !== folder && rowFor(path) !== null;
    if (isListed || facts()?.dataset.path === path) void afterChange();
  });
  queue.add([createJob({ file, name, target }, refusalText(file))]);
}

function toFileToSend(chosen: Dropped['files'][number], path: string): FileToSend {
  const folder = [path, ...chosen.path.slice(0, -1)].join('/');
  return { ...chosen, folder, name: chosen.path.at(-1) ?? chosen.file.name, isReplacing: false };
}

function toJob({ file, path, folder, name, isReplacing }: FileToSend): FileJob {
  const target = { path: `${folder}/${name}`, folder, makesFolders: path.length > 1, isReplacing };
  return createJob({ file, name, target }, refusalText(file));
}

/** Folders with files are created with the first of their files. */
async function createFolders(path: string, folders: Dropped['emptyFolders']): Promise<void> {
  if (folders.length === 0) return;
  try {
    for (const folder of folders) await createFolder(path, folder);
  } catch (error) {
    showProblem(asRequestError(error).message);
  }
  if (listing()?.dataset.path === path) void afterChange();
}

/** @throws RequestError when it does not exist afterwards */
async function createFolder(path: string, names: readonly string[]): Promise<void> {
  let parent = path;
  for (const name of names) {
    const [result] = await postItems('create-folder', [
      ['path[]', parent],
      ['name', name],
    ]);
    const { error, code = '' } = result ?? {};
    if (error !== undefined && code !== 'already_exists') throw new RequestError(0, `${name}: ${error}`, code);
    parent = `${parent}/${name}`;
  }
}

async function continueUploads(): Promise<void> {
  if (!signIn.isMissing) return;
  if (await checkSignIn()) queue.start();
  else redraw();
}

// After signing in again in another tab, the user returns to this one.
addEventListener('focus', () => void continueUploads());
document.addEventListener('visibilitychange', () => {
  if (!document.hidden) void continueUploads();
});
