import { expect, it } from 'vitest';
import { frontEndNames } from '../support/front-end-names.ts';
import { BY_FRONT_END } from '../trust/access/front-end-access.ts';

it('every front end has access tests, or accepts no item', async () => {
  expect(Object.keys(BY_FRONT_END).toSorted()).toEqual(await frontEndNames());
});
