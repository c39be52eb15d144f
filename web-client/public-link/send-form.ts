// The form for visitors' files, and its data.

import { t } from 'virtual:messages/public-link';
import { make, required } from '../lib/dom.ts';
import { parseTypes, type UploadLimits } from '../upload/limits.ts';

export const form = required<HTMLFormElement>(document, 'form.send');
/** The drop area. */
export const area = required(form, '.drop');

const { upload = '', token = '', max, types = '', icons = '' } = form.dataset;

/** The address for uploads, including the link in its query. */
export const address = upload;
export const formToken = token;
export const limits: UploadLimits = { maxBytes: Number(max), types: parseTypes(types) };
/** The address of the file type icons. */
export const iconFolder = icons;

/** Replaces the field for one file by buttons for files and folders. @param choose called with the selection */
export function prepareForm(choose: (files: FileList) => void): { readonly chooseButton: HTMLElement } {
  const fileInput = required<HTMLInputElement>(form, 'input[name=file]');
  const folderInput = make('input', { type: 'file', webkitdirectory: true, tabindex: -1, hidden: true });
  fileInput.required = false;
  fileInput.multiple = true;
  const field = fileInput.closest<HTMLElement>('.field');
  if (field !== null) field.hidden = true;
  required(form, '.actions').hidden = true;
  form.classList.add('scripted');
  form.append(folderInput);
  for (const input of [fileInput, folderInput]) {
    input.addEventListener('change', () => {
      if (input.files !== null) choose(input.files);
      // So that the same file can be chosen again.
      input.value = '';
    });
  }
  const chooseButton = make(
    'button',
    { type: 'button', class: 'text', click: () => fileInput.click() },
    make('span', { class: 'fine' }, t('links.send.chooseHere')),
    make('span', { class: 'coarse' }, t('links.send.choose')),
  );
  const invitation = make(
    'span',
    { class: 'fine' },
    make('strong', {}, t('links.send.drop')),
    ` ${t('links.send.or')} `,
  );
  required(area, '.cloud').after(make('p', {}, invitation, chooseButton));
  if ('webkitdirectory' in folderInput) offerFolders(folderInput);
  return { chooseButton };
}

function offerFolders(input: HTMLInputElement): void {
  const help = area.querySelector('.help') ?? area.appendChild(make('p', { class: 'help' }));
  const button = make(
    'button',
    { type: 'button', class: 'text', click: () => input.click() },
    t('links.send.chooseFolder'),
  );
  help.append(make('span', { class: 'fine' }, help.textContent === '' ? '' : ' · ', button));
}
