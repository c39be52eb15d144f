// The web link of a file or folder: created, passed on, changed and ended.

import './weblink.css';
import { required } from '../lib/dom.ts';
import { encodeQuery } from '../lib/requests.ts';
import { openSheet, prepareSheetPage, type SheetKind } from './overlays/sheet.ts';
import { base } from './page.ts';

/** What the device offers to pass an address on with. */
function prepareShare(content: HTMLElement): void {
  const button = content.querySelector<HTMLElement>('[data-share]');
  // Some browsers have no Web Share API.
  if (button === null || typeof navigator.share !== 'function') return;
  const { share = '', title = '' } = button.dataset;
  button.hidden = false;
  button.addEventListener('click', () => {
    const { value: url } = required<HTMLInputElement>(content, `#${share}`);
    // Whoever changes their mind has done nothing wrong.
    navigator.share({ title, url }).catch(() => undefined);
  });
}

const EXTRA: ReadonlySet<string> = new Set(['single', 'temporary']);

const sheet: SheetKind = {
  name: 'weblink',
  prepare: prepareShare,
  first(content, submitter) {
    const isExtra = submitter instanceof HTMLButtonElement && EXTRA.has(submitter.value);
    const extra = isExtra ? content.querySelector<HTMLElement>('.extras input') : null;
    return extra ?? content.querySelector<HTMLElement>('#address, summary');
  },
};

export const openWeblink = ({ path }: { readonly path: string }): Promise<void> =>
  openSheet(`${base}/link?${encodeQuery({ path })}`, sheet);

prepareSheetPage(sheet);
