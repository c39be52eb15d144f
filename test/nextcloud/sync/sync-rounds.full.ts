import { describe, expect, it } from 'vitest';
import { isInstalled } from '../../support/system/is-installed.ts';
import { killSyncRounds } from './kill-sync-rounds.ts';
import { syncRounds } from './sync-rounds.ts';

describe.runIf(isInstalled('nextcloudcmd'))('the desktop client on two computers', () => {
  const seed = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

  it(`agrees with the disk after each of twenty rounds of random edits (seed ${seed})`, async () => {
    const { complaints, refused, copies, history } = await syncRounds({ rounds: 20, seed });
    expect(complaints, history).toEqual([]);
    expect(refused).toBeGreaterThan(0);
    expect(copies).toBeGreaterThan(0);
  });

  it(`loses nothing when client and server are killed (seed ${seed})`, async () => {
    const { complaints, killed } = await killSyncRounds({ rounds: 5, seed });
    expect(complaints).toEqual([]);
    expect(killed.clients).toBeGreaterThan(0);
    expect(killed.servers).toBeGreaterThan(0);
  });
});
