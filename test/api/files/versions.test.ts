import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '../../../dist/server/lib/clock.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;
let count = 0;
let path = '';
let file = '';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  path = `/ROOT/HOME/doc ${count}.txt`;
  file = join(household.home, `doc ${count}.txt`);
  await household.control('settings.update', { versionsKept: 20, versionDays: 0 });
});

const put = (content: string) => api.put({ path }, content);
const versions = async () => (await api.get('files/versions/list', { path })).body.data.versions;
const numbers = async () => (await versions()).map(({ version }: { version: number }) => version);
const old = async (version: number) => (await api.get('files/download', { path, version })).text;
const call = async (operation: string, version?: number | string) => {
  const reply = await api.post(`files/versions/${operation}`, { path, ...(version === undefined ? {} : { version }) });
  return [reply.status, reply.body.code ?? reply.body.data];
};
const stored = () => readdir(join(household.folder, '.larder', 'versions'));

describe('versions', () => {
  it('are listed with size, time and account, the current one first', async () => {
    for (const content of ['1', '22', '333']) await put(content);
    const list = await versions();
    expect(list).toMatchObject([
      { version: 3, size: 3, by: 'ann' },
      { version: 2, size: 2, by: 'ann' },
      { version: 1, size: 1, by: 'ann' },
    ]);
    expect(await Promise.all([3, 2, 1].map(old))).toEqual(['333', '22', '1']);
  });

  it('written by another program have no account', async () => {
    await put('by the API');
    await writeFile(file, 'by another program');
    await put('by the API again');
    await writeFile(file, 'again');
    expect((await versions()).map(({ by }: { by: unknown }) => by)).toEqual([null, null]);
    expect(await old(1)).toBe('by another program');
  });

  it('keep account, number and content together when listed during an overwrite', async () => {
    await put('1');
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        for (const { version, size } of await versions()) expect(size).toBe(version);
        expect(await old(1)).toBe('1');
      }
    };
    const watching = [watch(), watch(), watch()];
    for (let number = 2; number <= 20; number += 1) await put('x'.repeat(number));
    isOver = true;
    await Promise.all(watching);
    expect(new Set((await versions()).map(({ by }: { by: unknown }) => by))).toEqual(new Set(['ann']));
  });

  it('are not restored to a name that the file no longer has', async () => {
    for (let round = 0; round < 10; round += 1) {
      await put('old');
      await put('new');
      const [restored, renamed] = await Promise.all([
        api.post('files/versions/restore', { path, version: 1 }),
        api.post('files/rename', { path, newName: 'gone.txt' }),
      ]);
      expect(renamed.status).toBe(200);
      expect((await api.get('files/download', { path })).status).toBe(404);
      const { text } = await api.get('files/download', { path: '/ROOT/HOME/gone.txt' });
      expect([restored.status, text]).toEqual(restored.status === 200 ? [200, 'old'] : [404, 'new']);
      await api.post('files/delete', { path: '/ROOT/HOME/gone.txt', permanent: 1 });
    }
  });

  it('are sent with their own size, time and validator, also in ranges', async () => {
    await put('0123456789');
    await put('other');
    const whole = await api.get('files/download', { path, version: 1 });
    expect(whole.headers['content-length']).toBe('10');
    expect(whole.headers['content-disposition']).toContain(`doc ${count}.txt`);
    const now = await api.get('files/download', { path });
    expect(whole.headers.etag).not.toBe(now.headers.etag);
    const part = await api.send('GET', `/api.php/files/download?path=${encodeURIComponent(path)}&version=1`, {
      headers: { range: 'bytes=2-4', 'if-range': whole.headers.etag ?? '' },
    });
    expect([part.status, part.text]).toEqual([206, '234']);
  });

  it('are restored without loss, and deleted permanently', async () => {
    for (const content of ['1', '2', '3']) await put(content);
    expect(await call('restore', 1)).toEqual([200, { path, version: 4 }]);
    expect(await readFile(file, 'utf8')).toBe('1');
    expect(await numbers()).toEqual([4, 3, 2, 1]);
    expect(await old(3)).toBe('3');
    // Two contents, not two hard links: a program that writes into the file does not change the version.
    await writeFile(file, 'x');
    expect(await old(1)).toBe('1');
    const before = (await stored()).length;
    expect(await call('delete', 2)).toEqual([200, {}]);
    expect(await numbers()).toEqual([4, 3, 1]);
    expect((await stored()).length).toBe(before - 1);
    expect(await call('delete', 2)).toEqual([404, 'not_found']);
    expect(await call('restore', 2)).toEqual([404, 'not_found']);
    expect((await api.get('files/download', { path, version: 2 })).status).toBe(404);
  });

  it('refuse invalid numbers, the current one, folders and missing items', async () => {
    await put('1');
    for (const operation of ['restore', 'delete']) {
      expect(await call(operation, 1)).toEqual([400, 'invalid_parameter']);
      expect(await call(operation, 0)).toEqual([400, 'invalid_parameter']);
      expect(await call(operation, 'x')).toEqual([400, 'invalid_parameter']);
      expect(await call(operation)).toEqual([400, 'missing_parameter']);
      expect(await call(operation, 9)).toEqual([404, 'not_found']);
    }
    expect(await old(1)).toBe('1');
    for (const [wrong, status] of [
      ['/ROOT/HOME', 400],
      ['/ROOT/HOME/nothing.txt', 404],
    ] as const) {
      expect((await api.get('files/versions/list', { path: wrong })).status).toBe(status);
    }
    expect((await api.get('files/download', { path: '/ROOT/HOME', version: 1 })).body.code).toBe('invalid_parameter');
  });

  it('require the scopes of their operations', async () => {
    await put('1');
    await put('2');
    const listOnly = await household.signIn('list');
    expect((await listOnly.get('files/versions/list', { path })).status).toBe(200);
    for (const operation of ['restore', 'delete']) {
      const reply = await listOnly.post(`files/versions/${operation}`, { path, version: 1 });
      expect([reply.status, reply.body.code]).toEqual([403, 'insufficient_scope']);
    }
    expect(await numbers()).toEqual([2, 1]);
  });

  it('follow a file through rename, trash and restore', async () => {
    for (const content of ['1', '2']) await put(content);
    await api.post('files/rename', { path, newName: `renamed ${count}.txt` });
    path = `/ROOT/HOME/renamed ${count}.txt`;
    const { trash_path } = (await api.post('files/delete', { path })).body.data;
    await api.post('files/trash/restore', { path: trash_path });
    expect(await old(1)).toBe('1');
  });

  it('are retained up to the configured number, newest first', async () => {
    await household.control('settings.update', { versionsKept: 2 });
    const before = (await stored()).length;
    for (const content of ['1', '2', '3', '4', '5']) await put(content);
    expect(await numbers()).toEqual([5, 4, 3]);
    await expect.poll(async () => (await stored()).length).toBe(before + 2);
    await household.control('settings.update', { versionsKept: 1 });
    await household.larder.maintenance();
    expect(await numbers()).toEqual([5, 4]);
    expect((await stored()).length).toBeLessThan(before + 2);
  });

  it('expire by age if configured', async () => {
    for (const content of ['1', '2']) await put(content);
    household.clock.advance(10 * DAY);
    api = await household.signIn();
    await put('3');
    await household.control('settings.update', { versionDays: 5 });
    await household.larder.maintenance();
    expect(await numbers()).toEqual([3, 2]);
    await household.control('settings.update', { versionDays: 0 });
    household.clock.advance(1_000 * DAY);
    api = await household.signIn();
    await household.larder.maintenance();
    expect(await numbers()).toEqual([3, 2]);
  });

  it('if disabled, send replaced content to the trash, also with rename, move and copy', async () => {
    await put('1');
    await put('2');
    await household.control('settings.update', { versionsKept: 0 });
    await household.larder.maintenance();
    expect(await numbers()).toEqual([2, 1]);
    const trash = async () =>
      (await api.get('files/browse', { path: '/TRASH', 'details[]': ['fileSize'] })).body.data.files;
    const before = (await trash()).length;
    expect((await put('333')).body.data.version).toBe(3);
    const other = `/ROOT/HOME/other ${count}.txt`;
    await api.put({ path: other }, '4444');
    await api.post('files/rename', { path: other, newName: `doc ${count}.txt`, overwrite: 1 });
    expect(await readFile(file, 'utf8')).toBe('4444');
    const added = (await trash()).slice(0, (await trash()).length - before);
    expect(added.map((item: { fileSize: number }) => item.fileSize).sort()).toEqual([1, 3]);
    expect(added.every((item: { filename: string }) => item.filename === `doc ${count}.txt`)).toBe(true);
    for (const { path: trashed } of added) {
      const back = (await api.post('files/trash/restore', { path: trashed })).body.data.path;
      expect(back).toMatch(new RegExp(`/doc ${count} \\(restored( 2)?\\)\\.txt$`));
    }
    expect(await readFile(file, 'utf8')).toBe('4444');
    expect(await readFile(join(household.home, `doc ${count} (restored).txt`), 'utf8')).toMatch(/^(2|333)$/);
    expect(await household.control('doctor')).toMatchObject({ problems: [] });
  });
});
