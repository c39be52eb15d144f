// The web link of a file or folder: created, shared, changed and ended.

import { bestEffort } from '../../server/lib/async/settled.ts';
import './weblink.css';
import { required } from '../lib/dom.ts';
import { addPasswordEyes } from '../lib/password-eyes.ts';
import { encodeQuery } from '../lib/requests.ts';
import { openSheet, openSheetFrom, prepareSheetPage, type SheetKind } from './overlays/sheet.ts';
import { base } from './page.ts';

/** Offers the device's share dialog. */
function prepareShare(content: HTMLElement): void {
  const button = content.querySelector<HTMLElement>('[data-share]');
  // Some browsers have no Web Share API.
  if (button === null || typeof navigator.share !== 'function') return;
  const { share = '', title = '' } = button.dataset;
  button.hidden = false;
  button.addEventListener('click', () => {
    const { value: url } = required<HTMLInputElement>(content, `#${share}`);
    // Closing the share dialog is not an error.
    void bestEffort(navigator.share({ title, url }));
  });
}

const EXTRA: ReadonlySet<string> = new Set(['single', 'temporary']);

const sheet: SheetKind = {
  name: 'weblink',
  prepare(content) {
    prepareShare(content);
    addPasswordEyes(content);
  },
  first(content, submitter) {
    const isExtra = submitter instanceof HTMLButtonElement && EXTRA.has(submitter.value);
    const extra = isExtra ? content.querySelector<HTMLElement>('.extras input') : null;
    // With its buttons.
    extra?.addEventListener('focus', () => extra.closest('li')?.scrollIntoView({ block: 'nearest' }), { once: true });
    return extra ?? content.querySelector<HTMLElement>('#address, summary');
  },
};

export const openWeblink = ({ path }: { readonly path: string }): Promise<void> =>
  openSheet(`${base}/link?${encodeQuery({ path })}`, sheet);

/** A link with which others send files to a folder. */
export const openFileRequest = (path: string): Promise<void> =>
  openSheet(`${base}/link?${encodeQuery({ path, request: '1' })}`, sheet);

/** A new link to several items. */
export const openWeblinkTo = (items: readonly { readonly path: string }[]): Promise<void> =>
  openSheetFrom(
    `${base}/link/several`,
    [['do', 'choose'], ...items.map(({ path }) => ['path[]', path] as const)],
    sheet,
  );

/** An existing link to several items. @param address of its page */
export const openWeblinkAt = (address: string): Promise<void> => openSheet(address, sheet);

prepareSheetPage(sheet);
