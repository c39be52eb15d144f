import { describe, expect, it } from 'vitest';
import { isInstalled } from '../../support/system/is-installed.ts';
import { syncRounds } from './sync-rounds.ts';

describe.runIf(isInstalled('nextcloudcmd'))('the desktop client on two computers', () => {
  const seed = Number(process.env.LARDER_SEED ?? 20_261_126);

  it(`agrees with the disk after each of two rounds of random edits (seed ${seed})`, async () => {
    const { complaints, gets, puts, history } = await syncRounds({ rounds: 2, seed });
    expect(complaints, history).toEqual([]);
    expect(gets).toBeGreaterThan(0);
    expect(puts).toBeGreaterThan(0);
  });
});
