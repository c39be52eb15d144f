import type { IncomingHttpHeaders } from 'node:http';
import { t } from '../../messages/messages.ts';
import { ApiError, invalidParameter } from '../errors.ts';
import { httpDate } from './http-date.ts';

/** The entity tags of a condition (RFC 9110 §8.8.3) as sent; `*` matches any existing file. */
type EntityTags = '*' | readonly string[];

/** The conditions of RFC 9110 §13.1 that a request to change something can carry. */
export interface Preconditions {
  readonly ifMatch: EntityTags | null;
  readonly ifNoneMatch: EntityTags | null;
  /** Milliseconds since the epoch. */
  readonly ifUnmodifiedSince: number | null;
}

/** What a condition is about. */
interface CurrentState {
  /** Strong, with its quotes; null for what has none. */
  readonly etag: string | null;
  /** Milliseconds since the epoch. */
  readonly mtime: number;
  /** Whether the caller may learn the tag: only one who may read the content. */
  readonly isTagVisible: boolean;
}

/** The headers that `preconditionsOf` reads. If-Modified-Since is for GET and HEAD only (RFC 9110 §13.1.3). */
export const CONDITION_HEADERS = ['If-Match', 'If-None-Match', 'If-Unmodified-Since'] as const;

/** For the description of an operation that honours them. */
export const CONDITIONS =
  '`If-Match`, `If-None-Match` and `If-Unmodified-Since` are evaluated against the item at the moment of the change; `precondition_failed` has its current tag in `details.etag`.';

/**
 * The conditions of a request that changes something; null when it has none.
 * @param isLenient whether an If-None-Match that is no list of tags counts as one tag without its quotes: programs send such a text,
 * which no tag is equal to, to keep their library from sending one of its cache
 * @throws ApiError `invalid_parameter`: a condition that cannot be parsed protects nothing
 */
export function preconditionsOf(headers: IncomingHttpHeaders, { isLenient = false } = {}): Preconditions | null {
  const ifMatch = tagsOf(headers, 'If-Match');
  const ifNoneMatch = tagsOf(headers, 'If-None-Match', isLenient);
  // RFC 9110 §13.1.4: it does not count beside If-Match, or when it is no date.
  const ifUnmodifiedSince = ifMatch === null ? httpDate(headers['if-unmodified-since'] ?? '') : null;
  return ifMatch === null && ifNoneMatch === null && ifUnmodifiedSince === null
    ? null
    : { ifMatch, ifNoneMatch, ifUnmodifiedSince };
}

function tagsOf(
  headers: IncomingHttpHeaders,
  name: 'If-Match' | 'If-None-Match',
  isLenient = false,
): EntityTags | null {
  const field = headers[name === 'If-Match' ? 'if-match' : 'if-none-match'];
  if (field === undefined) return null;
  const tags = entityTags(field) ?? (isLenient ? [`"${field.trim()}"`] : null);
  if (tags === null) throw invalidParameter(name, t('api.parameters.entityTags', { header: name }));
  return tags;
}

/** One member of a list, which may be empty (RFC 9110 §5.6.1). */
const MEMBER = /[ \t]*((?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")?[ \t]*(?:,|$)/y;

/** A tag may hold commas. @returns null for what is no list of tags */
function entityTags(field: string): EntityTags | null {
  if (field.trim() === '*') return '*';
  const tags: string[] = [];
  for (let at = 0; at < field.length; ) {
    MEMBER.lastIndex = at;
    const member = MEMBER.exec(field);
    // It matches an empty text only at the end, so every iteration makes progress.
    if (member === null || MEMBER.lastIndex === at) return null;
    if (member[1] !== undefined) tags.push(member[1]);
    at = MEMBER.lastIndex;
  }
  return tags.length > 0 ? tags : null;
}

/**
 * In the order of RFC 9110 §13.2.2.
 * @param current null when the file does not exist
 * @throws ApiError `precondition_failed` with `details.etag`: the current tag, or null
 */
export function checkPreconditions(
  { ifMatch, ifNoneMatch, ifUnmodifiedSince }: Preconditions,
  current: CurrentState | null,
): void {
  if (ifMatch !== null) {
    if (!matchesStrongly(ifMatch, current)) throw failed(current);
  } else if (ifUnmodifiedSince !== null && current !== null && wholeSeconds(current.mtime) > ifUnmodifiedSince) {
    throw failed(current);
  }
  if (ifNoneMatch !== null && matchesWeakly(ifNoneMatch, current)) throw failed(current);
}

/** RFC 9110 §13.1.1. */
function matchesStrongly(tags: EntityTags, current: CurrentState | null): boolean {
  if (current === null) return false;
  return tags === '*' || (current.etag !== null && tags.includes(current.etag));
}

/** RFC 9110 §13.1.2. */
function matchesWeakly(tags: EntityTags, current: CurrentState | null): boolean {
  if (current === null) return false;
  return tags === '*' || tags.some((tag) => tag.replace(/^W\//, '') === current.etag);
}

/** A time as HTTP dates state it. @param time milliseconds since the epoch */
export function wholeSeconds(time: number): number {
  return Math.floor(time / 1000) * 1000;
}

function failed(current: CurrentState | null): ApiError {
  return new ApiError('precondition_failed', t('api.requests.precondition'), {
    details: { etag: current?.isTagVisible === true ? current.etag : null },
  });
}
