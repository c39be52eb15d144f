import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../../support/forms.ts';
import { OWNER } from '../../support/households/household.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { t } from '../../support/server-texts.ts';
import { canMountLoop, LoopDisk } from '../../support/system/loop-disk.ts';

const HOME = '/ROOT/HOME';

describe.runIf(canMountLoop())('a start on a read-only disk', () => {
  let disk: LoopDisk;
  let installation: Installation;
  let api: ApiClient;
  let temporary: string;

  beforeAll(async () => {
    disk = await LoopDisk.make(4_096);
    temporary = await mkdtemp(join(tmpdir(), 'larder-test-'));
    installation = await Installation.create(disk.path, temporary);
    api = await installation.start();
    expect((await api.put({ path: `${HOME}/a.txt` }, 'content')).status).toBe(201);
  });
  afterAll(async () => {
    await installation?.kill();
    await disk?.remove();
    await rm(temporary, { recursive: true, force: true });
  });

  const said = ({ status, body }: Reply) => [status, body.code];

  it.each(['after a crash', 'after an end in good order'])(
    '%s serves existing files, and refuses changes',
    async (end) => {
      if (end === 'after a crash') await installation.kill();
      else await installation.stop();
      disk.remount('ro');
      try {
        api = await installation.start();
        expect((await api.get('files/browse', { path: HOME })).body.data.files).toHaveLength(1);
        expect((await api.get('files/download', { path: `${HOME}/a.txt` })).text).toBe('content');
        const refused = [
          await api.put({ path: `${HOME}/b.txt` }, 'x'),
          await api.post('files/delete', { path: `${HOME}/a.txt` }),
          await api.post('files/star', { path: `${HOME}/a.txt` }),
        ];
        expect(refused.map(said)).toEqual(refused.map(() => [503, 'temporarily_unavailable']));
        await expect(installation.token(OWNER.username, OWNER.password)).rejects.toThrow(t('api.service.readOnly'));
        await installation.stop();
        expect(existsSync(disk.path)).toBe(true);
      } finally {
        await installation.kill();
        disk.remount('rw');
      }
      api = await installation.start();
      expect((await api.put({ path: `${HOME}/a.txt` }, 'content')).status).toBe(200);
    },
  );

  itInFull('leaves no copy of the database at its end, and removes that of a killed server', async () => {
    const copies = async () => (await readdir(temporary)).filter((name) => name.startsWith('larder-read-only-'));
    await installation.stop();
    disk.remount('ro');
    try {
      await installation.start();
      const [left] = await copies();
      await installation.kill();
      expect(await copies()).toEqual([left]);
      await installation.start();
      const now = await copies();
      expect([now.length, now.includes(left ?? '')]).toEqual([1, false]);
      await installation.stop();
      expect(await copies()).toEqual([]);
    } finally {
      await installation.kill();
      disk.remount('rw');
    }
  });
});
