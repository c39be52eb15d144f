// Keyboard navigation in the list.

import { pathOf } from './item.ts';
import { allItems, countRows, focusRow, indexOf, isInGallery, longList, rowAt, rows } from './items.ts';
import { loadAll, loadMore, untilWhole } from './list.ts';
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

/** The index of the row that a key leads to; null for other keys. */
function stepFrom(row: HTMLElement, key: string): number | null {
  const index = indexOf(pathOf(row));
  const last = countRows() - 1;
  const beside = (direction: 1 | -1) => {
    if (!isInGallery(row)) return index + direction;
    const beside = longList()?.beside;
    if (beside !== undefined) return beside(index, direction);
    const next = rowBeside(row, direction);
    return next === undefined ? -1 : indexOf(pathOf(next));
  };
  const steps: Readonly<Record<string, () => number>> = {
    ArrowDown: () => beside(1),
    ArrowUp: () => beside(-1),
    Home: () => 0,
    End: () => last,
    PageDown: () => Math.min(index + PAGE, last),
    PageUp: () => Math.max(index - PAGE, 0),
    ...(isInGallery(row) ? { ArrowRight: () => index + 1, ArrowLeft: () => index - 1 } : {}),
  };
  return Object.hasOwn(steps, key) ? (steps[key]?.() ?? null) : null;
}

/** @returns whether it was a navigation key */
export async function moveFrom(row: HTMLElement, event: KeyboardEvent): Promise<boolean> {
  const { key, shiftKey } = event;
  if (stepFrom(row, key) === null) return false;
  event.preventDefault();
  await untilWhole();
  const step = stepFrom(row, key) ?? 0;
  let to = await rowAt(step);
  if (to === undefined && key === 'ArrowDown' && (await loadMore())) to = rowBeside(row, 1);
  if (to === undefined) return true;
  if (shiftKey) await extendTo(to, row);
  focusRow(to);
  return true;
}

let typed = '';
let typedAt = -TYPING;

/** Whether a key goes on with letters of a name that were typed just before. */
export const isTyping = ({ timeStamp }: KeyboardEvent): boolean => timeStamp - typedAt < TYPING;

/** Focuses the next row whose name begins with the typed letters. @returns whether the key was a letter */
export function typeAhead(row: HTMLElement, event: KeyboardEvent): boolean {
  const { key, ctrlKey, metaKey, altKey } = event;
  // Names have no slash: it leads to the search.
  if (key.length !== 1 || key === ' ' || key === '/' || ctrlKey || metaKey || altKey) return false;
  typed = isTyping(event) ? typed + key : key;
  typedAt = event.timeStamp;
  void focusTyped(pathOf(row), typed);
  return true;
}

async function focusTyped(path: string, letters: string): Promise<void> {
  await loadAll();
  // Further letters came while rows were loaded.
  if (letters !== typed) return;
  const all = allItems();
  const index = indexOf(path);
  const start = letters.length === 1 ? index + 1 : index;
  const requested = fold(letters);
  const order = [...all.slice(start), ...all.slice(0, start)];
  const found = order.find((one) => one !== undefined && fold(one.name).startsWith(requested));
  const to = found === undefined ? undefined : await rowAt(indexOf(found.path));
  if (to !== undefined && letters === typed) focusRow(to);
}

/** Without accents, in lower case. */
const fold = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();
