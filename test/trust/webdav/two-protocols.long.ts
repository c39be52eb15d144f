import { afterEach, expect, it } from 'vitest';
import { TwoProtocols } from './two-protocols.ts';

const QUESTIONS = Number(process.env.LARDER_REQUESTS ?? 10_000);
/** Questions about one pair of trees: after many of them, little is left to ask about. */
const ROUND = 500;

let two: TwoProtocols | undefined;
afterEach(async () => {
  await two?.household.close();
  two = undefined;
});

it.each(Array.from({ length: Math.ceil(QUESTIONS / ROUND) }, (_, index) => index + 1))(
  'the API and WebDAV give the same answers, round %i',
  async (seed) => {
    two = await TwoProtocols.open(seed);
    const differences: string[] = [];
    for (let asked = 0; asked < ROUND; asked += 1) {
      const difference = await two.ask();
      if (difference !== null) differences.push(difference);
    }
    expect(differences).toEqual([]);
    const { api, dav } = await two.ends();
    expect(dav.entries).toEqual(api.entries);
    // What a program deletes to save a document comes back as the document.
    expect(api.deleted).toEqual(expect.arrayContaining([...dav.deleted]));
  },
);
