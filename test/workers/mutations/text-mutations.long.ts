import { it } from 'vitest';
import { readMutations } from './text-mutations.ts';

const COUNT = Number(process.env.LARDER_MUTATIONS ?? 20_000);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

it(`reads or refuses ${COUNT} damaged documents, seed ${SEED}`, { timeout: 30 * 60_000 }, async () => {
  process.stdout.write(`${JSON.stringify(await readMutations(COUNT, SEED))}\n`);
});
