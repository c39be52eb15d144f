// Whom something is shared with: the page's own forms, in a dialog over the folder.

import { base, query } from './files-common.js';
import { openSheet, preparePage } from './files-sheet.js';

/** @param item `{ path }` */
export const openShare = ({ path }) =>
  openSheet(`${base}/share?${query({ path })}`, 'share', {
    styles: ['files-share.css'],
    first: (content) =>
      content.querySelector('#guest-link, .error input') ?? content.querySelector('select, summary, .close'),
  });

preparePage('share');
