import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/api-client.ts';
import { Installation } from '../support/server-process.ts';

let installation: Installation;

beforeEach(async () => {
  installation = await Installation.create();
});
afterEach(() => installation.remove());

const area = (name: string) => join(installation.folder, '.larder', name);
const sha = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');

/** Starts with the power cut armed, does the work, and waits until it has happened there. */
async function cutAt(point: string, work: (api: ApiClient) => Promise<unknown>, morePoints = '') {
  const api = await installation.start(`${point}=kill;${morePoints}`);
  await expect(work(api)).rejects.toThrow();
  await installation.died();
  expect(installation.hasReached(point)).toBe(true);
}

async function allIsWell() {
  const report = await installation.doctor();
  expect(report).toMatchObject({ ok: true, problems: [] });
  expect(await readdir(area('incoming'))).toEqual([]);
  return report;
}

describe('a power cut during an upload of a new file', () => {
  it.each([
    ['storage.receive.write', false],
    ['storage.receive.flush', false],
    ['storage.publish.found-folder', false],
    ['storage.linked', true],
    ['storage.publish.named', true],
  ])('at %s leaves nothing or all of it', async (point, isThere) => {
    const content = randomBytes(3_000_000);
    await cutAt(point, (api) => api.put({ path: '/ROOT/HOME/new.bin' }, content));
    const api = await installation.start();
    const { body } = await api.get('files/browse', {
      path: '/ROOT/HOME',
      'details[]': ['uuid', 'fileSize', 'version'],
    });
    expect(body.data.files.map((file: { filename: string }) => file.filename)).toEqual(isThere ? ['new.bin'] : []);
    if (isThere) expect(sha(await readFile(join(installation.home, 'new.bin')))).toBe(sha(content));
    const again = await api.put({ path: '/ROOT/HOME/new.bin' }, content);
    expect(again.status).toBe(isThere ? 200 : 201);
    await allIsWell();
  });
});

describe('a power cut during an overwrite', () => {
  it.each([
    ['storage.publish.found-folder', 'old'],
    ['storage.publish.kept-old', 'old'],
    ['storage.publish.named', 'new'],
  ])('at %s leaves the %s content whole, and loses neither', async (point, which) => {
    await writeFile(join(installation.home, 'doc.txt'), 'old content');
    await cutAt(point, (api) => api.put({ path: '/ROOT/HOME/doc.txt' }, 'new content'));
    const api = await installation.start();
    expect((await api.get('files/download', { path: '/ROOT/HOME/doc.txt' })).text).toBe(`${which} content`);
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME', 'details[]': ['version'] });
    expect(body.data.files[0].version).toBe(which === 'old' ? 1 : 2);
    const kept = await Promise.all(
      (await readdir(area('versions'))).map((name) => readFile(join(area('versions'), name), 'utf8')),
    );
    expect(kept).toEqual(which === 'old' ? [] : ['old content']);
    const report = await allIsWell();
    expect(report.notes.filter((note) => note.includes('belongs to nothing'))).toEqual([]);
  });
});

