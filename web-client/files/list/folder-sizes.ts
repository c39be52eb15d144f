// The sizes of folders, which come after the page because they take longer to compute.

import { elements, make } from '../../lib/dom.ts';
import { humanSize } from '../../lib/human-size.ts';
import { asRequestError, encodeQuery, isRecord } from '../../lib/requests.ts';
import { base } from '../page.ts';
import { request } from '../requests.ts';
import { pathOf } from './item.ts';
import { listing } from './items.ts';

const FOLDER = /^\/ROOT\/(?:HOME|\d+\/\d+)(?:\/|$)/;

/** Folders of a list from elsewhere that are asked for. */
const MOST = 30;

/** Bytes by the paths of the shown folders. */
let known: ReadonlyMap<string, number> = new Map();
let latest = 0;

/** Asks for the sizes of the shown folders. Without an answer, none are shown. */
export async function requestFolderSizes(): Promise<void> {
  const { path = '' } = listing()?.dataset ?? {};
  const isFolder = FOLDER.test(path);
  latest += 1;
  const turn = latest;
  const paths = elements(document, '.items .dir').map(pathOf);
  const folders = paths.filter((one) => FOLDER.test(one)).slice(0, MOST);
  if (folders.length === 0) {
    known = new Map();
    return;
  }
  const query = isFolder ? encodeQuery({ path }) : folders.map((folder) => encodeQuery({ folder })).join('&');
  try {
    const { sizes } = (await request('GET', `${base}/sizes?${query}`)).data;
    if (turn !== latest) return;
    const all = isRecord(sizes) ? Object.entries(sizes) : [];
    known = new Map(all.map(([key, bytes]) => [isFolder ? `${path}/${key}` : key, Number(bytes)]));
    for (const row of elements(document, '.items .dir')) showFolderSize(row);
  } catch (error) {
    asRequestError(error);
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
