// The gallery of a long list: folders first, then pictures and other files.

import { make, required } from '../../lib/dom.ts';
import type { Block } from '../list/blocks.ts';
import { type LongList, totalOf } from '../list/long-list.ts';
import { createLayout } from './layout.ts';
import { entryShape } from './shapes.ts';
import { openTileWindow, putTiles } from './tile-window.ts';

/** By the width of the window, in CSS pixels, as in `fitted.css`, `gallery.css` and `adaptations.css`. */
const SIZES = [
  { from: 1_200, row: 212, plain: 0.81 },
  { from: 720, row: 170, plain: 0.81 },
  { from: 0, row: 120, plain: 1 },
] as const;
/** CSS pixels: the width of folders, and what is between them. In narrow windows, two of them fill a line. */
const FOLDER = 240;
const GAP = 8;
const NARROW = 720;
/** Entries on paper, as many as further ones without the script. */
const ON_PAPER = 300;

/** @param prepare called for each row once @param mark called for a row whenever it comes into the document */
export function openGallery(
  table: HTMLElement,
  blocks: readonly Block[],
  prepare: (row: HTMLElement) => void,
  mark: (row: HTMLElement) => void,
): LongList {
  const list = required(table, '.items');
  const total = totalOf(table);
  const layout = createLayout([{ start: 0, count: total }], total, { head: 0, below: 0 });
  const tiles = openTileWindow({
    ...{ table, layout, head: 0, total, start: 0, blocks, prepare, mark },
    address: new URL(table.dataset.rows ?? '', location.href),
    measure() {
      const { row, plain } = SIZES.find(({ from }) => innerWidth >= from) ?? SIZES[0];
      const width = table.clientWidth;
      const across = innerWidth < NARROW ? 2 : Math.max(1, Math.floor((width + GAP) / (FOLDER + GAP)));
      const folder = innerWidth < NARROW ? (width - GAP) / 2 : Math.min(FOLDER, width);
      return { width, row, plain, folders: { across, width: folder } };
    },
    shapeOf: entryShape,
    put: (bySection) => putTiles(list, bySection.get(0) ?? [], mark),
  });

  function print(): void {
    if (!table.matches('.placed')) return;
    tiles.toPaper((rowsOf) => {
      const rows = rowsOf(ON_PAPER);
      // As on the page without the script, files begin on a new line.
      const folders = Math.max(
        0,
        rows.findIndex((row) => !row.matches('.dir')),
      );
      const line = folders === 0 ? [] : [make('li', { class: 'break', 'aria-hidden': 'true' })];
      putTiles(list, [...rows.slice(0, folders), ...line, ...rows.slice(folders)], mark);
      table.classList.remove('placed');
    });
  }

  function show(): void {
    table.classList.add('placed');
    tiles.toScreen();
  }

  const paper = matchMedia('print');
  const onPaper = () => (paper.matches ? print() : show());
  paper.addEventListener('change', onPaper);
  addEventListener('beforeprint', print);
  addEventListener('afterprint', onPaper);
  show();
  table.dataset.ready = '';

  return {
    ...tiles,
    close() {
      tiles.close();
      paper.removeEventListener('change', onPaper);
      removeEventListener('beforeprint', print);
      removeEventListener('afterprint', onPaper);
    },
    place: tiles.placeNow,
    restore(place) {
      if (place !== null) tiles.goTo(place);
    },
  };
}
