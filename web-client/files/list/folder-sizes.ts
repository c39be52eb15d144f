// The sizes of folders, which come after the page because they take longer to compute.

import { elements, make } from '../../lib/dom.ts';
import { humanSize } from '../../lib/human-size.ts';
import { asRequestError, encodeQuery, isRecord } from '../../lib/requests.ts';
import { base } from '../page.ts';
import { request } from '../requests.ts';
import { pathOf } from './item.ts';
import { listing } from './items.ts';

/** Only what is in a folder is asked for, not the entries of lists from elsewhere. */
const IN_FOLDER = /^\/ROOT\/(?:HOME|\d+\/\d+)(?:\/|$)/;

/** Bytes by the paths of the folders in the shown one. */
let known: ReadonlyMap<string, number> = new Map();
let latest = 0;

/** Asks for the sizes of the shown folders. Without an answer, none are shown. */
export async function requestFolderSizes(): Promise<void> {
  const { path = '', search } = listing()?.dataset ?? {};
  latest += 1;
  const turn = latest;
  if (search !== undefined || !IN_FOLDER.test(path) || !hasFolders()) {
    known = new Map();
    return;
  }
  try {
    const { sizes } = (await request('GET', `${base}/sizes?${encodeQuery({ path })}`)).data;
    if (turn !== latest) return;
    const all = isRecord(sizes) ? Object.entries(sizes) : [];
    known = new Map(all.map(([name, bytes]) => [`${path}/${name}`, Number(bytes)]));
    for (const row of elements(document, '.items .dir')) showFolderSize(row);
  } catch (error) {
    asRequestError(error);
  }
}

/** Folders come first. */
const hasFolders = () => document.querySelector('.list .items .dir') !== null;

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
