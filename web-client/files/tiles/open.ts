// Lists of tiles, whose scripts are loaded when there is one.

import type { Block } from '../list/blocks.ts';
import type { LongList } from '../list/long-list.ts';
import { openTimeline } from '../timeline/timeline.ts';
import { openGallery } from './gallery.ts';

/** @param prepare called for each row once @param mark called for a row whenever it comes into the document */
export function openTiles(
  table: HTMLElement,
  blocks: readonly Block[],
  prepare: (row: HTMLElement) => void,
  mark: (row: HTMLElement) => void,
): LongList {
  return table.matches('.by-month')
    ? openTimeline(table, blocks, prepare, mark)
    : openGallery(table, blocks, prepare, mark);
}
