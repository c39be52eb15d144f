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
import { belowPrefix, parseDavPath, pathOfReference } from './address.ts';
import type { DavCall } from './context.ts';
import { type IfList, type IfState, isIfTrue, parseIf, submittedTokens } from './if-header.ts';
import { locate } from './locate.ts';

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
  /** Evaluates `If` again, with the path locked. @throws ApiError `precondition_failed` */
  readonly checkAgain: () => Promise<void>;
}

/** Evaluates the header `If` (RFC 4918 §10.4). @throws ApiError `precondition_failed`, `invalid_parameter` */
export async function checkIf(call: DavCall): Promise<IfChecked> {
  const { caller, request } = call;
  const conditions = preconditionsOf(request.headers, { isLenient: true });
  const header = request.headers.if;
  const lists = typeof header === 'string' ? parseIf(header) : [];
  const checkAgain = async () => {
    if (lists.length > 0 && !(await isIfTrue(lists, (resource) => stateOf(call, resource)))) throw failed();
  };
  await checkAgain();
  return {
    caller: { ...caller, lockTokens: submittedTokens(lists) },
    conditions: withTags(conditions, lists),
    checkAgain,
  };
}

function withTags(conditions: Preconditions | null, lists: readonly IfList[]): Preconditions | null {
  const [only, ...others] = lists;
  if (only === undefined || others.length > 0 || only.resource !== null) return conditions;
  const tags = only.conditions.flatMap(({ isNegated, etag }) => (isNegated || etag === undefined ? [] : [etag]));
  if (tags.length === 0 || (conditions?.ifMatch ?? null) !== null) return conditions;
  return { ifNoneMatch: conditions?.ifNoneMatch ?? null, ifMatch: tags, ifUnmodifiedSince: null };
}

async function stateOf(
  { context, caller, address, request }: DavCall,
  resource: string | null,
): Promise<IfState | null> {
  const { files, basePath } = context;
  const segments = resource === null ? address.segments : segmentsOf(resource);
  if (segments === null) return null;
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

  function segmentsOf(reference: string): readonly string[] | null {
    const path = pathOfReference(reference, request, context);
    const below = path === null ? null : belowPrefix(path, basePath);
    if (below === null) return null;
    try {
      return parseDavPath(below, basePath, caller).segments;
    } catch (error) {
      // Whether another account has such an item is answered like everywhere else.
      if (error instanceof ApiError && error.code !== 'not_found') return null;
      throw error;
    }
  }
}

function failed(): ApiError {
  return new ApiError('precondition_failed', t('api.requests.precondition'));
}
