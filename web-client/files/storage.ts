// The storage that the sidebar shows, and its entry in the menu of places.

import { elements } from '../lib/dom.ts';
import { asRequestError } from '../lib/requests.ts';
import { base, fileNav } from './page.ts';
import { request, textIn } from './requests.ts';

const SHOWN = '.storage, .storage-entry';

/** Shows the storage of another navigation; everything else stays, such as the focus and an open menu. */
export function showStorage(nav: string): void {
  const template = document.createElement('template');
  template.innerHTML = nav;
  const fresh = elements(template.content, SHOWN);
  for (const [index, old] of elements(fileNav, SHOWN).entries()) old.innerHTML = fresh[index]?.innerHTML ?? '';
}

/** For changes after which no page is shown again. Without an answer, the last value stays. */
export async function refreshStorage(): Promise<void> {
  try {
    showStorage(textIn((await request('GET', `${base}/storage`)).data, 'storage'));
  } catch (error) {
    asRequestError(error);
  }
}
