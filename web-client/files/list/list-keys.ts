// Keyboard navigation in the list.

import { focusRow, isInGallery, nameOf, pathOf, rows } from './items.ts';
import { loadMore } from './list.ts';
import { extendTo } from './selection.ts';

/** Rows per screen. */
const PAGE = 10;
/** Milliseconds within which typed letters belong together. */
const TYPING = 800;

/** The row above or below, even in lines of different lengths. */
function rowBeside(row: HTMLElement, direction: 1 | -1): HTMLElement | undefined {
  const all = rows();
  const index = all.indexOf(row);
  const next = all[index + direction];
  if (!isInGallery(row) || next === undefined || !isInGallery(next)) return next;
  const box = row.getBoundingClientRect();
  const middle = (box.left + box.right) / 2;
  const rest = direction > 0 ? all.slice(index + 1) : all.slice(0, index).reverse();
  const first = rest.find((one) => Math.abs(one.getBoundingClientRect().top - box.top) > 4);
  if (first === undefined) return undefined;
  const { top } = first.getBoundingClientRect();
  const line = rest.filter((one) => Math.abs(one.getBoundingClientRect().top - top) <= 4);
  const distance = (one: HTMLElement) => {
    const { left, right } = one.getBoundingClientRect();
    return Math.abs((left + right) / 2 - middle);
  };
  return line.reduce((best, one) => (distance(one) < distance(best) ? one : best));
}

function stepsFrom(row: HTMLElement): Readonly<Record<string, () => HTMLElement | undefined>> {
  const all = rows();
  const index = all.indexOf(row);
  return {
    ArrowDown: () => rowBeside(row, 1),
    ArrowUp: () => rowBeside(row, -1),
    Home: () => all[0],
    End: () => all.at(-1),
    PageDown: () => all[Math.min(index + PAGE, all.length - 1)],
    PageUp: () => all[Math.max(index - PAGE, 0)],
    ...(isInGallery(row) ? { ArrowRight: () => all[index + 1], ArrowLeft: () => all[index - 1] } : {}),
  };
}

/** @returns whether it was a navigation key */
export async function moveFrom(row: HTMLElement, event: KeyboardEvent): Promise<boolean> {
  const steps = stepsFrom(row);
  if (!Object.hasOwn(steps, event.key)) return false;
  event.preventDefault();
  const { shiftKey } = event;
  let to = steps[event.key]?.();
  if (to === undefined && event.key === 'ArrowDown' && (await loadMore())) to = rowBeside(row, 1);
  if (to === undefined) return true;
  if (shiftKey) extendTo(to, row);
  focusRow(to);
  return true;
}

let typed = '';
let typedAt = 0;

/** Focuses the next row whose name begins with the typed letters. @returns whether the key was a letter */
export function typeAhead(row: HTMLElement, { key, ctrlKey, metaKey, altKey, timeStamp }: KeyboardEvent): boolean {
  if (key.length !== 1 || key === ' ' || ctrlKey || metaKey || altKey) return false;
  typed = timeStamp - typedAt < TYPING ? typed + key : key;
  typedAt = timeStamp;
  const all = rows();
  const index = all.findIndex((one) => pathOf(one) === pathOf(row));
  const start = typed.length === 1 ? index + 1 : index;
  const order = [...all.slice(start), ...all.slice(0, start)];
  const to = order.find((one) => fold(nameOf(one)).startsWith(fold(typed)));
  if (to !== undefined) focusRow(to);
  return true;
}

/** Without accents, in lower case. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