describe('a power cut during a move that overwrites', () => {
  it.each([
    ['storage.move.chosen', 'not yet moved'],
    ['storage.move.kept-old', 'not yet moved'],
    ['storage.move.named', 'moved'],
  ])('at %s leaves it %s, with both contents', async (point, state) => {
    await mkdir(join(installation.home, 'folder'));
    await writeFile(join(installation.home, 'folder', 'doc.txt'), 'old content');
    await writeFile(join(installation.home, 'doc.txt'), 'moved content');
    const form = { path: '/ROOT/HOME/doc.txt', moveTo: '/ROOT/HOME/folder', overwrite: 1 };
    await cutAt(point, (api) => api.post('files/move', form));
    const api = await installation.start();
    const at = async (path: string) => (await api.get('files/download', { path: `/ROOT/HOME/${path}` })).text;
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME/folder', 'details[]': ['version'] });
    if (state === 'moved') {
      expect(await at('folder/doc.txt')).toBe('moved content');
      expect(await readdir(installation.home)).not.toContain('doc.txt');
      expect(body.data.files[0].version).toBe(2);
    } else {
      expect([await at('folder/doc.txt'), await at('doc.txt')]).toEqual(['old content', 'moved content']);
      expect(body.data.files[0].version).toBe(1);
    }
    expect(await readdir(area('versions'))).toHaveLength(state === 'moved' ? 1 : 0);
    await allIsWell();
  });

  it('of a folder at storage.move.named keeps its identity', async () => {
    await mkdir(join(installation.home, 'tree', 'deep'), { recursive: true });
    await writeFile(join(installation.home, 'tree', 'deep', 'leaf.txt'), 'leaf');
    let uuid = '';
    await cutAt('storage.move.named', async (api) => {
      const { body } = await api.get('files/browse', { path: '/ROOT/HOME', 'details[]': ['uuid'] });
      uuid = body.data.files[0].uuid;
      await api.get('files/rename', { path: '/ROOT/HOME/tree', newName: 'baum' });
    });
    const api = await installation.start();
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME', 'details[]': ['uuid'] });
    expect(body.data.files).toMatchObject([{ filename: 'baum', uuid }]);
    await allIsWell();
  });
});

describe('a power cut during a restore', () => {
  it.each([
    ['storage.put-back', 'file', 'in the trash'],
    ['storage.linked', 'file', 'back'],
    ['storage.put-back.named', 'file', 'back'],
    ['storage.put-back', 'folder', 'in the trash'],
    ['storage.put-back.named', 'folder', 'back'],
  ])('at %s leaves the %s %s, once', async (point, kind, state) => {
    if (kind === 'folder') await mkdir(join(installation.home, 'item'));
    await writeFile(join(installation.home, ...(kind === 'folder' ? ['item', 'leaf.txt'] : ['item'])), 'leaf');
    let uuid = '';
    await cutAt(point, async (api) => {
      const { body } = await api.get('files/browse', { path: '/ROOT/HOME', 'details[]': ['uuid'] });
      uuid = body.data.files[0].uuid;
      const path = (await api.post('files/delete', { path: '/ROOT/HOME/item' })).body.data.trash_path;
      await api.post('files/trash/restore', { path });
    });
    const api = await installation.start();
    const list = async (path: string) =>
      (await api.get('files/browse', { path, 'details[]': ['uuid'] })).body.data.files;
    expect(await list(state === 'back' ? '/ROOT/HOME' : '/TRASH')).toMatchObject([{ filename: 'item', uuid }]);
    expect(await list(state === 'back' ? '/TRASH' : '/ROOT/HOME')).toEqual([]);
    expect(await readdir(area('trash'))).toHaveLength(state === 'back' ? 0 : 1);
    await allIsWell();
  });
});

describe('a disk without hard links', () => {
  it('keeps the old content all the same', async () => {
    const api = await installation.start('storage.link=eperm');
    expect((await api.put({ path: '/ROOT/HOME/doc.txt' }, 'old content')).status).toBe(201);
    expect((await api.put({ path: '/ROOT/HOME/doc.txt' }, 'new content')).body.data.version).toBe(2);
    const [kept = ''] = await readdir(area('versions'));
    expect(await readFile(join(area('versions'), kept), 'utf8')).toBe('old content');
    expect(await readFile(join(installation.home, 'doc.txt'), 'utf8')).toBe('new content');
  });

  it('has the old content back in its place after a power cut in the moment when nothing is there', async () => {
    await writeFile(join(installation.home, 'doc.txt'), 'old content');
    await cutAt(
      'storage.publish.kept-old',
      (api) => api.put({ path: '/ROOT/HOME/doc.txt' }, 'new content'),
      'storage.link=eperm',
    );
    expect(await readdir(installation.home)).not.toContain('doc.txt');
    const api = await installation.start();
    expect((await api.get('files/download', { path: '/ROOT/HOME/doc.txt' })).text).toBe('old content');
    expect(await readdir(area('versions'))).toEqual([]);
    await allIsWell();
  });
});

