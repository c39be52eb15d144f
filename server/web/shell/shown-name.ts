import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';

/** Longer names may not fit, in characters. */
const LONG = 32;
/** Characters that stay visible at the end of a long name. */
const END = 8;

/** Whether a name may not fit. @param long longer names may not, in characters */
export function isLongName(name: string, long: number): boolean {
  return [...name].length > long;
}

/** A name in two parts, of which the second one stays visible. */
export function startAndEnd(name: string): readonly [start: string, end: string] {
  const characters = [...name];
  return [characters.slice(0, -END).join(''), characters.slice(-END).join('')];
}

/** The parts of a name as one, which is shortened in the middle. */
export function cutName(name: string, start: Html, end: Html): Html {
  return html`<span class="cut" title="${bidiIsolate(name)}"><span>${start}</span><span>${end}</span></span>`;
}

/**
 * A name of a file, folder or person as the content of an element. It cannot pretend to have another ending, and where it does not
 * fit, it is shortened in the middle, so that its ending stays visible (`.cut` in `styles/base/shared.css`).
 * @param long longer names may not fit, in characters
 */
export function shownName(name: string, long = LONG): Html {
  if (!isLongName(name, long)) return html`${bidiIsolate(name)}`;
  const [start, end] = startAndEnd(name);
  return cutName(name, html`${bidiIsolate(start)}`, html`${bidiIsolate(end)}`);
}
