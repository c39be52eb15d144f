import { afterAll, beforeAll, describe, it } from 'vitest';
import { PowerCuts } from '../support.ts';
import { allCases, cutIn, failIn } from './run-scenario.ts';

let cuts: PowerCuts;
beforeAll(async () => {
  cuts = await PowerCuts.open();
});
afterAll(() => cuts.close());

const named = allCases.map((one) => [one.scenario.name, one.point, one.outcome, one] as const);

describe('a power cut', () => {
  it.each(named)('during: %s, at %s, leaves the state %s it', (_name, _point, _outcome, one) => cutIn(cuts, one));

  it.each(named.filter(([, point]) => /kept-old|\.named/.test(point)))(
    'on a disk without hard links during: %s, at %s, leaves the state %s it',
    (_name, _point, _outcome, one) => cutIn(cuts, { ...one, more: 'storage.link=eperm' }),
  );
});

describe('a disk that is full', () => {
  it.each(named)('during: %s, at %s, leaves the state %s it', (_name, _point, _outcome, one) =>
    failIn(cuts, one, 'enospc'),
  );
});

describe('a disk that fails', () => {
  it.each(named)('during: %s, at %s, leaves the state %s it', (_name, _point, _outcome, one) =>
    failIn(cuts, one, 'eio'),
  );
});
