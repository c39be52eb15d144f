import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';

/** One condition: a lock token, or an entity tag with its quotes. */
interface IfCondition {
  readonly isNegated: boolean;
  readonly token?: string;
  readonly etag?: string;
}

/** One list: all of its conditions have to hold. */
export interface IfList {
  /** The reference before the list; null for the resource of the request. */
  readonly resource: string | null;
  readonly conditions: readonly IfCondition[];
}

/** Lists of one header: a longer one is an attack. */
const MAX_LISTS = 100;

const RESOURCE = /\s*<([^<>\s]+)>/y;
const LIST_START = /\s*\(/y;
const LIST_END = /\s*\)/y;
const CONDITION = /\s*(?:(not)\s+|(not)(?=[<[]))?(?:<([^<>\s]+)>|\[((?:W\/)?"[^"]*")\])/iy;

/**
 * Parses the header `If` (RFC 4918 §10.4): lists without tags, or lists after the resource that they are about.
 * @throws ApiError `invalid_parameter`: a condition that cannot be read protects nothing
 */
export function parseIf(header: string): IfList[] {
  const lists: IfList[] = [];
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(header);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  let resource: string | null = null;
  let isTagged = false;
  while (header.slice(at).trim() !== '') {
    const tag = take(RESOURCE);
    // Both forms cannot be mixed.
    if (tag !== null && lists.length > 0 && !isTagged) throw malformed();
    if (tag !== null) [resource, isTagged] = [tag[1] ?? '', true];
    const before = lists.length;
    while (take(LIST_START) !== null) {
      const conditions: IfCondition[] = [];
      for (let match = take(CONDITION); match !== null; match = take(CONDITION)) {
        const [, negated, alsoNegated, token, etag] = match;
        const isNegated = (negated ?? alsoNegated) !== undefined;
        conditions.push(token === undefined ? { isNegated, etag: etag ?? '' } : { isNegated, token });
      }
      if (conditions.length === 0 || take(LIST_END) === null || lists.length >= MAX_LISTS) throw malformed();
      lists.push({ resource, conditions });
    }
    if (lists.length === before) throw malformed();
  }
  if (lists.length === 0) throw malformed();
  return lists;
}

/** Every token in the header is submitted, whatever its list says (RFC 4918 §10.4.1). */
export function submittedTokens(lists: readonly IfList[]): Set<string> {
  return new Set(
    lists.flatMap(({ conditions }) => conditions.flatMap(({ token }) => (token === undefined ? [] : [token]))),
  );
}

/** What a list is about, at present. */
export interface IfState {
  /** The tokens of the locks that protect the resource. */
  readonly tokens: ReadonlySet<string>;
  /** Of its content; null for a folder, and for what does not exist. */
  readonly etag: string | null;
}

/** @param stateOf the state of a resource; null for a reference to another server */
export async function isIfTrue(
  lists: readonly IfList[],
  stateOf: (resource: string | null) => Promise<IfState | null>,
): Promise<boolean> {
  for (const { resource, conditions } of lists) {
    const state = await stateOf(resource);
    const holds = ({ isNegated, token, etag }: IfCondition) => {
      const isMet = token === undefined ? state?.etag === etag : state?.tokens.has(token) === true;
      return isMet !== isNegated;
    };
    if (conditions.every(holds)) return true;
  }
  return false;
}

function malformed(): ApiError {
  return new ApiError('invalid_parameter', t('api.webdav.ifHeader'), { details: { parameter: 'If' } });
}
