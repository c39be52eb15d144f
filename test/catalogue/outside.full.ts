import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Random } from '../model/random.ts';
import { OutsideTree } from './outside-changes.ts';
import { caughtUp, type KeptFolder, openKeptFolder, type Row } from './support.ts';

/** Changes in total, half of them while the server is stopped. */
const CHANGES = 10_000;
const ROUNDS = 10;
const FOLDERS = 80;
const FILES = 4_000;

let kept: KeptFolder;
let tree: OutsideTree;

beforeAll(async () => {
  kept = await openKeptFolder();
  tree = new OutsideTree(kept.root, new Random(20_261_121));
});
afterAll(() => kept.close());

/** The recorded state of an item: which file it was, and its name and folder. */
interface Known {
  readonly token: string;
  readonly place: string;
}

function knownBy(rows: ReadonlyMap<string, Row>): Map<string, Known> {
  return new Map(
    [...rows].map(([path, { uuid }]) => [uuid, { token: tree.files.get(path) ?? '', place: placeOf(rows, path) }]),
  );
}

/** A name in a folder, whatever the folder's present name. */
function placeOf(rows: ReadonlyMap<string, Row>, path: string): string {
  const slash = path.lastIndexOf('/');
  const folder = slash < 0 ? 'the root' : rows.get(path.slice(0, slash))?.uuid;
  return `${folder}/${path.slice(slash + 1)}`;
}

/** Items whose uuid belonged to another file elsewhere before. */
function wronglyAttached(before: ReadonlyMap<string, Known>, rows: ReadonlyMap<string, Row>): string[] {
  return [...tree.files]
    .filter(([path, token]) => {
      const known = before.get(rows.get(path)?.uuid ?? '');
      return known !== undefined && known.token !== token && known.place !== placeOf(rows, path);
    })
    .map(([path]) => path);
}

describe('changes by other programs', () => {
  let [movedFiles, movedKept, others, othersKept] = [0, 0, 0, 0];

  beforeAll(async () => {
    await tree.grow(FOLDERS, FILES);
    await caughtUp(kept);
  });

  it.each(Array.from({ length: ROUNDS }, (_, round) => ({ round, seen: round % 2 === 0 })))(
    'attach no item to another file, round $round, with requests meanwhile: $seen',
    async ({ seen }) => {
      const before = knownBy(await caughtUp(kept));
      const uuids = new Map([...before].map(([uuid, { token }]) => [token, uuid]));
      tree.newRound();
      const changes = async () => {
        for (let count = 0; count < CHANGES / ROUNDS; count += 1) await tree.change();
      };
      if (seen) await changes();
      else await kept.whileStopped(changes);
      const rows = await caughtUp(kept);
      expect(wronglyAttached(before, rows)).toEqual([]);
      for (const [path, token] of tree.files) {
        const isKept = rows.get(path)?.uuid === uuids.get(token);
        if (tree.moved.has(token)) {
          movedFiles += 1;
          if (isKept) movedKept += 1;
        } else if (!tree.isTouched(token)) {
          others += 1;
          if (isKept) othersKept += 1;
        }
      }
    },
  );

  it('keep nearly all items that were moved or renamed, and all in folders that were', () => {
    expect(movedFiles).toBeGreaterThan(2_000);
    expect(movedKept / movedFiles).toBeGreaterThan(0.999);
    expect(others).toBeGreaterThan(5_000);
    expect(othersKept / others).toBeGreaterThan(0.999);
  });

  it('lose no row: one for every uuid, and none twice', async () => {
    const rows = await kept.database.all<{ count: number; distinct_count: number }>(
      'SELECT count(*) AS count, count(DISTINCT uuid) AS distinct_count FROM items',
    );
    expect(rows[0]?.count).toBe(rows[0]?.distinct_count);
  });
});
