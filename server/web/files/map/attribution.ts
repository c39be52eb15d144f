import { type Html, html } from '../../../lib/text/html.ts';

/** Up to a sign of punctuation that ends the sentence. */
const ADDRESS = /https:\/\/[^\s<>"'()]+[^\s<>"'().,;:!?]/g;

/** Whose a map is, as the owner wrote it. Addresses in it are links, as many sources require one to their licence. */
export function attributionText(text: string): Html {
  const parts: Html[] = [];
  let end = 0;
  for (const { 0: address, index } of text.matchAll(ADDRESS)) {
    if (!URL.canParse(address)) continue;
    const { host, pathname } = new URL(address);
    const name = `${host}${pathname === '/' ? '' : pathname}`;
    parts.push(
      html`${text.slice(end, index)}<a href="${address}" target="_blank" rel="noopener noreferrer">${name}</a>`,
    );
    end = index + address.length;
  }
  return html`${parts}${text.slice(end)}`;
}
