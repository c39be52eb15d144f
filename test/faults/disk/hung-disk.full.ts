import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { noFailPoints } from '../../../dist/server/lib/process/fail-points.js';
import { t } from '../../../dist/server/messages/messages.js';
import { openDisk } from '../../../dist/server/storage/disk/disk.js';
import { OWNER } from '../../support/households/household.ts';
import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { canHang, HungDisk } from '../../support/system/hung-disk.ts';

const HOME = '/ROOT/HOME';

let installation: Installation;
let owner: ApiClient;
let mia: ApiClient;
let base: string;
let disk: string;

beforeAll(async () => {
  base = await mkdtemp(join(tmpdir(), 'larder-hung-'));
  disk = join(base, 'disk');
  await mkdir(disk);
  installation = await Installation.create();
  await start();
  await installation.control('accounts.add', {
    username: 'mia',
    password: OWNER.password,
    name: 'Mia',
    homeFolder: disk,
    adoptHomeFolder: true,
  });
  mia = owner.with(await installation.token('mia', OWNER.password));
  expect((await mia.put({ path: `${HOME}/a.txt` }, 'first')).status).toBe(201);
  expect((await mia.put({ path: `${HOME}/a.txt` }, 'second')).status).toBe(200);
});
afterAll(async () => {
  await installation?.remove();
  await rm(base, { recursive: true });
});

async function start(): Promise<void> {
  owner = await installation.start();
  if (mia !== undefined) mia = owner.with(mia.token_ ?? '');
}

const said = ({ status, body }: Reply) => [status, body.code];
const health = async () => JSON.parse((await owner.send('GET', '/healthz')).text) as Record<string, unknown>;
const expectOwnersHomeWorks = async () => {
  const name = `${Math.random()}.txt`;
  expect((await owner.put({ path: `${HOME}/${name}` }, 'x')).status).toBe(201);
  expect((await owner.get('files/browse', { path: HOME })).status).toBe(200);
  expect((await owner.post('files/delete', { path: `${HOME}/${name}` })).status).toBe(200);
};

describe('a home whose marker was replaced by', () => {
  const others: readonly (readonly [string, (path: string, aside: string) => unknown])[] = [
    ['a pipe', (path) => execFileSync('mkfifo', [path])],
    ['a link to the marker', (path, aside) => symlink(aside, path)],
    ['a folder', (path) => mkdir(path)],
    [
      'a long file that begins like it',
      async (path, aside) => writeFile(path, `${await readFile(aside, 'utf8')}${' '.repeat(100)}`),
    ],
    ['a device', (path) => execFileSync('mknod', [path, 'c', '1', '5'])],
  ];
  it.each(process.getuid?.() === 0 ? others : others.slice(0, 4))(
    '%s is offline, while other homes are not',
    async (_what, replace) => {
      const marker = join(disk, '.larder-home');
      const aside = join(base, 'marker');
      await rename(marker, aside);
      await replace(marker, aside);
      try {
        const replies = [await mia.get('files/browse', { path: HOME }), await mia.put({ path: `${HOME}/b.txt` }, 'x')];
        expect(replies.map(said)).toEqual(replies.map(() => [503, 'storage_offline']));
        await expectOwnersHomeWorks();
        const { problems } = await installation.doctor();
        expect(problems.join()).toMatch(/marker/);
      } finally {
        await rm(marker, { recursive: true });
        await rename(aside, marker);
      }
      await expect.poll(async () => (await mia.get('files/browse', { path: HOME })).status).toBe(200);
    },
  );
});

