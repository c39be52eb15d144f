// The words around hits by contents. They are read from the files after the results are shown.

import { elements, make, required } from '../lib/dom.ts';
import { encodeQuery, isRecord } from '../lib/requests.ts';
import { pathOf } from './list/item.ts';
import { base, main } from './page.ts';
import { request } from './requests.ts';

/** @param words what the page shows the results of */
export async function showPassages(words: string): Promise<void> {
  for (const row of elements(main, '.group[data-group=contents] .item')) {
    const query = encodeQuery({ path: pathOf(row), q: words });
    const data = await request('GET', `${base}/search/passage?${query}`).then(
      (reply) => reply.data,
      // Without it, the hit is shown as before.
      () => null,
    );
    // Other results are shown by now.
    if (!row.isConnected) return;
    const parts = Array.isArray(data?.passage) ? data.passage.filter(isRecord) : [];
    if (parts.length > 0) required(row, '.name').after(passage(parts));
  }
}

function passage(parts: readonly Readonly<Record<string, unknown>>[]): HTMLElement {
  const content = parts.map(({ text, isMatch }) => (isMatch === true ? make('mark', {}, String(text)) : String(text)));
  return make('span', { class: 'passage' }, ...content);
}
