import { type AccountCaller, rightsOf } from '../../../access/caller.ts';
import { isGranted } from '../../../access/rights.ts';
import { visibleAlbum } from '../../../albums/visible-albums.ts';
import { fitsName, letterRuns, nameQuery } from '../../../search/name-query.ts';
import { albumRows } from '../albums/list.ts';
import { type FilesPagesParts, orNotThere, type Row } from '../context.ts';
import type { SearchQuery } from './query.ts';

const KINDS: ReadonlySet<SearchQuery['kind']> = new Set(['everything', 'photos']);

/**
 * Photos and films, by their names, in albums that others share with someone, and what others added to the person's own albums.
 * Their place is the album. Those that the person reaches in another way as well are among them.
 */
export async function namedInAlbums(
  parts: FilesPagesParts,
  caller: AccountCaller,
  { words, kind, inside, personId }: SearchQuery,
): Promise<Row[]> {
  const named = nameQuery(words);
  if (named === null || inside !== null || !KINDS.has(kind) || !isGranted(rightsOf(caller), null, 'albums/list'))
    return [];
  const { account } = caller;
  const { albums } = parts.albumsContext;
  const all = [
    ...(await albums.of(account.id)).filter(({ isShared }) => isShared),
    ...(await albums.sharedWith(account.id)),
  ];
  // To know what an album shows takes longer than to know the names of its items.
  const ids = all.map(({ id }) => id);
  const [part = ''] = letterRuns(named);
  const fitting = (await albums.namesByOthers(ids, account.id, part)).filter(
    ({ nameFold, addedBy }) => fitsName(named, nameFold) && (personId === null || addedBy === personId),
  );
  const rows: Row[] = [];
  for (const { id, uuid } of all) {
    const items = new Set(fitting.flatMap(({ album, item }) => (album === id ? [item] : [])));
    const album = items.size === 0 ? null : await orNotThere(visibleAlbum(parts.albumsContext, caller, uuid));
    if (album === null) continue;
    const members = album.members.filter(({ item }) => items.has(item));
    const whole = { ...album, members, partsOf: new Map() };
    const found = await albumRows(parts, caller, whole, { start: 0, limit: members.length });
    rows.push(...found.map((row) => ({ ...row, folder: album.title })));
  }
  return rows;
}
