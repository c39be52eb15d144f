// The photo viewer over a list of files.

import { elements, parseHtml, required } from '../lib/dom.ts';
import { encodeQuery } from '../lib/requests.ts';
import { detailsContent } from '../photo-viewer/details.ts';
import type { ViewerItem, ViewerSource } from '../photo-viewer/source.ts';
import { openViewer } from '../photo-viewer/viewer.ts';
import { perform } from './actions.ts';
import { afterChange } from './changes.ts';
import { submitComment } from './comments.ts';
import { abilities, focusRow, itemOf, linkOf, nameOf, pathOf, rowFor } from './list/items.ts';
import { loadMore } from './list/list.ts';
import { rememberPlace, shownAddress } from './list/navigation.ts';
import { setOpenViewer } from './open-viewer.ts';
import { openItemMenu } from './overlays/item-menu.ts';
import { base } from './page.ts';
import { fieldOfButton, fieldsOf, requestPage, submitForm, textIn } from './requests.ts';

/** @param isPushed whether to add a history entry */
export function openPhotos(path: string, isPushed = true): void {
  const row = rowFor(path);
  if (row === null) return;
  const below = shownAddress();
  if (isPushed) {
    rememberPlace();
    history.pushState({ viewer: path, below }, '', addressOf(path));
  }
  setOpenViewer(openViewer(source(below, path), path));
}

const addressOf = (path: string): string => linkOf(rowFor(path) ?? undefined)?.href ?? location.href;

const viewedRows = (): HTMLElement[] => elements(document, '.items .item[data-view]');

function itemIn(row: HTMLElement): ViewerItem {
  const { view } = row.dataset;
  return {
    path: pathOf(row),
    name: nameOf(row),
    kind: view === 'video' || view === 'audio' ? view : 'picture',
    when: row.querySelector('.when')?.textContent?.trim() ?? '',
    isStarred: row.dataset.starred !== undefined,
  };
}

/** @param opener the path of the item it was opened from */
function source(below: string, opener: string): ViewerSource {
  const icons = `${base.replace(/\/files$/, '')}/icons`;
  return {
    items: () => viewedRows().map(itemIn),
    hasMore: () => document.querySelector('.more-rows') !== null,
    loadMore: () => loadMore(),
    preview: ({ path, kind }, width) =>
      kind === 'picture' || rowFor(path)?.dataset.thumbnail !== undefined
        ? `${base}/thumbnail?${encodeQuery({ path, width: width === 400 ? null : width })}`
        : null,
    moving: ({ path, name }) =>
      /\.gif$/i.test(name) ? `${base}/download?${encodeQuery({ path, openInBrowser: 1 })}` : null,
    icon: ({ kind }) => `${icons}/${kind === 'picture' ? 'image' : kind}.svg`,
    media: ({ path }) => `${base}/download?${encodeQuery({ path, openInBrowser: 1 })}`,
    isPlayedOnDemand: false,
    playNote: '',
    can: (action) => action === 'menu' || abilities().includes(action),
    perform: (action, { path, isStarred }) => {
      const row = rowFor(path);
      const done = action === 'star' && isStarred ? 'unstar' : action;
      return row === null ? Promise.resolve() : perform(done, [itemOf(row)]);
    },
    showMenu({ path }, button) {
      const row = rowFor(path);
      if (row !== null) openItemMenu(row, button, button);
    },
    details: ({ path }) => detailsOf(path),
    moved: ({ path }) => history.replaceState({ viewer: path, below }, '', addressOf(path)),
    leave: () => history.back(),
    closed(item) {
      const row = item === null ? null : rowFor(item.path);
      if (row === null) return;
      // The list stays where it is, unless another item was shown last, which is not in sight.
      if (item?.path === opener) linkOf(row)?.focus({ preventScroll: true });
      else focusRow(row);
    },
  };
}

/** The details of the item's page. Their forms are sent without leaving the viewer. */
async function detailsOf(path: string): Promise<Node | null> {
  const { main } = await requestPage(`${base}/item?${encodeQuery({ path })}`);
  return detailsIn(main);
}

function detailsIn(main: string): HTMLElement | null {
  const facts = parseHtml(main).querySelector<HTMLElement>('.facts');
  if (facts === null) return null;
  for (const extra of elements(facts, ':scope > .primary, .item-actions')) extra.remove();
  const content = detailsContent(facts);
  content.addEventListener('submit', (event) => {
    const { target: form, submitter } = event;
    if (!(form instanceof HTMLFormElement)) return;
    event.preventDefault();
    if (form.closest('.comments') !== null && submitter instanceof HTMLButtonElement)
      void submitComment(form, submitter);
    else void submitDetails(content, form, submitter);
  });
  return content;
}

async function submitDetails(
  content: HTMLElement,
  form: HTMLFormElement,
  submitter: HTMLElement | null,
): Promise<void> {
  const data = await submitForm(form.action, [...fieldsOf(form), ...fieldOfButton(submitter)]);
  const fresh = detailsIn(textIn(data, 'main'));
  if (fresh === null) return;
  content.replaceWith(fresh);
  const first =
    submitter instanceof HTMLButtonElement
      ? fresh.querySelector<HTMLElement>(`button[name="${submitter.name}"]`)
      : null;
  (first ?? required(fresh, 'button, a')).focus();
  void afterChange();
}
