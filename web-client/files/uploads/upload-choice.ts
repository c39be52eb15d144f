// Choosing, dropping and pasting files. The upload client is loaded with the first of them.

import { t } from 'virtual:messages/files';
import { extensionsLike } from '../../../server/lib/names/same-format.ts';
import { make, setText, sprite } from '../../lib/dom.ts';
import { type Dropped, entriesOf, filesOf, hasFiles, pastedFiles, readEntries } from '../../upload/chosen-files.ts';
import { isLeavingForDownload } from '../download.ts';
import { isDraggingItems } from '../list/dragged.ts';
import { type FolderAt, folderAt, placeAt, shownFolder } from '../list/folder-at.ts';
import { entriesOfTemplate, showMenu } from '../overlays/menu.ts';
import { base } from '../page.ts';

type Uploads = typeof import('./uploads.ts');

let uploads: Uploads | null = null;

export const isUploading = (): boolean => uploads?.isBusy() === true;

async function upload(found: Dropped, folder: FolderAt | null): Promise<void> {
  if (folder === null) return;
  uploads ??= await import('./uploads.ts');
  await uploads.addUploads(found, folder.path);
}

export const chooseFiles = (isFolder: boolean): void =>
  choose({ type: 'file', multiple: true, webkitdirectory: isFolder });

/** On phones, the camera opens at once. */
const takePhoto = (): void => choose({ type: 'file', accept: 'image/*', capture: 'environment' });

function choose(
  attributes: Parameters<typeof make>[1],
  take = (files: FileList): unknown => upload(filesOf(files), shownFolder()),
): void {
  const input = make('input', attributes);
  input.addEventListener('change', () => {
    if (input.files !== null) void take(input.files);
  });
  input.click();
}

/** @param item the file that gets a new content */
export function chooseVersion(item: { readonly path: string; readonly name: string }): void {
  // It is read from the page, where a name with letters from right to left ends with a control character.
  const name = item.name.replace(/\u2069+$/u, '');
  choose({ type: 'file', accept: extensionsLike(name).join(',') }, async ([file]) => {
    uploads ??= await import('./uploads.ts');
    if (file !== undefined) uploads.addVersion(file, { ...item, name });
  });
}

async function requestFiles(): Promise<void> {
  await (await import('../weblink.ts')).openFileRequest(shownFolder()?.path ?? '');
}

/** Opens the form for a new text file. */
let createFile: (() => void) | null = null;

const ACTIONS: Readonly<Record<string, () => void>> = {
  upload: () => chooseFiles(false),
  'upload-folder': () => chooseFiles(true),
  'take-photo': takePhoto,
  'create-file': () => createFile?.(),
  'request-files': () => void requestFiles(),
  'back-up-photos': () => {
    location.href = `${base}/photo-backup`;
  },
};

/** What this browser supports of the further ways to upload. */
function canDo(action: string | undefined): boolean {
  if (action === 'upload-folder') return 'webkitdirectory' in HTMLInputElement.prototype;
  return action !== 'take-photo' || matchMedia('(pointer: coarse)').matches;
}

/** A second button for further ways to upload. */
export function offerUploads(): void {
  const button = document.querySelector('[data-do=upload]');
  const more = document.querySelector<HTMLTemplateElement>('#more-uploads');
  if (button === null || more === null) return;
  const { label = '' } = more.dataset;
  const caret = make('button', { type: 'button', class: 'primary caret', 'aria-label': label, title: label });
  caret.addEventListener('click', () => {
    const entries = entriesOfTemplate(more).filter(({ dataset }) => canDo(dataset.do));
    showMenu(entries, caret, caret, (action) => ACTIONS[action]?.());
  });
  caret.append(sprite('chevron'));
  button.after(caret);
}

let dropHint: HTMLElement | null = null;

function hideHint(): void {
  dropHint?.remove();
  dropHint = null;
}

const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Where files dropped at an element go: the folder there, otherwise the shown one; null where they cannot be put. */
function destinationAt(target: EventTarget | null): FolderAt | null {
  if (isDialogOpen()) return null;
  return folderAt(target) ?? (placeAt(target) === null ? shownFolder() : null);
}

const takesText = (target: EventTarget | null): boolean =>
  target instanceof Element && target.closest('input, textarea, [contenteditable]') !== null;

/** @param openForm opens the form for a new text file */
export function startUploadChoice(openForm: () => void): void {
  createFile = openForm;
  addEventListener('dragover', (event) => {
    const { dataTransfer } = event;
    if (!hasFiles(dataTransfer) || isDraggingItems(dataTransfer)) return;
    event.preventDefault();
    const folder = destinationAt(event.target);
    dataTransfer.dropEffect = folder === null ? 'none' : 'copy';
    if (folder === null) return hideHint();
    dropHint ??= document.body.appendChild(make('div', { class: 'dropping' }));
    setText(dropHint, t('uploads.drop', { folder: folder.name }));
  });
  addEventListener('dragleave', ({ relatedTarget }) => {
    if (relatedTarget === null) hideHint();
  });
  addEventListener('drop', (event) => {
    const { dataTransfer } = event;
    hideHint();
    if (!hasFiles(dataTransfer) || isDraggingItems(dataTransfer)) return;
    event.preventDefault();
    const folder = destinationAt(event.target);
    if (folder === null) return;
    void readEntries(entriesOf(dataTransfer)).then((found) => upload(found, folder));
  });
  addEventListener('paste', ({ clipboardData, target }) => {
    // Fields take text. Copied cells of a table, for example, are a picture as well.
    if (clipboardData === null || clipboardData.files.length === 0 || takesText(target) || isDialogOpen()) return;
    void upload(pastedFiles(clipboardData.files, t('uploads.pasted')), shownFolder());
  });
  addEventListener('beforeunload', (event) => {
    if (isUploading() && !isLeavingForDownload()) event.preventDefault();
  });
}
