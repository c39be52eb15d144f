import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';

/**
 * Named points where a test can make a real server fail. `kill` ends the process like a power cut, `enospc`, `eio` and `eperm`
 * throw disk errors, `pause` waits until the test creates `<folder>/<name>.go`. A point that was reached creates
 * `<folder>/<name>.reached`, so that tests can verify it.
 */
export interface FailPoints {
  readonly folder: string;
  readonly actions: Readonly<Record<string, FailAction>>;
}

export type FailAction = 'kill' | 'enospc' | 'eio' | 'eperm' | 'pause';

/** Milliseconds that a pause lasts at most, and between two checks for its end. */
const LONGEST_PAUSE = 20_000;
const CHECK_INTERVAL = 5;

export const noFailPoints: FailPoints = { folder: '', actions: {} };

/** Blocks the calling thread while paused: in a worker thread only that thread waits. */
export function failPoint(points: FailPoints, name: string): void {
  const action = points.actions[name];
  if (action === undefined) return;
  writeFileSync(join(points.folder, `${name}.reached`), '');
  if (action === 'kill') process.kill(process.pid, 'SIGKILL');
  if (action === 'enospc') throw diskError('ENOSPC', 'no space left on device');
  if (action === 'eio') throw diskError('EIO', 'input/output error');
  if (action === 'eperm') throw diskError('EPERM', 'operation not permitted');
  if (action === 'pause') {
    const sleeper = new Int32Array(new SharedArrayBuffer(4));
    for (let waited = 0; waited < LONGEST_PAUSE && !mayGoOn(points, name); waited += CHECK_INTERVAL) {
      Atomics.wait(sleeper, 0, 0, CHECK_INTERVAL);
    }
  }
  if (action === 'kill') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10_000);
}

/** The same on the main thread: a pause holds only this work, and the server goes on with everything else. */
export async function awaitFailPoint(points: FailPoints, name: string): Promise<void> {
  if (points.actions[name] !== 'pause') return failPoint(points, name);
  writeFileSync(join(points.folder, `${name}.reached`), '');
  for (let waited = 0; waited < LONGEST_PAUSE && !mayGoOn(points, name); waited += CHECK_INTERVAL)
    await wait(CHECK_INTERVAL);
}

const mayGoOn = ({ folder }: FailPoints, name: string) => existsSync(join(folder, `${name}.go`));

function diskError(code: 'ENOSPC' | 'EIO' | 'EPERM', text: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: ${text}`), { code });
}
