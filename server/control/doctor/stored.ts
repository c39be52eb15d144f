import { dirname, join } from 'node:path';
import type { Home } from '../../catalogue/homes.ts';
import { forgetLost } from '../../files/trash/forget-lost.ts';
import { larderCommand } from '../../lib/process/larder-command.ts';
import { t } from '../../messages/messages.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import { homeState, isPlain, namesIn } from '../../storage/inspect.ts';
import { areaIn, TRASHED_HOMES } from '../../storage/layout.ts';
import { type DoctorParts, type Finding, note, problem } from './parts.ts';
import { few, shown, shownPath } from './quoted-names.ts';
import { moveToRecovered, whileStill } from './recovered.ts';

type Kind = 'versions' | 'trash';

/** How many contents are moved while requests to the home wait. */
const BATCH_SIZE = 50;

/** A work area with the homes that share it: those inside the installation's folder share one. */
interface SharedArea {
  readonly kind: Kind;
  readonly folder: string;
  readonly homes: readonly Home[];
}

interface Row {
  readonly id: string;
  readonly itemId: number;
  readonly homeId: string;
  readonly name: string;
}

/** Differences between the disk and the rows. */
interface Disagreement {
  readonly lost: readonly Row[];
  /** Contents without a row. */
  readonly orphans: readonly string[];
  /** Remains of trees too deep to be erased at once; their deletion was requested. */
  readonly remains: readonly string[];
}

/** Checks that every row of a version or trash item has its content, and every content its row. */
export async function checkStored(parts: DoctorParts): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const area of await areasOf(parts)) {
    const first = await compare(parts, area);
    if (first === null) continue;
    // Requests continue during the check: what a second comparison does not find was in progress.
    const again = first.lost.length > 0 ? await compare(parts, area) : first;
    const stillLost = new Set(again?.lost.map(({ id }) => id));
    const lost = first.lost.filter(({ id }) => stillLost.has(id));
    if (lost.length > 0) found.push(lostContent(parts, area, lost));
    found.push(...(await orphanContents(parts, area, first.orphans)));
    for (const id of first.remains) found.push(remainsOfErased(area, id));
  }
  return found;
}

async function areasOf({ homes, layout, disk }: DoctorParts): Promise<SharedArea[]> {
  const sharing = new Map<string, Home[]>();
  for (const home of await homes.all()) {
    const area = dirname(home.area.incoming);
    // With its disk unavailable, the folder is not its work area, so nothing counts as lost.
    if (area === layout.larder || (await homeState(disk, home.homeRoot)) === 'ready')
      sharing.set(area, [...(sharing.get(area) ?? []), home]);
  }
  return [...sharing].flatMap(([area, homes]) =>
    (['versions', 'trash'] as const).map((kind) => ({ kind, folder: areaIn(area)[kind], homes })),
  );
}

const ROWS: Record<Kind, string> = {
  versions: `SELECT versions.id, item_id AS itemId, home_id AS homeId, name || ', version ' || versions.version AS name
    FROM versions JOIN items ON items.id = item_id WHERE home_id IN (SELECT value FROM json_each(?))`,
  trash: `SELECT trash.id, item_id AS itemId, home_id AS homeId, original_path AS name
    FROM trash JOIN items ON items.id = item_id WHERE home_id IN (SELECT value FROM json_each(?))`,
};

/**
 * Reads the disk first, then the journal, then the rows: a change is in the journal before it touches a content, and leaves it
 * together with the writing of the row.
 * @returns null when the area's disk is unavailable
 */
async function compare({ database }: DoctorParts, { kind, folder, homes }: SharedArea): Promise<Disagreement | null> {
  const found = await namesIn(folder);
  if (found === null) return null;
  // Whole homes are in the same folder as deleted items, but are checked as homes.
  const names = kind === 'trash' ? found.filter((name) => name !== TRASHED_HOMES) : found;
  const underWay = new Set((await database.all<{ data: string }>('SELECT data FROM journal')).flatMap(textsIn));
  const ids = JSON.stringify(homes.map((home) => home.id));
  const isUnderWay = (name: string) => underWay.has(name.replace(/(?:\.deep)+$/, ''));
  const rows = (await database.all<Row>(ROWS[kind], [ids])).filter(({ id }) => !isUnderWay(id));
  const present = new Set(names);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = names.filter((name) => !known.has(name) && !isUnderWay(name));
  const isRemains = (name: string) => /^[0-9A-Za-z]{16}(?:\.deep)+$/.test(name);
  return {
    lost: rows.filter(({ id }) => !present.has(id)),
    orphans: unknown.filter((name) => !isRemains(name)),
    remains: unknown.filter(isRemains),
  };
}

