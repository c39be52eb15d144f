import { it } from 'vitest';
import { readEmbeddedMutations } from './embedded-mutations.ts';

const COUNT = Number(process.env.LARDER_MUTATIONS ?? 10_000);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

it(`reads or refuses ${COUNT} damaged files, seed ${SEED}`, { timeout: 30 * 60_000 }, async () => {
  process.stdout.write(`${JSON.stringify(await readEmbeddedMutations(COUNT, SEED))}\n`);
});
