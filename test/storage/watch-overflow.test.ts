import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { watchFolders } from '../../dist/server/storage/watch/watch-folders.js';
import { WatchAllowance, WatchOverflow } from '../../dist/server/storage/watch/watch-limits.js';

/** @param count of events within one turn of the event loop */
function report(overflow: WatchOverflow, count: number): void {
  for (let event = 0; event < count; event += 1) overflow.count();
}

it('treats half a queue within one turn of the event loop as a loss, and repeats that with every further event', async () => {
  const overflow = new WatchOverflow(100);
  report(overflow, 49);
  expect([overflow.lost, overflow.overflows]).toEqual([0, 0]);
  report(overflow, 3);
  expect([overflow.lost, overflow.overflows]).toEqual([3, 1]);
  await turn();
  report(overflow, 50);
  expect([overflow.lost, overflow.overflows]).toEqual([4, 2]);
});

it('assumes no loss after as many events in several turns, between which the queue was empty', async () => {
  const overflow = new WatchOverflow(100);
  for (let round = 0; round < 20; round += 1) {
    report(overflow, 40);
    await turn();
    await turn();
  }
  expect([overflow.lost, overflow.overflows]).toEqual([0, 0]);
});

it.skipIf(process.platform !== 'linux').each([
  { queue: 8, isUnchanged: false },
  { queue: 10_000, isUnchanged: true },
])('a mark on one folder after many changes in another, with a queue of $queue', async ({ queue, isUnchanged }) => {
  const root = await mkdtemp(join(tmpdir(), 'larder-test-'));
  for (const name of ['watched', 'busy']) mkdirSync(join(root, name));
  const parts = { allowance: new WatchAllowance(10), overflow: new WatchOverflow(queue) };
  let events = 0;
  const watch = watchFolders({ root, homeId: '' }, parts, {
    changed() {
      events += 1;
    },
    ended() {},
  });
  expect([watch.add([], ''), watch.add(['watched'], 'd1'), watch.add(['busy'], 'd2')]).toEqual(Array(3).fill('added'));
  const mark = watch.mark(['watched']);
  expect(mark?.isUnchanged()).toBe(true);
  for (let file = 0; file < 20; file += 1) writeFileSync(join(root, 'busy', String(file)), '');
  await expect.poll(() => events).toBeGreaterThanOrEqual(20);
  expect(mark?.isUnchanged()).toBe(isUnchanged);
  writeFileSync(join(root, 'watched', 'own'), '');
  await expect.poll(() => mark?.isUnchanged()).toBe(false);
  watch.close();
  await rm(root, { recursive: true });
});
