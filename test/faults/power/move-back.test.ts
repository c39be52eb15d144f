import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { hasOtherDisk, openTwoHomes } from '../../support/households/two-homes.ts';

it.runIf(hasOtherDisk)(
  'a move back keeps old contents while their removal from the first home is pending',
  async () => {
    const two = await openTwoHomes('other disk');
    const points = await mkdtemp(join(tmpdir(), 'larder-points-'));
    try {
      for (const content of ['first', 'second']) await two.api('ann').put({ path: '/ROOT/HOME/box.txt' }, content);
      await writeFile(join(two.roots.mia, 'other.txt'), 'other');
      const old = async (person: 'ann' | 'mia') =>
        (await two.api(person).get('files/download', { path: '/ROOT/HOME/box.txt', version: 1 })).text;
      expect(await old('ann')).toBe('first');
      const there = { as: 'ann', from: ['ann', 'box.txt'], to: ['mia'] } as const;
      const back = { as: 'ann', from: ['mia', 'box.txt'], to: ['ann'] } as const;
      // The disk fails when the first move frees what it has left behind.
      const moved = await two.move({ moves: [there, back], failPoints: `${points};files.between.erase=eio` });
      expect(moved?.results.map(({ path }) => path !== undefined)).toEqual([true, false]);
      expect(await old('mia')).toBe('first');
      await two.expectAllWell();
      expect((await two.move({ moves: [back] }))?.results[0]?.path).toBeDefined();
      expect(await old('ann')).toBe('first');
      await two.expectAllWell();
    } finally {
      await two.close();
      await rm(points, { recursive: true });
    }
  },
);
