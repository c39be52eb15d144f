// The sizes of folders, which come after the page because they take longer to compute.

import { elements, make } from '../../lib/dom.ts';
import { humanSize } from '../../lib/human-size.ts';
import { asRequestError, encodeQuery, isRecord } from '../../lib/requests.ts';
import { base } from '../page.ts';
import { request } from '../requests.ts';
import { pathOf } from './item.ts';
import { listing } from './items.ts';

const FOLDER = /^\/ROOT\/(?:HOME|\d+\/\d+)(?:\/|$)/;

/** Folders of a list from elsewhere that are asked for at once. */
const AT_ONCE = 30;

/** Bytes by the paths of the shown folders. */
const known = new Map<string, number>();
/** The folders that were asked for since the page was shown. */
const asked = new Set<string>();
let latest = 0;

/** Asks for the sizes of the shown folders anew. Without an answer, those of before stay. */
export async function requestFolderSizes(): Promise<void> {
  latest += 1;
  asked.clear();
  await requestMoreSizes();
}

/** Asks for the sizes of folders that have come into the list since. */
export async function requestMoreSizes(): Promise<void> {
  const turn = latest;
  const { path = '' } = listing()?.dataset ?? {};
  const isFolder = FOLDER.test(path);
  for (;;) {
    // In a folder, the first answer is for everything in it.
    if (isFolder && asked.size > 0) return;
    const waiting = elements(document, '.items .dir')
      .map(pathOf)
      .filter((one) => FOLDER.test(one) && !asked.has(one));
    const folders = isFolder ? waiting : waiting.slice(0, AT_ONCE);
    if (folders.length === 0) return;
    for (const folder of folders) asked.add(folder);
    const query = isFolder ? encodeQuery({ path }) : folders.map((folder) => encodeQuery({ folder })).join('&');
    try {
      const { sizes } = (await request('GET', `${base}/sizes?${query}`)).data;
      if (turn !== latest) return;
      for (const folder of isFolder ? known.keys() : folders) known.delete(folder);
      for (const [key, bytes] of isRecord(sizes) ? Object.entries(sizes) : []) {
        known.set(isFolder ? `${path}/${key}` : key, Number(bytes));
      }
    } catch (error) {
      asRequestError(error);
      return;
    }
    for (const row of elements(document, '.items .dir')) showFolderSize(row);
  }
}

/** Also for rows that come into the document later. */
export function showFolderSize(row: HTMLElement): void {
  const bytes = known.get(pathOf(row));
  for (const old of elements(row, '.total')) old.remove();
  if (bytes === undefined || bytes === 0 || !row.classList.contains('dir')) return;
  const text = humanSize(bytes);
  row.querySelector('.bytes')?.append(make('span', { class: 'total', title: String(bytes) }, text));
  // In narrow windows, everything is in one line below the name.
  row.querySelector('.sub')?.prepend(make('span', { class: 'total' }, `${text} · `));
}
