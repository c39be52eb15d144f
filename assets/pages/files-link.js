// The link of a file or folder: made, handed on, changed and ended in a dialog over the folder.

import { base, query } from './files-common.js';
import { openSheet, preparePage } from './files-sheet.js';

/** What the device offers to hand an address on with. */
function prepare(content) {
  const button = content.querySelector('[data-share]');
  if (button === null || navigator.share === undefined) return;
  button.hidden = false;
  button.addEventListener('click', () => {
    const { value: url } = content.querySelector(`#${button.dataset.share}`);
    // Who changes their mind has done nothing wrong.
    navigator.share({ title: button.dataset.title, url }).catch(() => undefined);
  });
}

const first = (content, submitter) => {
  const extra = ['single', 'temporary'].includes(submitter?.value) ? content.querySelector('.extras input') : null;
  return extra ?? content.querySelector('#address, summary');
};

/** @param item `{ path }` */
export const openLink = ({ path }) =>
  openSheet(`${base}/link?${query({ path })}`, 'weblink', {
    styles: ['files-share.css', 'files-link.css'],
    prepare,
    first,
  });

preparePage('weblink', { prepare });
