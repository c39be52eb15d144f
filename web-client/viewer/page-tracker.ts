// Tracks the page in the middle of the window: for the page counter, and to keep it there when the width changes.

import { make } from '../lib/dom.ts';

/** Milliseconds without another change. */
const SETTLED = 150;

/** @param label of the page counter @param redraw called when the width has changed */
export function trackPage(
  main: HTMLElement,
  pages: readonly HTMLElement[],
  label: (index: number) => string,
  redraw: () => void,
): void {
  const counter = make('p', { class: 'counter', 'aria-hidden': 'true' });
  if (pages.length > 1) document.body.append(counter);

  let width = main.clientWidth;
  let position = { index: 0, part: 0 };
  const update = () => {
    // The scroll position is restored first after a change of width.
    if (main.clientWidth !== width) return;
    const middle = scrollY + innerHeight / 2;
    const index = lastAbove(pages, middle);
    const page = pages[index];
    if (page === undefined) return;
    position = { index, part: (middle - page.offsetTop) / page.offsetHeight };
    counter.textContent = label(index);
  };
  addEventListener('scroll', () => requestAnimationFrame(update), { passive: true });
  update();

  let timer: ReturnType<typeof setTimeout> | undefined;
  new ResizeObserver(() => {
    const page = pages[position.index];
    if (main.clientWidth === width || page === undefined) return;
    width = main.clientWidth;
    scrollTo(0, page.offsetTop + position.part * page.offsetHeight - innerHeight / 2);
    clearTimeout(timer);
    timer = setTimeout(redraw, SETTLED);
  }).observe(main);
}

/** The last page that begins above a line. */
function lastAbove(pages: readonly HTMLElement[], line: number): number {
  let low = 0;
  let high = pages.length - 1;
  while (low < high) {
    const half = Math.ceil((low + high) / 2);
    if ((pages[half]?.offsetTop ?? 0) <= line) low = half;
    else high = half - 1;
  }
  return low;
}