describe('a start after a power cut', () => {
  it('is not kept from serving by a change that can no longer be finished', async () => {
    await mkdir(join(installation.home, 'folder'));
    await writeFile(join(installation.home, 'folder', 'doc.txt'), 'old content');
    await cutAt('storage.publish.named', (api) => api.put({ path: '/ROOT/HOME/folder/doc.txt' }, 'new content'));
    await rm(join(installation.home, 'folder'), { recursive: true });
    const api = await installation.start();
    expect((await api.get('account/info')).status).toBe(200);
    // The old content has no place to go back to: it is kept where it is, and the doctor says that something waits.
    const [kept = ''] = await readdir(area('versions'));
    expect(await readFile(join(area('versions'), kept), 'utf8')).toBe('old content');
    expect((await installation.doctor()).notes.join(' ')).toContain('interrupted');
  });

  it('knows a replaced file from one that has another name elsewhere', async () => {
    await writeFile(join(installation.home, 'doc.txt'), 'old content');
    await link(join(installation.home, 'doc.txt'), join(installation.folder, 'elsewhere.txt'));
    await cutAt('storage.publish.named', (api) => api.put({ path: '/ROOT/HOME/doc.txt' }, 'new content'));
    const api = await installation.start();
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME', 'details[]': ['version'] });
    expect(body.data.files[0].version).toBe(2);
    expect(await readdir(area('versions'))).toHaveLength(1);
    await allIsWell();
  });
});

describe('a power cut during a delete', () => {
  it.each([
    ['storage.take-out', '0', 'present'],
    ['storage.taken-out', '0', 'trashed'],
    ['storage.take-out', '1', 'present'],
    ['storage.taken-out', '1', 'gone'],
  ])('at %s (permanent=%s) leaves the tree %s', async (point, permanent, state) => {
    await mkdir(join(installation.home, 'tree', 'deep'), { recursive: true });
    await writeFile(join(installation.home, 'tree', 'deep', 'leaf.txt'), 'leaf');
    await cutAt(point, (api) => api.post('files/delete', { path: '/ROOT/HOME/tree', permanent }));
    await installation.start();
    expect((await readdir(installation.home)).includes('tree')).toBe(state === 'present');
    const trash = await readdir(area('trash'));
    expect(trash.length).toBe(state === 'trashed' ? 1 : 0);
    if (state === 'trashed')
      expect(await readFile(join(area('trash'), trash[0] ?? '', 'deep', 'leaf.txt'), 'utf8')).toBe('leaf');
    const report = await allIsWell();
    expect(report.notes.filter((note) => note.includes('belongs to nothing') || note.includes('interrupted'))).toEqual(
      [],
    );
  });
});

describe('kill -9 under load', () => {
  it('loses nothing that was acknowledged and shows nothing that is not whole', async () => {
    const acknowledged = new Map<string, { hash: string; uuid: string }>();
    for (let round = 0; round < 3; round += 1) {
      const api = await installation.start();
      const workers = Array.from({ length: 6 }, async (_, worker) => {
        for (let index = 0; index < 200; index += 1) {
          const name = `${round}-${worker}-${index}.bin`;
          const content = randomBytes(1 + ((index * 7_919) % 200_000));
          const { status, body } = await api.put({ path: `/ROOT/HOME/${name}` }, content);
          if (status === 201) acknowledged.set(name, { hash: sha(content), uuid: body.data.uuid });
        }
      });
      const ended = Promise.allSettled(workers);
      const before = acknowledged.size;
      await expect
        .poll(() => acknowledged.size, { timeout: 10_000, interval: 5 })
        .toBeGreaterThan(before + 20 + round * 15);
      await installation.kill();
      await ended;
    }
    const api = await installation.start();
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME', 'details[]': ['uuid'] });
    const listed = new Map<string, string>(
      body.data.files.map((file: { filename: string; uuid: string }) => [file.filename, file.uuid]),
    );
    for (const [name, { hash, uuid }] of acknowledged) {
      expect(listed.get(name), name).toBe(uuid);
      expect(sha(await readFile(join(installation.home, name))), name).toBe(hash);
    }
    await allIsWell();
  });
});
