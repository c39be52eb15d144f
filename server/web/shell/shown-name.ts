import { bidiIsolate } from '../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../lib/text/html.ts';

/** Longer names may not fit, in characters. */
const LONG = 32;
/** Characters that stay visible at the end of a long name. */
const END = 8;

/**
 * A name of a file, folder or person as the content of an element. It cannot pretend to have another ending, and where it does not
 * fit, it is shortened in the middle, so that its ending stays visible (`.cut` in `styles/base/shared.css`).
 * @param long longer names may not fit, in characters
 */
export function shownName(name: string, long = LONG): Html {
  const characters = [...name];
  if (characters.length <= long) return html`${bidiIsolate(name)}`;
  const [start, end] = [characters.slice(0, -END), characters.slice(-END)].map((part) => bidiIsolate(part.join('')));
  return html`<span class="cut" title="${bidiIsolate(name)}"><span>${start ?? ''}</span><span>${end ?? ''}</span></span>`;
}
