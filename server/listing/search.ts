import { type Access, checkStillShared, type ItemTarget, virtualPathOf } from '../access/access.ts';
import { type AccountCaller, rightsOf } from '../access/caller.ts';
import type { ItemName } from '../access/item-name.ts';
import { type FileAction, permit, permitInShare } from '../access/rights.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { Catalogue } from '../catalogue/catalogue.ts';
import { knownItem } from '../catalogue/find.ts';
import type { Home } from '../catalogue/homes.ts';
import { entryOf, FILES_ROOT, rootId } from '../catalogue/items.ts';
import type { FilesDatabase } from '../database/database.ts';
import type { Definitions } from '../fields/definitions.ts';
import { ApiError, invalidParameter } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import { t } from '../messages/messages.ts';
import { findByContents } from '../search/find-by-contents.ts';
import { findByCriteria } from '../search/find-by-criteria.ts';
import { findByName, type Hits, type SearchFolder } from '../search/find-by-name.ts';
import { nameQuery } from '../search/name-query.ts';
import type { Disk } from '../storage/disk/disk.ts';
import { StorageError } from '../storage/errors.ts';
import { type DetailKey, describe } from './details.ts';
import { type BrowseContext, factsIn, type Listing, metaOf, withRowFacts } from './listing.ts';
import { actionsFor, checkedMeta, criteriaFor } from './meta-search.ts';

export interface SearchContext {
  readonly access: Access;
  readonly disk: Disk;
  readonly catalogue: Catalogue;
  readonly database: FilesDatabase;
  readonly clock: Clock;
  readonly locked: BrowseContext['locked'];
  readonly links: BrowseContext['links'];
  readonly commentCounts: BrowseContext['commentCounts'];
  readonly thumbnails: BrowseContext['thumbnails'];
  readonly labels: BrowseContext['labels'];
  readonly definitions: () => Promise<Definitions>;
}

export interface SearchOptions {
  readonly filename?: string | undefined;
  readonly contents?: string | undefined;
  /** The id of a file type. */
  readonly metatype?: number | undefined;
  /** Keywords by the ids of fields, or `tag`, `rating`, `label`, `comment`, or `-` for any field. */
  readonly meta?: ReadonlyMap<string, readonly string[]> | undefined;
  readonly details: readonly DetailKey[];
  /** Links begin with it; see `BrowseOptions`. */
  readonly address: string;
  readonly limit: number;
  /** Further conditions, for the server's own pages. */
  readonly fits?: SearchFolder['fits'];
  /** What `findInPlaces` found there, instead of a search. */
  readonly known?: Hits | undefined;
  /** Whether the path may be that of a file, which then is all that is searched. */
  readonly orFile?: boolean;
}

/**
 * Files and folders below a folder, by name or by the words in them (§4.2). The catalogue is searched; the disk is asked only
 * whether the folder exists.
 * @throws ApiError `not_found`, also for a file; `invalid_path` for a list; `storage_offline`; `missing_parameter` without search
 * terms; `permission_denied`, `invalid_parameter`
 */
export async function search(
  context: SearchContext,
  caller: AccountCaller,
  named: ItemName,
  {
    filename = '',
    contents = '',
    metatype,
    meta: given = new Map(),
    details,
    address,
    limit,
    fits,
    orFile = false,
    known,
  }: SearchOptions,
): Promise<Listing> {
  const action = contents === '' ? 'files/search' : 'files/search:contents';
  const meta = checkedMeta(given);
  const actions: [FileAction, ...FileAction[]] = [action, ...actionsFor(meta)];
  for (const one of actions) permit(rightsOf(caller), one);
  const isDescribed = metatype !== undefined || meta.size > 0;
  if (contents !== '' && (filename !== '' || isDescribed)) {
    throw invalidParameter('contents', t('api.search.contentsAlone'));
  }
  if (filename === '' && contents === '' && !isDescribed) {
    throw new ApiError('missing_parameter', t('api.search.missingCriterion'), { details: { parameter: 'filename' } });
  }
  const definitions = isDescribed ? await context.definitions() : null;
  const { target, folder } = await searchedFolder(context, caller, named, actions, { fits, orFile });
  // The folder must exist, whatever was found.
  const [{ hits: all, isCut }] = await Promise.all([
    known ?? findHits(context, folder, { filename, contents, metatype, meta, definitions }, limit),
    folder.itemId,
  ]);
  await checkStillShared(target);
  // What was found before may have moved with its folder since.
  const hits = known === undefined ? all : all.filter(({ segments }) => isBelow(segments, target.segments));
  const facts = await withRowFacts(
    context,
    await factsIn(context, caller, target, { details, address }),
    hits.map(({ item }) => item),
  );
  const now = context.clock.now();
  return {
    meta: { ...metaOf(target, rightsOf(caller)), truncated: isCut },
    files: hits.map(({ item, segments: found }) =>
      describe({ item, entry: entryOf(item), path: virtualPathOf(target, found), facts }, details, now),
    ),
  };
}

