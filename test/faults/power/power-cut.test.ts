import { createHash, randomBytes } from 'node:crypto';
import { link, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeInFull, itInFull } from '../../support/forms.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

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

describe('a power cut during a rename', () => {
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

describeInFull('a disk without hard links', () => {
  it('also keeps the old content', async () => {
    const api = await installation.start('storage.link=eperm');
    expect((await api.put({ path: '/ROOT/HOME/doc.txt' }, 'old content')).status).toBe(201);
    expect((await api.put({ path: '/ROOT/HOME/doc.txt' }, 'new content')).body.data.version).toBe(2);
    const [kept = ''] = await readdir(area('versions'));
    expect(await readFile(join(area('versions'), kept), 'utf8')).toBe('old content');
    expect(await readFile(join(installation.home, 'doc.txt'), 'utf8')).toBe('new content');
  });

  itInFull('restores the old content after a power cut while the name is free', async () => {
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
  it('succeeds with a change that can no longer be finished', async () => {
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

  itInFull('distinguishes a replaced file from one with a second hard link', async () => {
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

describeInFull('kill -9 under load', () => {
  it('loses nothing that was acknowledged, and shows nothing incomplete', async () => {
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
      await expect.poll(() => acknowledged.size).toBeGreaterThan(before + 20 + round * 15);
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
