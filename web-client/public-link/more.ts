// Further entries of a linked folder.

import { parseHtml } from '../lib/dom.ts';

/** The containers of the different views. */
const CONTAINERS = ['.cards', '.pictures', '.rows'];

/** The link to them; null if there are none. */
export const moreLink = (form: HTMLFormElement) => form.querySelector<HTMLAnchorElement>('.more-rows a');

let loading: Promise<boolean> | null = null;

/** @returns whether there were more entries */
export function loadMore(form: HTMLFormElement): Promise<boolean> {
  const more = moreLink(form);
  if (more === null) return Promise.resolve(false);
  loading ??= fetchMore(form, more).finally(() => {
    loading = null;
  });
  return loading;
}

async function fetchMore(form: HTMLFormElement, more: HTMLAnchorElement): Promise<boolean> {
  const response = await fetch(more.href, { headers: { Accept: 'text/html' } }).catch(() => null);
  // The button stays available.
  if (response?.ok !== true) return false;
  const page = parseHtml(await response.text());
  append(form, more, page);
  const further = page.querySelector<HTMLAnchorElement>('form.take .more-rows a');
  if (further === null) {
    more.parentElement?.remove();
    return true;
  }
  more.href = further.href;
  more.textContent = further.textContent;
  return true;
}

function append(form: HTMLFormElement, more: HTMLAnchorElement, page: Document): void {
  for (const container of CONTAINERS) {
    const next = page.querySelector(`form.take ${container}`);
    const here = form.querySelector(container);
    if (next === null) continue;
    if (here !== null) here.append(...next.children);
    else more.parentElement?.before(next);
  }
}
