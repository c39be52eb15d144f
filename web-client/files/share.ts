// The recipients of an item.

import { encodeQuery } from '../lib/requests.ts';
import { openSheet, prepareSheetPage, type SheetKind } from './overlays/sheet.ts';
import { base } from './page.ts';

const sheet: SheetKind = {
  name: 'share',
  first: (content) =>
    content.querySelector<HTMLElement>('#guest-link, .error input') ??
    content.querySelector<HTMLElement>('select, summary'),
};

export const openShare = ({ path }: { readonly path: string }): Promise<void> =>
  openShareAt(`${base}/share?${encodeQuery({ path })}`);

/** The same for an album. */
export const openShareAt = (address: string): Promise<void> => openSheet(address, sheet);

prepareSheetPage(sheet);
