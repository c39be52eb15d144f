import type { AccountRecord } from '../../../accounts/accounts.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import type { PageAssets } from '../../shell/assets/page-assets.ts';
import { sprite } from '../../shell/icons.ts';
import type { Abilities } from '../abilities.ts';
import type { FilesLinks } from '../addresses.ts';
import type { CoveredAlbum } from '../albums/list.ts';
import { albumCard } from '../albums/page.ts';
import type { Row } from '../context.ts';
import { emptyState } from '../frame.ts';
import { itemMenu, listFacts, selectionBar } from '../listing/list-parts.ts';
import { defaultLook } from '../listing/look.ts';
import { itemRows } from '../listing/rows.ts';
import { foundPlaces } from './elsewhere.ts';
import { type Filters, searchFilters } from './filters.ts';
import { type Found, type FoundGroup, MAX_FOUND } from './find.ts';
import { highlighted, highlightedName, searchedWords } from './highlight.ts';
import { isNarrow, type ResultGroup, type SearchQuery, withoutFilters } from './query.ts';

interface SearchPage {
  readonly links: FilesLinks;
  readonly assets: PageAssets;
  readonly query: SearchQuery;
  /** Null before anything was typed. */
  readonly found: Found | null;
  /** What there is without filters, if nothing matches with them. */
  readonly elsewhere: Found | null;
  readonly filters: Filters;
  /** In the caller's own home: shares may allow less. */
  readonly abilities: Abilities;
  readonly account: Pick<AccountRecord, 'permissions'>;
  readonly now: number;
  readonly icons: string;
}

/** Results of a group shown among the others. */
const FIRST_OF: Readonly<Record<ResultGroup, number>> = { names: 5, contents: 4, details: 3, photos: 8 };

export function searchMain(page: SearchPage): Html {
  const { query, found, filters } = page;
  const { words, group } = query;
  const recent = html`<aside class="recent" data-words="${words}" hidden><h2>${t('search.recent')}</h2><ul></ul><button type="button" class="plain" data-do="forget-searches">${t('search.recent.forget')}</button></aside>`;
  if (found === null) {
    return html`<div class="head"><div class="heading"><h1>${t('search.heading')}</h1><p class="meta">${t('search.help')}</p></div></div>${recent}`;
  }
  const groups = group === null ? found.groups : found.groups.filter((one) => one.group === group);
  const albums = group === null ? found.albums : [];
  const heading = html`<div class="heading"><h1>${t('search.headingFor', { words: bidiIsolate(words) })}</h1><p class="meta" id="found">${countText(groups, albums.length)}</p></div>`;
  const back =
    group === null
      ? html``
      : html`<p class="back"><a href="${page.links.search({ ...query, group: null })}">${sprite('left')}${t('search.back')}</a></p>`;
  const incomplete = found.isIncomplete
    ? html`<div class="note care">${sprite('alert')}<span>${t('search.incomplete')}</span></div>`
    : html``;
  const lists = groups.length === 0 ? html`` : resultList(page, groups, group === null ? FIRST_OF : null);
  const shown =
    groups.length + albums.length === 0 ? nothing(page) : html`<div>${lists}${albumGroup(page, albums)}</div>`;
  return html`<div class="head">${heading}</div>${searchFilters(filters)}${incomplete}${back}<div class="search-columns">${shown}${recent}</div>`;
}

function albumGroup({ links, assets, query }: SearchPage, albums: readonly CoveredAlbum[]): Html {
  if (albums.length === 0) return html``;
  const words = searchedWords(query.words);
  const cards = albums.map((one) => html`<li>${albumCard(links, one, highlighted(one.album.title, words))}</li>`);
  const count = t('search.groupCount', { count: albums.length });
  return html`${assets.load('albums')}<section class="group" data-group="albums" aria-labelledby="group-albums"><div class="group-head"><h2 id="group-albums">${t('albums.heading')} <span class="count">${count}</span></h2></div><ul class="albums" aria-labelledby="group-albums">${cards}</ul></section>`;
}

/** @param most rows of each group; null for all */
function resultList(page: SearchPage, groups: readonly FoundGroup[], most: typeof FIRST_OF | null): Html {
  const { abilities } = page;
  const lists = groups.map((one) => ({
    ...one,
    shown: most === null ? one.rows : one.rows.slice(0, most[one.group]),
  }));
  const total = lists.reduce((sum, { shown }) => sum + shown.length, 0);
  const facts = listFacts({ path: '', name: '', total, abilities });
  return html`<section class="listing results" ${facts}>${selectionBar(abilities)}${lists.map((one) => groupSection(page, one, one.shown))}${itemMenu(abilities)}</section>`;
}

function groupSection(page: SearchPage, { group, rows, isCut }: FoundGroup, shown: readonly Row[]): Html {
  const { links, query, now, icons, abilities, account } = page;
  const isGallery = group === 'photos';
  const words = searchedWords(query.words);
  const count = t(isCut ? 'search.groupCountCut' : 'search.groupCount', { count: rows.length });
  const all =
    shown.length < rows.length
      ? html`<a href="${links.search({ ...query, group })}">${t(isCut ? 'search.allCut' : 'search.all', { count: rows.length })}</a>`
      : html``;
  const id = `group-${group}`;
  const list = itemRows({
    rows: shown,
    look: { ...defaultLook(''), view: isGallery ? 'gallery' : 'list' },
    links,
    path: null,
    now,
    icons,
    canOpen: abilities.items.has('download'),
    isScattered: true,
    abilities,
    account,
    nameOf: ({ name }) => highlightedName(name, words),
    placeOf,
  });
  return html`<section class="group" data-group="${group}" aria-labelledby="${id}"><div class="group-head"><h2 id="${id}">${t(`search.groups.${group}`)} <span class="count">${count}</span></h2>${all}</div><div class="table ${isGallery ? 'gallery' : 'list'}"><ul class="items${isGallery ? ' fitted-rows' : ''}" aria-labelledby="${id}">
${list}</ul></div></section>`;
}

function placeOf({ folder, sharer }: Row): string {
  if (sharer === null || sharer === folder) return folder;
  return t('search.place', { folder: bidiIsolate(folder), name: bidiIsolate(sharer) });
}

function countText(groups: readonly FoundGroup[], albums: number): string {
  const count = groups.reduce((sum, { rows }) => sum + rows.length, albums);
  return t(groups.some(({ isCut }) => isCut) ? 'search.countCut' : 'search.count', { count });
}

function nothing({ links, query, elsewhere, filters }: SearchPage): Html {
  const heading = t('search.none.heading');
  const count = elsewhere === null ? 0 : countOf(elsewhere);
  if (elsewhere === null || count === 0 || !isNarrow(query)) {
    return emptyState({ heading, help: t('search.none.help') });
  }
  const isCut = count >= MAX_FOUND || elsewhere.groups.some((one) => one.isCut);
  const help = t(isCut ? 'search.none.elsewhereCut' : 'search.none.elsewhere', { count });
  const places = foundPlaces(elsewhere, filters).map(
    (one) => html`<p><a href="${links.search(one.query)}">${one.text}</a></p>`,
  );
  const way = html`<p class="empty-actions"><a class="button" href="${links.search(withoutFilters(query))}">${t('search.none.withoutFilters')}</a></p>`;
  return emptyState({ heading, help }, html`${places}${way}`);
}

function countOf({ groups, albums }: Found): number {
  return groups.reduce((sum, { rows }) => sum + rows.length, albums.length);
}
