import { z } from 'zod';
import { oneOf, text, virtualPath } from '../../../http/request/parameters.ts';
import { DAY } from '../../../lib/clock.ts';
import { type FileType, fileKind } from '../../../lib/names/file-types.ts';

/** What kind of items is searched for. */
export const SEARCH_KINDS = ['everything', 'documents', 'photos', 'music', 'folders'] as const;
export type SearchKind = (typeof SEARCH_KINDS)[number];

/** When items were last changed, or photos and films were taken. */
export const SEARCH_TIMES = ['any', 'week', 'month', 'thisYear', 'lastYear', 'earlier'] as const;
type SearchTime = (typeof SEARCH_TIMES)[number];

/** The groups of results, in their order. */
export const RESULT_GROUPS = ['names', 'contents', 'details', 'photos'] as const;
export type ResultGroup = (typeof RESULT_GROUPS)[number];

const TYPES: Readonly<Record<Exclude<SearchKind, 'everything'>, ReadonlySet<FileType>>> = {
  documents: new Set(['text', 'code', 'document', 'spreadsheet', 'presentation', 'pdf', 'ebook']),
  photos: new Set(['image', 'raw', 'video']),
  music: new Set(['audio']),
  folders: new Set(['folder']),
};

/** Kinds whose contents are read as text. */
export const READ_KINDS: ReadonlySet<SearchKind> = new Set(['everything', 'documents']);

/** A search over everything that a person may see, as its address says. */
export interface SearchQuery {
  /** Empty before anything was typed. */
  readonly words: string;
  readonly kind: SearchKind;
  readonly time: SearchTime;
  /** Only below this folder. */
  readonly inside: string | null;
  /** The folder that was shown before; offered for a narrower search. */
  readonly from: string | null;
  /** Only what this account shares, or what is the caller's own. */
  readonly personId: number | null;
  /** All results of one group. */
  readonly group: ResultGroup | null;
}

const path = () =>
  virtualPath()
    .transform((segments) => `/${segments.join('/')}`)
    .optional();

export const searchSchema = z.object({
  q: text().optional(),
  kind: oneOf(SEARCH_KINDS).default('everything'),
  time: oneOf(SEARCH_TIMES).default('any'),
  in: path(),
  from: path(),
  who: z.coerce.number().int().positive().optional(),
  group: oneOf(RESULT_GROUPS).optional(),
});

/** @param values checked */
export function searchQuery(values: z.infer<typeof searchSchema>): SearchQuery {
  return {
    words: values.q?.trim() ?? '',
    kind: values.kind,
    time: values.time,
    inside: values.in ?? null,
    from: values.from ?? null,
    personId: values.who ?? null,
    group: values.group ?? null,
  };
}

/** Whether anything but the words limits the results. */
export function isNarrow({ kind, time, inside, personId }: SearchQuery): boolean {
  return kind !== 'everything' || time !== 'any' || inside !== null || personId !== null;
}

export function withoutFilters(query: SearchQuery): SearchQuery {
  return { ...query, kind: 'everything', time: 'any', inside: null, personId: null, group: null };
}

/** An item, as filters need it. */
interface FilteredItem {
  readonly name: string;
  readonly isDir: boolean;
  /** Milliseconds since the epoch; null if unknown. */
  readonly changedAt: number | null;
  /** What the clock said when a photo or film was taken, in milliseconds as if it were UTC; null if it is none. */
  readonly takenAt: number | null;
}

/** Whether an item is of the kind and time searched for. @param now milliseconds since the epoch */
export function filterOf({ kind, time }: Pick<SearchQuery, 'kind' | 'time'>, now: number) {
  const types = kind === 'everything' ? null : TYPES[kind];
  const [least, next] = spanOf(time, now);
  const isWithin = (at: number | null) => at !== null && at >= (least ?? -Infinity) && at < (next ?? Infinity);
  return ({ name, isDir, changedAt, takenAt }: FilteredItem): boolean => {
    if (types !== null && !types.has(fileKind(name, isDir).type)) return false;
    if (least === null && next === null) return true;
    return isWithin(changedAt) || isWithin(takenAt === null ? null : momentOf(takenAt));
  };
}

/** The moment at which a clock of the household says something. @param local milliseconds as if it were UTC */
function momentOf(local: number): number {
  const at = new Date(local);
  const time = [at.getUTCHours(), at.getUTCMinutes(), at.getUTCSeconds(), at.getUTCMilliseconds()] as const;
  return new Date(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), ...time).getTime();
}

/** The first and the following millisecond; null for no limit. Years are those of the household's time zone. */
function spanOf(time: SearchTime, now: number): readonly [number | null, number | null] {
  const year = (ago: number) => new Date(new Date(now).getFullYear() - ago, 0).getTime();
  switch (time) {
    case 'any':
      return [null, null];
    case 'week':
      return [now - 7 * DAY, null];
    case 'month':
      return [now - 30 * DAY, null];
    case 'thisYear':
      return [year(0), null];
    case 'lastYear':
      return [year(1), year(0)];
    case 'earlier':
      return [null, year(1)];
  }
}

/** Photos, drawings and films have a group of their own, because they are shown as pictures. */
export function isPicture(type: FileType): boolean {
  return TYPES.photos.has(type);
}
