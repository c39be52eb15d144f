import { it } from 'vitest';
import { makeOfMutations } from './thumbnail-mutations.ts';

const COUNT = Number(process.env.LARDER_MUTATIONS ?? 10_000);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

it(`makes thumbnails of ${COUNT} damaged files, or returns a reason, seed ${SEED}`, {
  timeout: 60 * 60_000,
}, async () => {
  process.stdout.write(`${JSON.stringify(await makeOfMutations(COUNT, SEED))}\n`);
});
