import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const LARDER = fileURLToPath(new URL('../../dist/server/larder.cjs', import.meta.url));

describe.skipIf(process.platform === 'win32')('a server with a too low limit of open files', () => {
  it.each([64, 128])('%i: explains in one sentence what to do, and creates nothing', async (limit) => {
    const folder = await mkdtemp(join(tmpdir(), 'larder-few-'));
    try {
      const serve = `ulimit -n ${limit}; exec "$0" "$1" serve --folder "$2" --port 0 --control-port 0 --host 127.0.0.1`;
      const { status, stderr, stdout } = spawnSync('sh', ['-c', serve, process.execPath, LARDER, folder], {
        encoding: 'utf8',
      });
      expect([status, stdout]).toEqual([1, '']);
      expect(stderr.trim().split('\n')).toHaveLength(1);
      expect(stderr).toContain(`may have ${limit} files and connections open`);
      expect(stderr).toContain('ulimit -n 4096');
      expect(await readdir(folder)).toEqual([]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
