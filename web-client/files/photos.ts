// The photo viewer over a list of files.

import { elements, parseHtml, required } from '../lib/dom.ts';
import { bidiIsolate } from '../lib/format.ts';
import { encodeQuery } from '../lib/requests.ts';
import { detailsContent } from '../photo-viewer/details.ts';
import type { ViewerItem, ViewerSource } from '../photo-viewer/source.ts';
import { openViewer } from '../photo-viewer/viewer.ts';
import { perform } from './actions/actions.ts';
import type { ActionItem } from './actions/batches.ts';
import { afterChange } from './actions/changes.ts';
import { submitComment } from './comments.ts';
import { itemOf, nameOf, partPath, partsOf, pathOf } from './list/item.ts';
import { abilities, countRows, focusRow, indexOf, linkOf, longList, rowFor, rows } from './list/items.ts';
import { loadMore } from './list/list.ts';
import { rememberPlace } from './list/navigation.ts';
import { shownAddress } from './list/page-address.ts';
import { isAllowed } from './list/selection.ts';
import { followRenamed, setOpenViewer, setViewed, syncViewer, viewedPath } from './open-viewer.ts';
import { openItemMenu } from './overlays/item-menu.ts';
import { base } from './page.ts';
import { fieldOfButton, fieldsOf, requestPage, submitForm, textIn } from './requests.ts';

/** @param isPushed whether to add a history entry @param isSlideShow whether one item after the other is shown */
export function openPhotos(path: string, isPushed = true, isSlideShow = false): void {
  const row = rowFor(path);
  if (row === null) return;
  const below = shownAddress();
  if (isPushed) {
    rememberPlace();
    history.pushState({ viewer: path, below }, '', addressOf(path));
  }
  setViewed(path);
  setOpenViewer(openViewer(source(below, path), path, isSlideShow));
  void loadBefore(path);
}

const addressOf = (path: string): string => linkOf(rowFor(path) ?? undefined)?.href ?? location.href;

/** Photos and films so near to the beginning of what is known, that those before are requested. */
const NEAR_START = 5;

/** The known rows without a gap around the shown one. */
function rowsAround(path: string): HTMLElement[] {
  const long = longList();
  if (long === null) return rows();
  const index = long.indexOf(path);
  const around = [long.rowAt(index)];
  let [from, to] = [index, index];
  for (let row = long.rowAt(from - 1); row !== undefined; row = long.rowAt(from - 1)) {
    around.unshift(row);
    from -= 1;
  }
  for (let row = long.rowAt(to + 1); row !== undefined; row = long.rowAt(to + 1)) {
    around.push(row);
    to += 1;
  }
  return around.filter((row) => row !== undefined);
}

const isViewed = ({ dataset }: HTMLElement): boolean => dataset.view !== undefined;

/** The path of the next photo or film, or of the one before the last; null if there is no other. */
function neighbourOf(path: string): string | null {
  const viewed = rowsAround(path).filter(isViewed).map(pathOf);
  const index = viewed.indexOf(path);
  return viewed[index + 1] ?? viewed[index - 1] ?? null;
}

/** In a long list, the rows before the shown one may not be known yet. */
async function loadBefore(path: string): Promise<void> {
  const long = longList();
  const around = rowsAround(path);
  const shown = around.filter(isViewed).findIndex((row) => pathOf(row) === path);
  const [first] = around;
  const start = first === undefined ? 0 : indexOf(pathOf(first));
  if (long === null || start <= 0 || shown >= NEAR_START) return;
  if (await long.load(start - 1, start - 1)) syncViewer();
}

/** @returns whether there were more rows after those around the shown one */
async function loadAfter(path: string): Promise<boolean> {
  const last = rowsAround(path).at(-1);
  const next = last === undefined ? 0 : indexOf(pathOf(last)) + 1;
  const long = longList();
  if (long === null) return loadMore();
  return next < long.total && long.load(next, next);
}

const hasAfter = (path: string): boolean => {
  const last = rowsAround(path).at(-1);
  return longList() === null
    ? document.querySelector('.more-rows') !== null
    : last !== undefined && indexOf(pathOf(last)) + 1 < countRows();
};

const mediaAt = (path: string, mark: string | null = null): string =>
  `${base}/download?${encodeQuery({ path, openInBrowser: 1, v: mark })}`;

