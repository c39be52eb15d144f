import { it } from 'vitest';
import { unpackMutations } from './archive-mutations.ts';

const COUNT = Number(process.env.LARDER_MUTATIONS ?? 10_000);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

it(`extracts or refuses ${COUNT} damaged archives, seed ${SEED}`, { timeout: 30 * 60_000 }, async () => {
  process.stdout.write(`${JSON.stringify(await unpackMutations(COUNT, SEED))}\n`);
});
