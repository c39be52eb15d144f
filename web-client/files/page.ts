// The page's data attributes.

import { required } from '../lib/dom.ts';

/** The element around everything that these scripts use. */
export const root = required(document, '.files');
export const main = required(document, '#content');
export const fileNav = required(document, '.file-nav');

/** The address of the file pages, without a trailing slash. */
export const base = root.dataset.base ?? '';
/** The id of the signed-in account. */
export const account = root.dataset.account ?? '';

/** The token of every form of these pages. Its key changes with the session. */
export const session = { token: root.dataset.token ?? '' };