const filmInsideOf = (path: string): string => `${base}/film?${encodeQuery({ path })}`;

function itemIn(row: HTMLElement): ViewerItem {
  const { view, film } = row.dataset;
  const [path, name, parts] = [pathOf(row), nameOf(row), partsOf(row)];
  const fileName = path.slice(path.lastIndexOf('/') + 1);
  const films = new Map(
    parts.flatMap(([name, still]) => (typeof still !== 'string' ? [] : [[still, mediaAt(partPath(path, name))]])),
  );
  const item: ViewerItem = {
    path,
    name,
    kind: view === 'video' || view === 'audio' ? view : 'picture',
    mark: row.dataset.mark ?? null,
    when: row.dataset.taken ?? row.querySelector('.when')?.textContent?.trim() ?? '',
    isStarred: row.dataset.starred !== undefined,
    film: films.get(fileName) ?? (film === undefined ? null : filmInsideOf(path)),
    burst: [],
  };
  const others = parts.filter(([, still]) => typeof still !== 'string');
  const burst = others.map(([one, , label, hasFilm]) => ({
    ...item,
    path: partPath(path, one),
    mark: null,
    name: bidiIsolate(label ?? one),
    film: films.get(one) ?? (hasFilm === 1 ? filmInsideOf(partPath(path, one)) : null),
  }));
  return { ...item, burst };
}

/**
 * One photo of the burst of a row, with its own film.
 * @returns `rest` is the path of the photo that stands for the burst without it
 */
function oneOfBurst(row: HTMLElement, path: string): { readonly one: ActionItem; readonly rest: string } {
  const [first, parts] = [pathOf(row), partsOf(row)];
  const others = parts.filter(([, still]) => typeof still !== 'string').map(([name]) => name);
  const name =
    path === first ? first.slice(first.lastIndexOf('/') + 1) : others.find((one) => partPath(first, one) === path);
  const next = others[0] === undefined ? first : partPath(first, others[0]);
  return { one: { path, parts: parts.filter(([, still]) => still === name) }, rest: path === first ? next : first };
}

/** @param opener the path of the item it was opened from */
function source(below: string, opener: string): ViewerSource {
  let current = opener;
  const items = () =>
    rowsAround(viewedPath() ?? current)
      .filter(isViewed)
      .map(itemIn);
  const icons = `${base.replace(/\/files$/, '')}/icons`;
  return {
    items,
    hasMore: () => hasAfter(current),
    loadMore: () => loadAfter(current),
    preview: ({ path, kind, mark }, width) =>
      kind === 'picture' || rowFor(path)?.dataset.thumbnail !== undefined
        ? `${base}/thumbnail?${encodeQuery({ path, width: width === 400 ? null : width, v: mark })}`
        : null,
    moving: ({ path, name, mark }) => (/\.gif$/i.test(name) ? mediaAt(path, mark) : null),
    icon: ({ kind }) => `${icons}/${kind === 'picture' ? 'image' : kind}.svg`,
    media: ({ path, mark }) => mediaAt(path, mark),
    isPlayedOnDemand: false,
    playNote: '',
    can: (action, { path }) => {
      if (action === 'menu') return true;
      const row = rowFor(path);
      return abilities().includes(action) && (row === null || isAllowed(action, [itemOf(row)]));
    },
    async performOnOne(action, { path }) {
      const row = rowFor(current);
      if (row === null) return;
      const { one, rest } = oneOfBurst(row, path);
      followRenamed(rest);
      await perform(action, [one]);
      followRenamed(null);
    },
    async perform(action, { path, isStarred }) {
      const row = rowFor(path);
      if (row === null) return;
      // The rows of a long list are requested again, around the one that is shown next.
      if (action === 'delete' && longList() !== null) followRenamed(neighbourOf(path));
      await perform(action === 'star' && isStarred ? 'unstar' : action, [itemOf(row)]);
      followRenamed(null);
    },
    showMenu({ path }, button) {
      const row = rowFor(path);
      if (row !== null) openItemMenu(row, button, button);
    },
    details: ({ path }) => detailsOf(path),
    moved({ path }) {
      current = path;
      setViewed(path);
      history.replaceState({ viewer: path, below }, '', addressOf(path));
      void loadBefore(path);
    },
    leave: () => history.back(),
    closed(item) {
      setViewed(null);
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
