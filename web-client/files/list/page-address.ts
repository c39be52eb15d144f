// The address of the shown page, and where it was left.

import { viewerEntryIn } from '../open-viewer.ts';
import type { Place } from './long-list.ts';

/** Of the page in `main`; in the viewer, the address of the window is that of an item. */
let pageAddress = location.href;

export const shownAddress = (): string => pageAddress;

export function setShownAddress(address: string): void {
  pageAddress = address;
}

/** The page shows another part of itself: a reload shows it again, and going back does not. */
export function showsNow(address: string): void {
  if (viewerEntryIn(history.state) !== null || address === pageAddress) return;
  pageAddress = address;
  history.replaceState(history.state, '', address);
}

/** Where a page was left, in its entry of the history. */
export interface LeftAt {
  readonly rows?: number;
  readonly top?: number;
  readonly place?: Place | null;
}

/** @param state of an entry of the history */
export const placeIn = (state: unknown): LeftAt => (typeof state === 'object' && state !== null ? state : {});
