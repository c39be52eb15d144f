import { describe, expect, it } from 'vitest';
import { killSyncRounds } from '../../nextcloud/sync/kill-sync-rounds.ts';
import { syncRounds } from '../../nextcloud/sync/sync-rounds.ts';
import { isInstalled } from '../../support/system/is-installed.ts';

const ROUNDS = Number(process.env.LARDER_ROUNDS ?? 500);
/** Rounds with kills: each takes as long as several others. */
const KILL_ROUNDS = Math.ceil(ROUNDS / 10);
const SEED = Number(process.env.LARDER_SEED ?? Math.floor(Math.random() * 0x1_0000_0000));

describe.runIf(isInstalled('nextcloudcmd'))('the desktop client of Nextcloud', () => {
  it(`agrees with the disk after each of ${ROUNDS} rounds of random edits`, { timeout: 3 * 3_600_000 }, async ({
    task,
  }) => {
    const report = await syncRounds({ rounds: ROUNDS, seed: SEED });
    const { gets, puts, refused, copies, forgotten, complaints, history } = report;
    task.meta.trust = {
      tried: `${ROUNDS} rounds, seed ${SEED}; ${puts} files sent and ${gets} received, ${refused} refused names, ${copies} conflicts, ${forgotten} files forgotten by the client`,
      found: `${complaints.length} complaints`,
    };
    expect(complaints, history).toEqual([]);
  });

  it(`loses nothing in ${KILL_ROUNDS} rounds in which client and server are killed`, {
    timeout: 3 * 3_600_000,
  }, async ({ task }) => {
    const { complaints, killed } = await killSyncRounds({ rounds: KILL_ROUNDS, seed: SEED });
    task.meta.trust = {
      tried: `${KILL_ROUNDS} rounds, seed ${SEED}; ${killed.clients} clients and ${killed.servers} servers killed`,
      found: `${complaints.length} complaints`,
    };
    expect(complaints).toEqual([]);
    expect(killed.clients).toBeGreaterThan(0);
    expect(killed.servers).toBeGreaterThan(0);
  });
});
