import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { type Html, html } from '../../../lib/text/html.ts';
import { t } from '../../../messages/messages.ts';
import { type IconName, sprite } from '../../shell/icons.ts';
import type { FilesLinks } from '../addresses.ts';
import type { NamedPath } from '../context.ts';
import type { SearchPerson } from './places.ts';
import { SEARCH_KINDS, SEARCH_TIMES, type SearchKind, type SearchQuery } from './query.ts';

export interface Filters {
  readonly links: FilesLinks;
  readonly query: SearchQuery;
  /** The folder for a narrower search; null if there is none. */
  readonly folder: NamedPath | null;
  /** Who shares something with the caller. */
  readonly sharers: readonly SearchPerson[];
  readonly callerId: number;
}

const KIND_ICONS: Readonly<Record<SearchKind, IconName>> = {
  everything: 'check',
  documents: 'fileText',
  photos: 'photo',
  music: 'music',
  folders: 'folder',
};

/** The filters, each a link: they live in the address. */
export function searchFilters(filters: Filters): Html {
  const { links, query } = filters;
  const kinds = SEARCH_KINDS.map((kind) => {
    const isOn = query.kind === kind;
    return html`<a class="chip" href="${links.search({ ...query, kind, group: null })}"${isOn ? html` aria-current="true"` : html``}>${sprite(isOn ? 'check' : KIND_ICONS[kind])}<span>${t(`search.kind.${kind}`)}</span></a>`;
  });
  return html`<div class="filters" role="group" aria-label="${t('search.filters')}"><div class="search-kinds">${kinds}</div><div class="search-limits">${placeFilter(filters)}${personFilter(filters)}${timeFilter(filters)}</div></div>`;
}

interface Choice {
  readonly text: string;
  readonly isOn: boolean;
  readonly change: Partial<SearchQuery>;
}

/** A menu of choices, the first of which limits nothing. */
function dropDown({ links, query }: Filters, choices: readonly Choice[]): Html {
  const chosen = choices.find(({ isOn }) => isOn) ?? choices[0];
  const isLimited = chosen !== choices[0];
  return html`<details class="drop"><summary class="chip${isLimited ? ' on' : ''}"><span>${chosen?.text ?? ''}</span>${sprite('chevron')}</summary><div class="choices">${choices.map(
    ({ text, isOn, change }) =>
      html`<a href="${links.search({ ...query, group: null, ...change })}"${isOn ? html` aria-current="true"` : html``}>${isOn ? sprite('check') : html`<span class="gap"></span>`}${text}</a>`,
  )}</div></details>`;
}

function placeFilter(filters: Filters): Html {
  const { query, folder } = filters;
  if (folder === null) return html``;
  return dropDown(filters, [
    { text: t('search.place.anywhere'), isOn: query.inside === null, change: { inside: null } },
    {
      text: t('search.place.inside', { folder: bidiIsolate(folder.name) }),
      isOn: query.inside === folder.path,
      change: { inside: folder.path, personId: null },
    },
  ]);
}

function personFilter(filters: Filters): Html {
  const { query, sharers, callerId } = filters;
  // A folder is already someone's.
  if (sharers.length === 0 || query.inside !== null) return html``;
  return dropDown(filters, [
    { text: t('search.person.anyone'), isOn: query.personId === null, change: { personId: null } },
    { text: t('search.person.me'), isOn: query.personId === callerId, change: { personId: callerId } },
    ...sharers.map(({ id, name }) => ({
      text: t('search.person.sharer', { name: bidiIsolate(name) }),
      isOn: query.personId === id,
      change: { personId: id },
    })),
  ]);
}

function timeFilter(filters: Filters): Html {
  return dropDown(
    filters,
    SEARCH_TIMES.map((time) => ({
      text: t(`search.time.${time}`),
      isOn: filters.query.time === time,
      change: { time },
    })),
  );
}
