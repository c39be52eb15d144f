// The recipients of an item.

import { elements } from '../lib/dom.ts';
import { encodeQuery } from '../lib/requests.ts';
import { openSheet, prepareSheetPage, type SheetKind } from './overlays/sheet.ts';
import { base } from './page.ts';

/** What is opened at the lower end of the dialog would stay below it. As much of it as fits comes into view, from its heading. */
function showOpened(content: HTMLElement): void {
  for (const part of elements<HTMLDetailsElement>(content, 'details')) {
    // The browser also reports what is open from the beginning.
    let isNew = part.open;
    part.addEventListener('toggle', () => {
      if (part.open && !isNew) part.scrollIntoView({ block: 'nearest' });
      isNew = false;
    });
  }
}

const sheet: SheetKind = {
  name: 'share',
  prepare: showOpened,
  first: (content) =>
    content.querySelector<HTMLElement>('#guest-link, .error input') ??
    content.querySelector<HTMLElement>('select, summary'),
};

export const openShare = ({ path }: { readonly path: string }): Promise<void> =>
  openShareAt(`${base}/share?${encodeQuery({ path })}`);

/** The same for an album. */
export const openShareAt = (address: string): Promise<void> => openSheet(address, sheet);

prepareSheetPage(sheet);