interface SearchTerms {
  readonly filename: string;
  readonly contents: string;
  readonly metatype?: number | undefined;
  /** Checked. */
  readonly meta: ReadonlyMap<string, readonly string[]>;
  /** Of fields and file types; null without terms that refer to them. */
  readonly definitions: Definitions | null;
}

/** What is in a folder by its terms alone: it checks no rights. @throws ApiError `invalid_parameter`, before it waits for anything */
export async function findHits(
  context: Pick<SearchContext, 'database'>,
  folder: SearchFolder,
  { filename, contents, metatype, meta, definitions }: SearchTerms,
  limit: number,
): Promise<Hits> {
  // On the connection for long reads.
  const aside = { all: context.database.allAside };
  if (contents !== '') return findByContents(aside, folder, contents, limit);
  if (definitions === null) return findByName(aside, folder, filename, limit);
  const query = filename === '' ? null : nameQuery(filename);
  const criteria = criteriaFor(aside, folder.homeId, definitions, { query, metatype, meta });
  // No name can match it.
  if (filename !== '' && query === null) return { hits: [], isCut: false };
  return findByCriteria(aside, folder, criteria, query, limit);
}

const isBelow = (segments: readonly string[], folder: readonly string[]) =>
  folder.every((name, index) => segments[index] === name);

/**
 * The folder that a request names, for callers who may do all of the actions there. Its row may still be looked up.
 * @throws ApiError `not_found`, also for a file; `invalid_path`, `storage_offline`, `permission_denied`
 */
export async function searchedFolder(
  context: SearchContext,
  caller: AccountCaller,
  named: ItemName,
  actions: readonly [FileAction, ...FileAction[]],
  { fits, orFile = false }: Pick<SearchOptions, 'fits' | 'orFile'> = {},
): Promise<{ readonly target: ItemTarget; readonly folder: SearchFolder }> {
  for (const action of actions) permit(rightsOf(caller), action);
  const target = await context.access.resolveItem(caller, named, actions[0]);
  for (const action of actions) permitInShare(target.share, action);
  const { home, segments } = target;
  const itemId = onStorage(() => searchedId(context, home, segments, orFile));
  // A folder may have to be reconciled before it is searched.
  if (segments.length > 0) await itemId;
  return { target, folder: { homeId: home.id, itemId, isPart: segments.length > 0, fits } };
}

/** The row of the folder to search, or of a file, which exists now. Read-only, even if the folder changes meanwhile. */
async function searchedId(
  { disk, database, catalogue }: SearchContext,
  home: Home,
  segments: readonly string[],
  orFile: boolean,
): Promise<number> {
  const { id: homeId, homeRoot } = home;
  if (segments.length > 0) await catalogue.ensureItemRow(home, segments);
  const found = await disk.run('stat', { homeRoot, segments });
  if (segments.length === 0) return rootId(database, homeId, FILES_ROOT);
  const item = found.entry.isDir || orFile ? await knownItem(database, homeId, found) : null;
  if (item === null) throw new StorageError('not-found');
  return item.id;
}
