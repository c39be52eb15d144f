import { type Html, html } from '../../lib/text/html.ts';

/** A coloured dot without an inline style, which the policy of the page forbids. */
export function colorDot(color: string | null): Html {
  if (color === null) return html``;
  return html`<svg class="dot" viewBox="0 0 10 10" width="10" height="10" aria-hidden="true"><circle cx="5" cy="5" r="5" fill="${color}"/></svg>`;
}
