import type { Span } from '../files/download-counter.ts';

/** Whether a byte is in both. */
export function overlap(some: readonly Span[], others: readonly Span[]): boolean {
  return some.some((one) => others.some((other) => one.start <= other.end && other.start <= one.end));
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
