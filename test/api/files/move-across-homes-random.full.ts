import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Random } from '../../model/random.ts';
import {
  type Move,
  openTwoHomes,
  type Person,
  PLACES,
  seenBy,
  type TwoHomes,
  uuidsOf,
} from '../../support/households/two-homes.ts';

const ROUNDS = 3;
const MOVES = 8;
const FOLDERS = ['a', 'b', 'a/b', 'a/c', 'b/a'];
const asked = process.env.LARDER_SEED;
const seed = asked === undefined ? Math.floor(Math.random() * 0x1_0000_0000) : Number(asked);

/** Files created through the API, some of them with versions, and by hand. */
async function plant(two: TwoHomes, random: Random, person: Person): Promise<void> {
  for (const folder of FOLDERS)
    if (random.chance(0.6)) await mkdir(join(two.roots[person], folder), { recursive: true });
  for (let index = 0; index < 6; index += 1) {
    const path = `${random.pick(FOLDERS)}/${random.pick(['x.txt', 'y.pdf', 'z.jpg'])}`;
    if (random.chance(0.3)) {
      await mkdir(join(two.roots[person], path, '..'), { recursive: true });
      await writeFile(join(two.roots[person], path), `by hand ${random.below(1_000)}`).catch(() => undefined);
    } else
      await two.api(person).put({ filePath: `/ROOT/HOME/${path}` }, `${person} ${'x'.repeat(random.below(2_000))}`);
  }
}

/** Everything in the homes, by uuid, regardless of name and path. */
async function things(two: TwoHomes): Promise<Map<string, unknown>> {
  const found = new Map<string, unknown>();
  for (const person of ['ann', 'mia'] as const) {
    const [seen, uuids] = [await seenBy(two, person), await uuidsOf(two, person)];
    for (const [path, uuid] of Object.entries(uuids)) found.set(uuid, seen[path]);
  }
  return found;
}

describe.each(PLACES)('random trees moving between a home and one that is %s', (where) => {
  it('stay unchanged, and rows, quotas and disks agree', async () => {
    const two = await openTwoHomes(where);
    const random = new Random(seed);
    let moved = 0;
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const person of ['ann', 'mia'] as const) await plant(two, random, person);
        const before = await things(two);
        const move = (): Move => {
          const [from, to] = random.chance(0.5) ? (['ann', 'mia'] as const) : (['mia', 'ann'] as const);
          const source = random.pick([...FOLDERS, 'a/x.txt', 'b/x.txt', 'a/b/y.pdf', 'a/b/a/x.txt']).split('/');
          const target = random
            .pick(['', ...FOLDERS])
            .split('/')
            .filter(Boolean);
          return { as: random.pick(['ann', 'mia']), from: [from, ...source], to: [to, ...target] };
        };
        const moves = Array.from({ length: MOVES }, () => (random.chance(0.3) ? [move(), move(), move()] : move()));
        const reconciler = random.chance(0.5);
        const results = (await two.move({ moves, reconciler }))?.results ?? [];
        moved += results.filter(({ path }) => path !== undefined).length;
        for (const { code } of results)
          expect([undefined, 'not_found', 'already_exists', 'conflict'], `seed ${seed}`).toContain(code);
        expect(new Map([...(await things(two))].sort()), `seed ${seed}`).toEqual(new Map([...before].sort()));
        await two.expectAllWell();
      }
      expect(moved, `seed ${seed}`).toBeGreaterThan(ROUNDS);
    } finally {
      await two.close();
    }
  });
});
