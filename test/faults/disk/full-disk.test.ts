import { afterAll, beforeAll, describe, it } from 'vitest';
import { sampled } from '../../support/forms.ts';
import { canMountLoop } from '../../support/system/loop-disk.ts';
import { FullDisk } from './full-disk.ts';

const KB = 1024;

describe.runIf(canMountLoop()).each([1_024, 4_096])('a disk with blocks of %i bytes', (blockSize) => {
  let disk: FullDisk;
  beforeAll(async () => {
    disk = await FullDisk.open(blockSize);
  });
  afterAll(() => disk?.close());

  it.each(sampled([0, 16, 28, 48, 96, 200], 2))(
    'with %i KB free allows reading, signing in and deleting, while running and after a start',
    async (free) => {
      await disk.whileRunning(free * KB);
      await disk.afterRestart(free * KB);
    },
  );
});
