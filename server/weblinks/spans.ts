import type { Span } from '../files/download-counter.ts';

/** Whether a byte is in both. */
export function overlap(some: readonly Span[], others: readonly Span[]): boolean {
  return some.some((one) => others.some((other) => one.start <= other.end && other.start <= one.end));
}

/** The same bytes in as few as possible. */
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
