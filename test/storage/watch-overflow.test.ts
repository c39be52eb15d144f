import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { WatchAllowance, WatchOverflow, watchFolders } from '../../dist/server/storage/disk/watch.js';

/** @param count of signs within one turn of the event loop */
function signs(overflow: WatchOverflow, count: number): void {
  for (let sign = 0; sign < count; sign += 1) overflow.sign();
}

it('takes half a queue within one turn of the event loop as a loss, and says so with every further sign', async () => {
  const overflow = new WatchOverflow(100);
  signs(overflow, 49);
  expect([overflow.lost, overflow.floods]).toEqual([0, 0]);
  signs(overflow, 3);
  expect([overflow.lost, overflow.floods]).toEqual([3, 1]);
  await turn();
  signs(overflow, 50);
  expect([overflow.lost, overflow.floods]).toEqual([4, 2]);
});

it('takes no loss from as many signs in several turns: the queue was empty in between', async () => {
  const overflow = new WatchOverflow(100);
  for (let round = 0; round < 20; round += 1) {
    signs(overflow, 40);
    await turn();
    await turn();
  }
  expect([overflow.lost, overflow.floods]).toEqual([0, 0]);
});

it.skipIf(process.platform !== 'linux').each([
  { queue: 8, isUnchanged: false },
  { queue: 10_000, isUnchanged: true },
])('a mark on one folder after many changes in another, with a queue of $queue', async ({ queue, isUnchanged }) => {
  const root = await mkdtemp(join(tmpdir(), 'larder-test-'));
  for (const name of ['watched', 'busy']) mkdirSync(join(root, name));
  const parts = { allowance: new WatchAllowance(10), overflow: new WatchOverflow(queue) };
  let signs = 0;
  const watch = watchFolders(
    { root, homeId: '' },
    parts,
    () => {
      signs += 1;
    },
    () => undefined,
  );
  expect([watch.add([], ''), watch.add(['watched'], 'd1'), watch.add(['busy'], 'd2')]).toEqual(Array(3).fill('added'));
  const mark = watch.mark(['watched']);
  expect(mark?.isUnchanged()).toBe(true);
  for (let file = 0; file < 20; file += 1) writeFileSync(join(root, 'busy', String(file)), '');
  await expect.poll(() => signs).toBeGreaterThanOrEqual(20);
  expect(mark?.isUnchanged()).toBe(isUnchanged);
  writeFileSync(join(root, 'watched', 'own'), '');
  await expect.poll(() => mark?.isUnchanged()).toBe(false);
  watch.close();
  await rm(root, { recursive: true });
});
