import type { AccountCaller } from '../access/caller.ts';
import { onStorage } from '../access/storage-failure.ts';
import { tagReader } from '../access/tag-reader.ts';
import { folderTagAt } from '../catalogue/folder-tags.ts';
import { contentTag } from '../files/content-tag.ts';
import { covers, locksIn } from '../files/locks/lock-record.ts';
import { ApiError } from '../http/errors.ts';
import { type Preconditions, preconditionsOf } from '../http/request/preconditions.ts';
import { t } from '../messages/messages.ts';
import { nullIfGone } from '../storage/errors.ts';
import { belowPrefix, parseDavPath, parseTreePath, pathOfReference, treeAt } from './address.ts';
import type { DavCall } from './context.ts';
import { type IfList, type IfState, isIfTrue, parseIf, submittedTokens } from './if-header.ts';
import { locate } from './locate.ts';

type Asking = Pick<DavCall, 'context' | 'caller' | 'request'>;

const NOTHING: IfState = { tokens: new Set(), etag: null };

/** A request whose header `If` was true. */
interface IfChecked {
  /** With the submitted tokens. */
  readonly caller: AccountCaller;
  /**
   * The conditions of the request for a method that evaluates them with the path locked: those of RFC 9110, and the entity tags of
   * `If` where it has a single list about the resource of the request.
   */
  readonly conditions: Preconditions | null;
  /**
   * Evaluates `If` again, with the path locked.
   * @param replaced the names of what this request has moved to the trash since: it, and the folders above it, whose tags have changed
   * with that, count as they were at the evaluation before
   * @throws ApiError `precondition_failed`
   */
  readonly checkAgain: (replaced?: readonly string[]) => Promise<void>;
}

/** Evaluates the header `If` (RFC 4918 §10.4). @throws ApiError `precondition_failed`, `invalid_parameter` */
export async function checkIf(call: DavCall): Promise<IfChecked> {
  const { caller, request } = call;
  const conditions = preconditionsOf(request.headers, { isLenient: true });
  const header = request.headers.if;
  const lists = typeof header === 'string' ? parseIf(header) : [];
  const before = new Map<string | null, IfState | null>();
  const checkAgain = async (replaced?: readonly string[]) => {
    const stateNow = async (resource: string | null) => {
      const segments = resource === null ? call.address.segments : segmentsOf(resource, call);
      if (segments !== null && replaced !== undefined && areOnOnePath(segments, replaced)) {
        return before.get(resource) ?? null;
      }
      const state = segments === null ? null : await stateOf(call, segments);
      before.set(resource, state);
      return state;
    };
    if (lists.length > 0 && !(await isIfTrue(lists, stateNow))) throw failed();
  };
  await checkAgain();
  return {
    caller: { ...caller, lockTokens: submittedTokens(lists) },
    conditions: withTags(conditions, lists),
    checkAgain,
  };
}

/** Whether one of two paths leads to the other. */
function areOnOnePath(some: readonly string[], others: readonly string[]): boolean {
  return some.every((name, index) => index >= others.length || others[index] === name);
}

function withTags(conditions: Preconditions | null, lists: readonly IfList[]): Preconditions | null {
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0 || only.resource !== null) return conditions;
  const tags = only.conditions.flatMap(({ isNegated, etag }) => (isNegated || etag === undefined ? [] : [etag]));
  if (tags.length === 0 || (conditions?.ifMatch ?? null) !== null) return conditions;
  return { ifNoneMatch: conditions?.ifNoneMatch ?? null, ifMatch: tags, ifUnmodifiedSince: null };
}

async function stateOf({ context, caller }: DavCall, segments: readonly string[]): Promise<IfState> {
  const { files } = context;
  try {
    const place = await locate(context, caller, segments);
    if (place.kind === 'list') return NOTHING;
    const target = await files.access.resolveItem(caller, place.path, 'files/browse');
    const locks = (await locksIn(files, target.home.id)).filter((lock) => covers(lock, target));
    const tokens = new Set(locks.flatMap(({ token }) => (token === null ? [] : [token])));
    const { home } = target;
    const found = await onStorage(() =>
      files.disk.run('stat', { homeRoot: home.homeRoot, segments: target.segments }).catch(nullIfGone),
    );
    if (found === null) return { tokens, etag: null };
    if (found.entry.isDir) {
      const reader = tagReader(caller.account, target.share);
      return { tokens, etag: await folderTagAt(files.database, reader, home.id, target.segments) };
    }
    const { etag, isProven } = await onStorage(() => contentTag(files, home, found));
    return { tokens, etag: isProven ? etag : null };
  } catch (error) {
    // What the caller may not know of is in no state.
    if (error instanceof ApiError && error.status < 500) return NOTHING;
    throw error;
  }
}

/**
 * The names below the address of WebDAV; null for what is no file here.
 * @throws ApiError `not_found` for what is of another account
 */
function segmentsOf(reference: string, { context, caller, request }: Asking): readonly string[] | null {
  const path = pathOfReference(reference, request, context);
  const below = path === null ? null : belowPrefix(path, context.basePath);
  if (below === null) return null;
  try {
    if (treeAt(below) === undefined) return parseDavPath(below, context.basePath, caller).segments;
    parseTreePath(below, context.basePath, caller);
    return null;
  } catch (error) {
    // Whether another account has such an item is answered like everywhere else.
    if (error instanceof ApiError && error.code !== 'not_found') return null;
    throw error;
  }
}

/**
 * The lock tokens that the header `If` submits, for a request about what is no file of WebDAV: its conditions mean nothing there.
 * @throws ApiError `not_found` for a tag with the address of another account, `invalid_parameter`
 */
export function tokensSubmitted(asking: Asking): ReadonlySet<string> {
  const header = asking.request.headers.if;
  const lists = typeof header === 'string' ? parseIf(header) : [];
  for (const { resource } of lists) if (resource !== null) segmentsOf(resource, asking);
  return submittedTokens(lists);
}

function failed(): ApiError {
  return new ApiError('precondition_failed', t('api.requests.precondition'));
}
