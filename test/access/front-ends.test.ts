import { expect, it } from 'vitest';
import { frontEndNames } from '../support/front-end-names.ts';
import { BY_FRONT_END } from '../trust/access/front-end-access.ts';

it('every front end is asked for what belongs to others, or takes no item', async () => {
  expect(Object.keys(BY_FRONT_END).toSorted()).toEqual(await frontEndNames());
});
