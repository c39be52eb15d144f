import { once } from 'node:events';
import { watch } from 'node:fs';
import { cp, mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { ReconcileState } from '../../dist/server/catalogue/reconcile/reconciled-home.js';
import { itInFull } from '../support/forms.ts';
import { eventually } from '../support/system/eventually.ts';
import { stillPerformance } from '../support/system/still-performance.ts';
import { caughtUp, type KeptFolder, openKeptFolder, rowsOf } from './support.ts';

let kept: KeptFolder;
const at = (path: string) => join(kept.root, path);
const progress = () => kept.part().reconciler.progress()[0];
const isKnown = async (path: string) => (await rowsOf(kept.database)).has(path);
const isReady = () => expect.poll(() => progress()?.state).toBe('ready');

/** The states of the home from now on. */
function statesOfHome(): ReconcileState[] {
  const states: ReconcileState[] = [];
  kept.part().reconciler.onProgress(({ state }) => {
    if (states.at(-1) !== state) states.push(state);
  });
  return states;
}

/** How much longer than its work the reconciler rests while it checks every file. */
const REST_OF_CHECK = 2;

/** Holds the pauses after the steps in which every file is checked. @returns the held ones: each call lets one of them end */
function holdSteps(): (() => void)[] {
  const { throttle } = kept.part();
  const rest = throttle.rest.bind(throttle);
  const held: (() => void)[] = [];
  vi.spyOn(throttle, 'rest').mockImplementation(async (took, share, signal) => {
    if (share === REST_OF_CHECK) {
      const released = new Promise<void>((resolve) => held.push(resolve));
      await Promise.race([released, once(signal, 'abort')]);
    }
    return rest(took, share, signal);
  });
  return held;
}

beforeEach(async () => {
  kept = await openKeptFolder();
});
afterEach(() => kept.close());

it('counts a home that cannot be watched at all', async () => {
  await kept.close();
  kept = await openKeptFolder({ watched: 0 });
  await writeFile(at('file.txt'), '');
  await isReady();
  expect(progress()?.unwatched).toBe(1);
});

itInFull('watches the folder that replaced the root', async () => {
  await mkdir(at('folder'));
  await isReady();
  await cp(kept.root, `${kept.root} copy`, { recursive: true });
  const states = statesOfHome();
  await rename(kept.root, `${kept.root} before`);
  await rename(`${kept.root} copy`, kept.root);
  await eventually(
    () => states,
    (seen) => seen.includes('reading') && seen.at(-1) === 'ready',
  );
  await writeFile(at('new.txt'), '');
  await caughtUp(kept);
});

itInFull('repeats what the database refused for a while', async () => {
  await isReady();
  await kept.database.write((tx) =>
    tx.run(`CREATE TRIGGER refuse BEFORE INSERT ON items WHEN NEW.name = 'refused.txt'
      BEGIN SELECT RAISE(ABORT, 'refused'); END`),
  );
  await writeFile(at('refused.txt'), '');
  await expect.poll(() => kept.logged()).toContain('failed to compare a home with its disk');
  expect(await isKnown('refused.txt')).toBe(false);
  await kept.database.write((tx) => tx.run('DROP TRIGGER refuse'));
  await caughtUp(kept);
});

it('finds new files during a check of all files', async () => {
  // More than one step.
  for (let index = 0; index < 200; index += 1) await mkdir(at(`${index}`));
  await mkdir(join(kept.root, '..', 'outside', 'inner'), { recursive: true });
  await writeFile(join(kept.root, '..', 'outside', 'inner', 'file.txt'), '');
  await caughtUp(kept);
  await kept.whileStopped(async () => undefined);
  const steps = holdSteps();
  await expect.poll(() => steps.length).toBe(1);
  const time = stillPerformance();
  // The same events reach the reconciler first, which has watched the folder for longer.
  const later = watch(kept.root, { persistent: false });
  const noticed = once(later, 'change');
  await rename(join(kept.root, '..', 'outside'), at('came in'));
  await noticed;
  later.close();
  // It gathers events before it looks.
  time.advance(60_000);
  steps[0]?.();
  await expect.poll(() => steps.length).toBe(2);
  expect(await isKnown('came in/inner/file.txt')).toBe(true);
  expect(progress()?.state).toBe('checking');
});
