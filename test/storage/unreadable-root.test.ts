import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { noFailPoints } from '../../dist/server/lib/process/fail-points.js';
import { openDisk } from '../../dist/server/storage/disk/disk.js';

it.each([
  ['that is not there', 'missing', 'offline'],
  ['whose name the system refuses', 'x'.repeat(300), 'name-too-long'],
])('the root of a home %s is refused for that reason', async (_, name, reason) => {
  const disk = openDisk(noFailPoints);
  try {
    const root = join(tmpdir(), name);
    await expect(disk.run('homeState', { homeRoot: { root, homeId: 'one' } })).rejects.toMatchObject({ reason });
  } finally {
    await disk.close();
  }
});
