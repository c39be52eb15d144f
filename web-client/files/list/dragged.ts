// The entries of the list that are being dragged.

import type { Item } from './item.ts';

let dragged: readonly Item[] = [];

export const draggedItems = (): readonly Item[] => dragged;

/** Whether entries of the list are dragged, and not files of the computer. */
export const isDraggingItems = (): boolean => dragged.length > 0;

/** @param items none at the end */
export function setDragged(items: readonly Item[]): void {
  dragged = items;
}
