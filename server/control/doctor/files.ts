import type { Home } from '../../catalogue/homes.ts';
import { compareFolder, type Differences } from '../../catalogue/reconcile/compare.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { listOf, t } from '../../messages/messages.ts';
import type { DiskListing } from '../../storage/disk/disk.ts';
import { StorageError } from '../../storage/errors.ts';
import { homeState } from '../../storage/inspect.ts';
import { NameFindings } from './names.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';
import { few, shownPath } from './quoted-names.ts';
import { foldersOf } from './walk.ts';

type Kind = keyof Differences;
const KINDS: readonly Kind[] = ['unknown', 'gone', 'changed'];
const EXAMPLES = 3;

/** Totals per home, with the first few paths. */
type Totals = Record<Kind, { count: number; paths: string[] }>;

/**
 * Checks every folder of every home for names that cannot be reached, and rows that differ from the disk. Differences are no
 * damage: other programs change files too, and listings update the rows. Homes on unavailable disks are skipped.
 */
export async function checkFiles(parts: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const home of await parts.homes.all()) {
    if ((await homeState(parts.disk, home.homeRoot)) === 'ready') found.push(...(await checkHome(parts, home)));
  }
  return found;
}

async function checkHome(parts: DoctorParts, home: Home): Promise<Finding[]> {
  const names = new NameFindings(home);
  const totals = noTotals();
  const unreadable: string[] = [];
  for await (const visited of foldersOf(parts, home)) {
    const { segments } = visited;
    if ('failure' in visited) unreadable.push(`${shownPath(segments)} (${visited.failure})`);
    else {
      const { undecodable } = await oddNames(parts, home, segments);
      names.add(segments, visited.listing.names, undecodable);
      addTo(totals, segments, await differences(parts, home, segments, visited.listing));
    }
  }
  const found = names.findings();
  if (unreadable.length > 0)
    found.push(
      problem(
        t('api.doctor.foldersUnreadable', {
          count: unreadable.length,
          home: home.homeRoot.root,
          folders: few(unreadable),
        }),
      ),
    );
  if (KINDS.some((kind) => totals[kind].count > 0)) found.push(differing(parts, home, totals));
  return found;
}

async function oddNames({ disk }: DoctorParts, { homeRoot }: Home, segments: readonly string[]) {
  return disk.run('oddNames', { homeRoot, segments }).catch((error) => {
    // It has disappeared since it was listed.
    if (error instanceof StorageError) return { undecodable: [] };
    throw error;
  });
}

/** A running upload changes the disk shortly before the rows, so differences are checked twice. */
async function differences(
  { database, disk }: DoctorParts,
  home: Home,
  segments: readonly string[],
  listing: DiskListing,
): Promise<Differences> {
  const first = await compareFolder(database, home.id, listing);
  if (KINDS.every((kind) => first[kind].length === 0)) return first;
  try {
    return await compareFolder(database, home.id, await disk.run('list', { homeRoot: home.homeRoot, segments }));
  } catch (error) {
    if (error instanceof StorageError) return { unknown: [], gone: [], changed: [] };
    throw error;
  }
}

function differing(parts: DoctorParts, home: Home, totals: Totals): Finding {
  const text = t('api.doctor.filesDiffer', {
    home: home.homeRoot.root,
    summary: summary(totals),
    command: larderCommand(),
  });
  return note(text, async () => {
    const done = await reconcileHome(parts, home);
    return t('api.doctor.filesReconciled', { home: home.homeRoot.root, summary: summary(done) });
  });
}

/**
 * Lists the folders that differ, as an app would, which updates the rows. Folders that lost items come first: a moved item is
 * then marked missing before it is found elsewhere, and keeps its identity.
 */
async function reconcileHome(parts: DoctorParts, home: Home): Promise<Totals> {
  const done = noTotals();
  for (const pass of ['gone', 'all'] as const) {
    for await (const visited of foldersOf(parts, home)) {
      if (!('listing' in visited)) continue;
      const { segments, listing } = visited;
      const differs = await compareFolder(parts.database, home.id, listing);
      const isDue = pass === 'gone' ? differs.gone.length > 0 : KINDS.some((kind) => differs[kind].length > 0);
      if (!isDue) continue;
      await parts.catalogue.list(home, segments).catch((error) => {
        if (!(error instanceof StorageError)) throw error;
      });
      addTo(done, segments, differs);
    }
  }
  return done;
}

function noTotals(): Totals {
  return { unknown: { count: 0, paths: [] }, gone: { count: 0, paths: [] }, changed: { count: 0, paths: [] } };
}

function addTo(totals: Totals, segments: readonly string[], differs: Differences): void {
  for (const kind of KINDS) {
    const total = totals[kind];
    total.count += differs[kind].length;
    for (const name of differs[kind].slice(0, EXAMPLES - total.paths.length))
      total.paths.push(shownPath([...segments, name]));
  }
}

function summary({ unknown, gone, changed }: Totals): string {
  const paths = (total: Totals[Kind]) => ({ count: total.count, paths: few(total.paths, total.count) });
  return listOf([
    unknown.count === 0 ? '' : t('api.doctor.filesNew', paths(unknown)),
    gone.count === 0 ? '' : t('api.doctor.filesGone', paths(gone)),
    changed.count === 0 ? '' : t('api.doctor.filesChanged', paths(changed)),
  ]);
}
