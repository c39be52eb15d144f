// The entries of the list that are being dragged.

import type { Item } from './item.ts';

/** What all ways of dragging do in the list. */
export interface Dragging {
  /** The element with everything that can be dragged, and onto which it can be. */
  readonly root: HTMLElement;
  /** What is dragged with a row; nothing if it may not be moved. */
  itemsOf(row: HTMLElement): readonly Item[];
  /** @returns what the pointer carries, added to the page */
  begin(items: readonly Item[]): HTMLElement;
  /** Shows where it would be put. @returns whether it can be put there */
  over(target: EventTarget | null): boolean;
  drop(target: EventTarget | null): void;
  end(): void;
  openMenu(row: HTMLElement, at: { readonly x: number; readonly y: number }): void;
}

let dragged: readonly Item[] = [];

export const draggedItems = (): readonly Item[] => dragged;

/** What a drag of entries has beside their names. A browser adds files to the drag of a picture. */
const ITEMS_TYPE = 'larder/items';

/** Marks a drag as one of entries of the list. */
export function markAsItems(transfer: DataTransfer): void {
  transfer.setData(ITEMS_TYPE, '1');
}

/** Whether entries of the list are dragged, and not files of the computer. A list that is replaced meanwhile hides the end of a drag. */
export const isDraggingItems = (transfer: DataTransfer | null): boolean =>
  dragged.length > 0 && !!transfer?.types.includes(ITEMS_TYPE);

/** @param items none at the end */
export function setDragged(items: readonly Item[]): void {
  dragged = items;
}