/** Every text in a journal entry of any kind: ids of contents are among them. */
function textsIn({ data }: { data: string }): string[] {
  const texts: string[] = [];
  try {
    JSON.parse(data, (_key, value) => {
      if (typeof value === 'string') texts.push(value);
      return value;
    });
  } catch {
    // In a damaged entry, everything between two quotes: whatever it may concern is left alone.
    texts.push(...data.split('"'));
  }
  return texts;
}

function lostContent(parts: DoctorParts, area: SharedArea, lost: readonly Row[]): Finding {
  const { kind, folder } = area;
  const names = few(lost.map(({ name }) => shown(name)));
  const facts = { kind, folder, names, count: lost.length };
  const text = t('api.doctor.contentLost', { ...facts, command: larderCommand() });
  return problem(text, () =>
    whileStill(parts, area.homes, async () => {
      const ids = new Set(lost.map(({ id }) => id));
      const still = ((await compare(parts, area))?.lost ?? []).filter(({ id }) => ids.has(id));
      await forgetLost(parts, area.kind, still);
      return t('api.doctor.contentForgotten', facts);
    }),
  );
}

/**
 * A content without a row may be the last copy of something, so it is never deleted here. It is moved into the home it must
 * belong to, visible to its owner. If several homes share the area, it stays, because it must not be shown to the wrong person.
 */
async function orphanContents(parts: DoctorParts, area: SharedArea, ids: readonly string[]): Promise<Finding[]> {
  const movable: string[] = [];
  const others: string[] = [];
  const [home] = area.homes;
  const isSomebodys = home !== undefined && area.homes.length === 1;
  for (const id of ids) (isSomebodys && (await isPlain(join(area.folder, id))) ? movable : others).push(id);
  const found: Finding[] = [];
  const facts = (some: readonly string[]) => ({ folder: area.folder, names: few(some.map(shown)) });
  if (others.length > 0) found.push(note(t('api.doctor.orphans', facts(others))));
  if (home !== undefined && movable.length > 0) {
    const text = t('api.doctor.straysMovable', {
      ...facts(movable),
      home: home.homeRoot.root,
      command: larderCommand(),
    });
    found.push(note(text, () => giveBack(parts, area, home, movable)));
  }
  return found;
}

async function giveBack(parts: DoctorParts, area: SharedArea, home: Home, ids: readonly string[]): Promise<string> {
  if ((await homeState(parts.disk, home.homeRoot)) !== 'ready') throw new Error(t('api.doctor.homeIsOffline'));
  const moved: string[][] = [];
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    await whileStill(parts, area.homes, async () => {
      const orphans = new Set((await compare(parts, area))?.orphans);
      for (const id of ids.slice(start, start + BATCH_SIZE)) {
        const label = `${area.kind === 'trash' ? 'deleted' : 'older version'} ${id}`;
        if (orphans.has(id)) moved.push(await moveToRecovered(parts, home, area.folder, id, label));
      }
    });
  }
  const folder = moved[0]?.slice(0, 1) ?? [];
  for (const segments of [[], folder]) await parts.catalogue.list(home, segments);
  const paths = few(moved.map(shownPath), moved.length);
  return t('api.doctor.straysMoved', { folder: area.folder, home: home.homeRoot.root, paths });
}

function remainsOfErased({ folder }: SharedArea, id: string): Finding {
  const path = join(folder, id);
  return note(t('api.doctor.remains', { path, command: larderCommand() }), async () => {
    await eraseStored(path);
    return t('api.doctor.remainsRemoved', { path });
  });
}