it('a pipe in place of an older version is not found, and blocks no thread', async () => {
  const versions = join(disk, '.larder-area', 'versions');
  const [name = ''] = await readdir(versions);
  await rename(join(versions, name), join(base, 'version'));
  execFileSync('mkfifo', [join(versions, name)]);
  try {
    // More than there are threads.
    const path = `${HOME}/a.txt`;
    const asked = Array.from({ length: 20 }, (_, index) =>
      index % 2 === 0
        ? mia.get('files/download', { path, version: 1 })
        : mia.post('files/versions/restore', { path, version: 1 }),
    );
    expect((await Promise.all(asked)).map(({ body }) => body.code)).toEqual(asked.map(() => 'not_found'));
  } finally {
    await rm(join(versions, name));
    await rename(join(base, 'version'), join(versions, name));
  }
  await expectOwnersHomeWorks();
});

describe.runIf(canHang())('a disk that does not respond', () => {
  let hung: HungDisk | undefined;
  afterAll(() => hung?.remove());

  it('takes only its own home offline with many requests, and recovers by itself', async () => {
    await expect.poll(async () => (await health()).status).toBe('ok');
    hung = await HungDisk.over(disk);
    const asked = Array.from({ length: 30 }, (_, index) =>
      index % 2 === 0
        ? mia.put({ path: `${HOME}/${index}.txt` }, 'x')
        : mia.get('files/download', { path: `${HOME}/a.txt` }),
    );
    await expectOwnersHomeWorks();
    const replies = await Promise.all(asked);
    expect(replies.map(said)).toEqual(replies.map(() => [503, 'storage_offline']));
    await expectOwnersHomeWorks();
    expect(await health()).toEqual({ status: 'degraded', disksNotAnswering: 1 });
    expect(JSON.stringify((await installation.control('status')).attention)).toContain(
      t('api.storage.stalled', { home: disk }),
    );
    expect((await installation.doctor()).problems.join()).toContain(t('api.doctor.homeStalled', { home: disk }));
    // What comes into another home is still found.
    await writeFile(join(installation.home, 'beside.txt'), 'x');
    const found = async () => (await owner.post('files/search', { path: HOME, filename: 'beside' })).text;
    await expect.poll(found).toContain('beside.txt');
    await hung.remove();
    await expect.poll(async () => (await mia.get('files/browse', { path: HOME })).status).toBe(200);
    expect(await health()).toEqual({ status: 'ok' });
    expect((await mia.put({ path: `${HOME}/later.txt` }, 'x')).status).toBe(201);
  });

  it('prevents neither the end of the server nor the next start', async () => {
    hung = await HungDisk.over(disk);
    expect(said(await mia.get('files/browse', { path: HOME }))).toEqual([503, 'storage_offline']);
    const child = installation.child;
    child.kill('SIGTERM');
    await once(child, 'exit');
    const log = await readFile(join(installation.folder, '.larder', 'logs', 'larder.log'), 'utf8');
    expect(log.trim().split('\n').at(-1)).toContain('"stopped"');
    await start();
    await expectOwnersHomeWorks();
    expect(said(await mia.get('files/browse', { path: HOME }))).toEqual([503, 'storage_offline']);
    await hung.remove();
    await expect.poll(async () => (await mia.get('files/browse', { path: HOME })).status).toBe(200);
  });

  it('leaves open whether a change happened that it has not answered at the end', async () => {
    const root = await mkdtemp(join(base, 'own-'));
    const homeRoot = { root, homeId: 'one' };
    const own = openDisk(noFailPoints);
    // Its device is known from now on.
    expect(await own.run('homeState', { homeRoot })).toEqual({ state: 'no-marker' });
    hung = await HungDisk.over(root);
    try {
      const change = own.run('createFolder', { homeRoot, parent: [], name: 'new' }).catch((error: Error) => error.name);
      await expect.poll(isBlocked).toBe(true);
      await own.close();
      expect(await change).toBe('DiskStalled');
    } finally {
      await hung.remove();
    }
  });
});

/** Whether a thread of this process waits for a file system that is not served. */
async function isBlocked(): Promise<boolean> {
  const tasks = await readdir('/proc/self/task');
  const places = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/wchan`, 'utf8').catch(() => '')),
  );
  return places.some((place) => /fuse|request_wait_answer/.test(place));
}
