// The control at the edge of the timeline: years, and a dot for each month, on which one goes to any month.

import { t } from 'virtual:messages/files';
import { make } from '../../lib/dom.ts';
import type { Month } from './months.ts';

/** The least distances in CSS pixels: of years, and of dots from what is above them. */
const YEARS = 26;
const DOTS = 9;
/** Above the first year and below the last dot, in CSS pixels. */
const EDGE = 6;
/** Below the control, in CSS pixels. */
const BELOW = 16;

interface Scrubber {
  /** Shows which month is in the window. */
  show(month: number): void;
  close(): void;
}

/** @param nav contains the links, which stay for those who have no script @param go to a month */
export function createScrubber(nav: HTMLElement, months: readonly Month[], go: (month: number) => void): Scrubber {
  const here = make('span', { class: 'here' });
  const tip = make('span', { class: 'tip' });
  const pointed = make('span', { class: 'pointed', hidden: true }, tip);
  const marks = make('span', { class: 'marks' });
  const slider = make(
    'div',
    {
      ...{ class: 'scrub', role: 'slider', tabindex: 0, 'aria-label': t('photos.goTo') },
      ...{ 'aria-orientation': 'vertical', 'aria-valuemin': 0, 'aria-valuemax': months.length - 1 },
    },
    marks,
    here,
    pointed,
  );
  nav.querySelector('.scrub')?.remove();
  nav.append(slider);
  /** Of each month, in CSS pixels from the top. */
  let places: number[] = [];
  let current = 0;
  let isHeld = false;

  function draw(): void {
    // All of it is in the window, also before anything was scrolled.
    const above = nav.getBoundingClientRect().top + scrollY + BELOW;
    slider.style.height = `max(240px, 100dvh - ${above}px)`;
    const height = slider.clientHeight;
    const years = new Set(months.map(({ id }) => id.slice(0, 4)));
    // Years take a step of their own.
    const step = (height - 2 * EDGE) / Math.max(1, months.length + years.size);
    let [position, year, lastYear, lastMark] = [0, '', Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
    const drawn: HTMLElement[] = [];
    places = months.map(({ id }) => {
      if (!id.startsWith(`${year}-`)) {
        year = id.slice(0, 4);
        const at = EDGE + (position + 0.5) * step;
        if (at - lastYear >= YEARS) {
          drawn.push(marked('year', at, year));
          [lastYear, lastMark] = [at, at + DOTS / 2];
        }
        position += 1;
      }
      const at = EDGE + (position + 0.5) * step;
      position += 1;
      if (at - lastMark >= DOTS) {
        drawn.push(marked('dot', at));
        lastMark = at;
      }
      return at;
    });
    marks.replaceChildren(...drawn);
    here.style.top = `${places[current] ?? 0}px`;
  }

  function marked(kind: string, top: number, text = ''): HTMLElement {
    const mark = make('span', { class: kind }, text);
    mark.style.top = `${top}px`;
    return mark;
  }

  function monthAt(event: PointerEvent): number {
    const y = event.clientY - slider.getBoundingClientRect().top;
    let nearest = 0;
    for (const [month, place] of places.entries())
      if (Math.abs(place - y) < Math.abs((places[nearest] ?? 0) - y)) nearest = month;
    return nearest;
  }

  function point(month: number | null): void {
    pointed.hidden = month === null;
    if (month === null) return;
    pointed.style.top = `${places[month] ?? 0}px`;
    tip.textContent = months[month]?.name ?? '';
  }

  function show(month: number): void {
    current = month;
    const { name = '', photos = 0, films = 0 } = months[month] ?? {};
    here.style.top = `${places[month] ?? 0}px`;
    // Upwards is newer, as on sliders upwards is more.
    slider.setAttribute('aria-valuenow', String(months.length - 1 - month));
    slider.setAttribute(
      'aria-valuetext',
      t('photos.goToValue', { month: name, sums: t('photos.sums', { photos, films }) }),
    );
  }

  /** The first month of the year before or after the current one. */
  function yearFrom(direction: 1 | -1): number {
    const year = months[current]?.id.slice(0, 4);
    let month = current;
    while (months[month]?.id.startsWith(`${year}-`)) month += direction;
    return Math.max(0, Math.min(months.length - 1, month));
  }

  const KEYS: Readonly<Record<string, () => number>> = {
    ArrowDown: () => Math.min(months.length - 1, current + 1),
    ArrowRight: () => Math.max(0, current - 1),
    ArrowUp: () => Math.max(0, current - 1),
    ArrowLeft: () => Math.min(months.length - 1, current + 1),
    PageDown: () => yearFrom(1),
    PageUp: () => yearFrom(-1),
    Home: () => 0,
    End: () => months.length - 1,
  };

  function goTo(month: number): void {
    go(month);
    show(month);
    point(month);
  }

  slider.addEventListener('keydown', (event) => {
    const { key, ctrlKey, metaKey, altKey, shiftKey } = event;
    const to = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined;
    if (to === undefined || ctrlKey || metaKey || altKey || shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    goTo(to());
  });
  slider.addEventListener('blur', () => point(null));
  slider.addEventListener('pointerdown', (event) => {
    if (event.button !== 0) return;
    isHeld = true;
    slider.setPointerCapture(event.pointerId);
    goTo(monthAt(event));
  });
  slider.addEventListener('pointermove', (event) => {
    const month = monthAt(event);
    if (isHeld && month !== current) goTo(month);
    else point(month);
  });
  const release = () => {
    isHeld = false;
    point(null);
  };
  slider.addEventListener('pointerup', release);
  slider.addEventListener('pointercancel', release);
  slider.addEventListener('pointerleave', () => {
    if (!isHeld) point(null);
  });
  const resized = new ResizeObserver(draw);
  resized.observe(slider);
  draw();
  return {
    show,
    close() {
      resized.disconnect();
      slider.remove();
    },
  };
}
