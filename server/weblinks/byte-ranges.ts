import type { Span } from '../files/download/download-counter.ts';

/** Sum of the bytes of all ranges, overlaps counted each time. */
export function lengthOf(spans: readonly Span[]): number {
  return spans.reduce((sum, { start, end }) => sum + end - start + 1, 0);
}

/** The first bytes of the ranges, in order. @param count of bytes */
export function startOf(spans: readonly Span[], count: number): Span[] {
  const first: Span[] = [];
  let left = count;
  for (const { start, end } of spans) {
    if (left <= 0) break;
    first.push({ start, end: Math.min(end, start + left - 1) });
    left -= end - start + 1;
  }
  return first;
}

/** The same bytes in as few ranges as possible. */
export function joined(spans: readonly Span[]): Span[] {
  const all: Span[] = [];
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    const last = all.at(-1);
    if (last === undefined || start > last.end + 1) all.push({ start, end });
    else all[all.length - 1] = { start: last.start, end: Math.max(last.end, end) };
  }
  return all;
}

/** Whether every byte of a content is in one of them. @param size of the content */
export function covers(size: number, spans: readonly Span[]): boolean {
  let next = 0;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (start > next) break;
    next = Math.max(next, end + 1);
  }
  return next >= size;
}
