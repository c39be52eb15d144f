import { afterAll, beforeAll, describe, it } from 'vitest';
import { canMountLoop } from '../../support/system/loop-disk.ts';
import { FullDisk } from './full-disk.ts';

const KB = 1024;
/** Every 4 KB up to 200, and every one where the index of the log comes to its blocks. */
const sizes = [...new Set([...range(0, 200, 4), ...range(16, 48, 1)])].sort((a, b) => a - b);

function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: (to - from) / step + 1 }, (_, index) => from + index * step);
}

describe.runIf(canMountLoop()).each([1_024, 4_096])('a disk with blocks of %i bytes', (blockSize) => {
  let disk: FullDisk;
  beforeAll(async () => {
    disk = await FullDisk.open(blockSize);
  });
  afterAll(() => disk?.close());

  it.each(sizes)('with %i KB free allows reading, signing in and deleting', async (free) => {
    await disk.whileRunning(free * KB);
    await disk.afterRestart(free * KB);
  });
});
