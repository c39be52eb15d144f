import type { Response } from 'express';
import { z } from 'zod';
import { type AccountCaller, rightsOf } from '../../../access/caller.ts';
import { folderPermissions } from '../../../access/rights.ts';
import { ApiError } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { text, virtualPath } from '../../../http/request/parameters.ts';
import { sendJson } from '../../../http/response/envelope.ts';
import { bidiIsolate } from '../../../lib/text/bidi-isolate.ts';
import { readPassage } from '../../../listing/passage.ts';
import { t } from '../../../messages/messages.ts';
import { abilitiesIn } from '../abilities.ts';
import { breadcrumbsOf, listFolder, type NamedPath, rootsFor, segmentsOf } from '../context.ts';
import { showFiles } from '../frame.ts';
import type { PageRequest } from '../listing/page-request.ts';
import { reshareOf } from '../listing/shared-roots.ts';
import { findEverywhere } from './find.ts';
import { searchedWords } from './highlight.ts';
import { visiblePlaces } from './places.ts';
import { isNarrow, searchQuery, searchSchema, withoutFilters } from './query.ts';
import { searchMain } from './results.ts';

/** The search over everything that the caller may see. Without words: the empty search. */
export async function searchPage(response: Response, pageRequest: PageRequest): Promise<void> {
  const { parts, links, visitor, caller, isForScript } = pageRequest;
  const query = searchQuery(checkParameters(searchSchema, pageRequest.query));
  const { words } = query;
  const [roots, visible] = await Promise.all([rootsFor(parts, caller), visiblePlaces(parts.files, caller)]);
  const folder = await namedFolder(pageRequest, roots, query.inside ?? query.from);
  const found = words === '' ? null : await findEverywhere(parts, caller, visible, query);
  const isFruitless = found !== null && found.groups.length === 0 && isNarrow(query);
  const elsewhere = isFruitless ? await findEverywhere(parts, caller, visible, withoutFilters(query)) : null;
  const { account } = caller;
  const main = searchMain({
    links,
    assets: parts.assets,
    query,
    found,
    elsewhere,
    filters: { links, query, folder, sharers: visible.sharers, callerId: account.id },
    abilities: homeAbilities(caller),
    account,
    now: parts.clock.now(),
    icons: `${parts.basePath}/icons`,
  });
  const title = words === '' ? t('search.heading') : t('search.title', { words: bidiIsolate(words) });
  const page = { title, at: null, roots, main, isCompressed: true, search: query };
  await showFiles(parts, response, visitor, links, page, isForScript);
}

const passageQuery = z.object({ path: virtualPath(), q: text() });

/** The words around a hit by contents, for the script. */
export async function searchPassage(response: Response, { parts, caller, query }: PageRequest): Promise<void> {
  const { path, q } = checkParameters(passageQuery, query);
  const passage = await readPassage(parts.files, caller, path, searchedWords(q));
  sendJson(response, 200, { success: true, error: false, data: { account: caller.account.id, passage } });
}

/** The folder that a search is or may be limited to, by its name for the caller. Null if it is gone, or nothing is below it. */
async function namedFolder(
  { parts, caller }: Pick<PageRequest, 'parts' | 'caller'>,
  roots: readonly NamedPath[],
  path: string | null,
): Promise<NamedPath | null> {
  if (path === null || !isSearchable(path)) return null;
  const listed = await listFolder(parts, caller, segmentsOf(path), { limit: 1 }).catch((error) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  if (listed === null) return null;
  return (await breadcrumbsOf(parts, caller, roots, listed.meta)).at(-1) ?? null;
}

/** Whether there may be folders below a path: lists of items from everywhere have none. */
function isSearchable(path: string): boolean {
  return /^\/ROOT\/(?:HOME|\d+\/\d+)(?:\/|$)/.test(path);
}

/** What the caller may do with items of their own. */
function homeAbilities(caller: AccountCaller) {
  const own = folderPermissions(rightsOf(caller), null);
  const perms = { ...own, upload: false, replace: own.alter };
  return abilitiesIn(caller.account, { path: '', perms }, reshareOf(caller, null));
}
