import { expect } from 'vitest';
import { Random } from '../../model/random.ts';
import { openHousehold } from '../../support/households/household.ts';
import { corpus, mutate } from './corpus.ts';

const EXPECTED = ['200 ', '413 upload_too_large', '415 unsupported_media', '422 corrupt_file'];

/**
 * Sends damaged images to a server: every one is taken or refused by its name, and the server stands.
 * @returns how often each answer came
 */
export async function sendMutations(count: number, seed: number): Promise<Record<string, number>> {
  const household = await openHousehold();
  try {
    const api = await household.signIn();
    const whole = Object.entries(await corpus());
    const random = new Random(seed);
    const answers: Record<string, number> = {};
    for (let number = 0; number < count; number += 1) {
      const [kind, image] = random.pick(whole);
      const { status, body } = await api.send('PUT', '/api.php/account/avatar', { body: mutate(image, random) });
      const answer = `${status} ${body.code ?? ''}`;
      expect(EXPECTED, `${kind}, number ${number} of seed ${seed}`).toContain(answer);
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
    for (const [kind, image] of whole) {
      expect((await api.send('PUT', '/api.php/account/avatar', { body: image })).status, kind).toBe(200);
    }
    expect(household.logged()).not.toContain('unexpected failure');
    return answers;
  } finally {
    await household.close();
  }
}
