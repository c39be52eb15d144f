import { afterAll, beforeAll, describe, it } from 'vitest';
import { PLACES } from '../../support/households/two-homes.ts';
import { allBetween, BetweenFaults } from './between-scenarios.ts';

describe.each(PLACES)('a move into a home (%s)', (where) => {
  let faults: BetweenFaults;
  beforeAll(async () => {
    faults = await BetweenFaults.open(where);
  });
  afterAll(() => faults.close());

  const cases = allBetween.filter((one) => one.where === where).map((one) => [one.name, one.point, one] as const);
  for (const action of ['kill', 'enospc', 'eio'] as const) {
    it.each(cases)(`of %s, with ${action} at %s, is done completely or not at all`, (_name, _point, one) =>
      faults.failIn(one, action),
    );
  }
});
