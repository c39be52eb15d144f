import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { WRITES } from '../../support/requests/writers.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

describe.each(Object.entries(WRITES))('%s', (how, write) => {
  it('in 200 rounds, exactly one of twenty writers with the same If-Match succeeds', async () => {
    const path = `/ROOT/HOME/${how}.txt`;
    await api.put({ path }, 'first');
    for (let round = 0; round < 200; round += 1) {
      const etag = String((await api.get('files/download', { path })).headers.etag);
      const texts = Array.from({ length: 20 }, (_, index) => `round ${round}, writer ${index}`);
      const replies = await Promise.all(texts.map((text) => write(api, path, text, { 'if-match': etag })));
      const done = replies.map(({ status }) => status);
      expect([done.filter((one) => one === 200).length, done.filter((one) => one === 412).length]).toEqual([1, 19]);
      expect((await api.get('files/download', { path })).text).toBe(texts[done.indexOf(200)]);
    }
  });
});
