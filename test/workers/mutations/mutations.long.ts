import { it } from 'vitest';
import { sendMutations } from './mutations.ts';

const COUNT = Number(process.env.LARDER_MUTATIONS ?? 20_000);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

it(`accepts or refuses ${COUNT} damaged images, seed ${SEED}`, { timeout: 30 * 60_000 }, async () => {
  process.stdout.write(`${JSON.stringify(await sendMutations(COUNT, SEED))}\n`);
});
