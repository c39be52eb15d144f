import { existsSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { describeInFull, itInFull, sampled } from '../../support/forms.ts';
import { hasOtherDisk, type Move, type Moves } from '../../support/households/two-homes.ts';
import { type BetweenCase, BetweenFaults, betweenCases } from './between-scenarios.ts';

type Chosen = readonly [name: string, point: string];

/** One of each kind; every case is in move-between.long.ts. */
const CUTS: Record<'outside' | 'other disk', readonly Chosen[]> = {
  outside: [
    ['a folder', 'files.between.rows'],
    ['a file', 'storage.linked'],
    ['over a file, with 1 versions', 'storage.move.kept-old'],
    ['over a file, with 20 versions', 'storage.move.named'],
    ['a folder', 'files.between.erase'],
  ],
  'other disk': [
    ['a folder', 'files.between.copied'],
    ['over a file, with 20 versions', 'storage.publish.kept-old'],
    ['over a file, with 0 versions', 'files.between.published'],
    ['a folder', 'storage.put-back.named'],
    ['a folder', 'storage.taken-out'],
    ['a folder', 'files.between.rows'],
  ],
};
const FULL: typeof CUTS = {
  outside: [
    ['a folder', 'files.between.brought'],
    ['over a file, with 20 versions', 'storage.move.kept-old'],
  ],
  'other disk': [
    ['a folder', 'storage.copy.flush'],
    ['a folder', 'files.between.take-out'],
    ['over a file, with 20 versions', 'files.between.take-out'],
    ['over a file, with 0 versions', 'files.between.taken'],
  ],
};

const named = (cases: readonly BetweenCase[]) => cases.map((one) => [one.name, one.point, one] as const);

describe.each(hasOtherDisk ? (['outside', 'other disk'] as const) : (['outside'] as const))(
  'a move into a home (%s)',
  (where) => {
    let faults: BetweenFaults;
    beforeAll(async () => {
      faults = await BetweenFaults.open(where);
    });
    afterAll(() => faults.close());

    it.each(named(betweenCases(sampled(CUTS[where], 3).map((one) => [where, ...one]))))(
      'of %s, cut at %s, is done completely or not at all',
      (_name, _point, one) => faults.failIn(one, 'kill'),
    );
    it.each(named(betweenCases(sampled(FULL[where], 1).map((one) => [where, ...one]))))(
      'of %s, with a full disk at %s, is done completely or not at all',
      (_name, _point, one) => faults.failIn(one, 'enospc'),
    );
  },
);

describeInFull.skipIf(!hasOtherDisk)('a move onto another disk', () => {
  let faults: BetweenFaults;
  beforeAll(async () => {
    faults = await BetweenFaults.open('other disk');
  });
  afterAll(() => faults.close());

  const at = (...names: string[]) => join(faults.two.roots.ann, 'trip', ...names);
  const there = (...names: string[]) => join(faults.two.roots.mia, 'from ann', 'trip', ...names);

  /** Moves, and does something at the moment when the mover stands at a point. */
  async function whilePausedAt(point: string, move: Move, meanwhile: () => Promise<void>) {
    const moves: Moves = {
      moves: [move],
      failPoints: `${faults.points};${point}=pause`,
      async meanwhile() {
        await expect.poll(() => existsSync(join(faults.points, `${point}.reached`))).toBe(true);
        await meanwhile();
        await writeFile(join(faults.points, `${point}.go`), '');
      },
    };
    return (await faults.two.move(moves))?.results[0];
  }

  itInFull('includes changes that are made while it copies', async () => {
    const { move } = await faults.prepare('a folder');
    const moved = await whilePausedAt('files.between.copied', move, async () => {
      await appendFile(at('doc.txt'), ' and more');
      await rename(at('deep', 'photo.jpg'), at('photo.jpg'));
      await mkdir(at('new', 'deep'), { recursive: true });
      await writeFile(at('new', 'deep', 'leaf.txt'), 'leaf');
      await writeFile(at('empty', 'no more'), '');
    });
    expect(moved).toHaveProperty('path');
    expect(await readFile(there('doc.txt'), 'utf8')).toBe('three and more');
    expect((await readdir(there(), { recursive: true })).sort()).toEqual(
      ['deep', 'doc.txt', 'empty', 'empty/no more', 'new', 'new/deep', 'new/deep/leaf.txt', 'photo.jpg'].sort(),
    );
    expect(await readdir(dirname(at()))).toEqual(['.larder-home']);
    await faults.two.expectAllWell();
    expect(await faults.seen()).not.toHaveProperty('ann./TRASH');
  });

  itInFull('keeps changes of the last moment in the trash', async () => {
    const { move } = await faults.prepare('a folder');
    await whilePausedAt('files.between.published', move, async () => {
      await writeFile(at('doc.txt'), 'changed');
      await writeFile(at('new.txt'), 'new');
    });
    expect(await readFile(there('doc.txt'), 'utf8')).toBe('three');
    await faults.two.expectAllWell();
    const api = faults.two.api('ann');
    const [left] = (await api.get('files/browse', { path: '/TRASH' })).body.data.files;
    expect((await api.post('files/trash/restore', { path: left.path })).body.data.path).toBe('/ROOT/HOME/trip');
    expect((await readdir(at(), { recursive: true })).sort()).toEqual(['doc.txt', 'new.txt']);
    expect(await readFile(at('doc.txt'), 'utf8')).toBe('changed');
    await faults.two.expectAllWell();
  });

  it.each(sampled(['ann', 'mia'] as const, 1))('that was interrupted waits for the disk of %s', async (person) => {
    const scenario = await faults.prepare('a folder');
    const before = JSON.stringify(await faults.seen());
    const root = faults.two.roots[person];
    await faults.moveFailing(scenario, 'files.between.published', 'kill', () => rename(root, `${root}.away`));
    expect(await faults.two.rows('SELECT kind FROM journal')).toEqual([{ kind: 'move-between' }]);
    expect(existsSync(person === 'ann' ? there('doc.txt') : at('doc.txt'))).toBe(true);
    await faults.two.household.whileStopped(() => rename(`${root}.away`, root));
    expect(await faults.two.rows('SELECT kind FROM journal')).toEqual([]);
    await faults.two.expectAllWell();
    expect(existsSync(at('doc.txt'))).toBe(false);
    expect(await readFile(there('doc.txt'), 'utf8')).toBe('three');
    await faults.two.moveOne({ from: ['mia', 'from ann', 'trip'], to: ['ann'] });
    expect(JSON.stringify(await faults.seen())).toBe(before);
  });

  it('that was interrupted, of items that changed since, leaves both copies unchanged', async () => {
    const scenario = await faults.prepare('a folder');
    const root = faults.two.roots.mia;
    await faults.moveFailing(scenario, 'files.between.published', 'kill', () => rename(root, `${root}.away`));
    await faults.two.api('ann').put({ filePath: '/ROOT/HOME/trip/doc.txt' }, 'four');
    await faults.two.household.whileStopped(() => rename(`${root}.away`, root));
    expect([await readFile(at('doc.txt'), 'utf8'), await readFile(there('doc.txt'), 'utf8')]).toEqual([
      'four',
      'three',
    ]);
    expect(await faults.seen()).toMatchObject({ ann: { 'trip/doc.txt': ['four', 4, '3: three', '2: two', '1: one'] } });
    await faults.two.expectAllWell();
  });
});
