import { afterAll, beforeAll, describe } from 'vitest';
import { canMount, fileSystems, LoopDisk } from '../support/system/loop-disk.ts';
import { describeContentTags } from './content-tags.ts';

describe.each(fileSystems)('on %s', (system) => {
  describe.skipIf(!canMount(system))('with its times and inodes', () => {
    let disk: LoopDisk;

    beforeAll(async () => {
      disk = await LoopDisk.with(system);
    });
    afterAll(() => disk?.remove());

    describeContentTags(() => disk.path);
  });
});
