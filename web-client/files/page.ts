// What the page says about itself.

import { required } from '../lib/dom.ts';

/** Around everything that these scripts work on. */
export const root = required(document, '.files');
export const main = required(document, '#content');
export const places = required(document, '.places');

/** The address of the pages for files, without a slash at the end. */
export const base = root.dataset.base ?? '';
/** The id of whoever is signed in. */
export const account = root.dataset.account ?? '';

/** What each form of these pages has to carry. Another sign-in brings another one. */
export const session = { token: root.dataset.token ?? '' };
