import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { Installation } from '../../support/households/server-process.ts';

let points: string;
let household: Household | undefined;

beforeEach(async () => {
  points = await mkdtemp(join(tmpdir(), 'larder-points-'));
});
afterEach(async () => {
  await household?.close();
  household = undefined;
  await rm(points, { recursive: true, force: true });
});

async function withFailPoints(actions: string) {
  household = await openHousehold({ config: { failPoints: `${points};${actions}` } });
  return { household, api: await household.signIn() };
}

/** Does `meanwhile` while the server stands at the point, then lets it go on. */
async function whilePausedAt<T>(point: string, work: Promise<T>, meanwhile: () => Promise<void>): Promise<T> {
  await expect.poll(() => existsSync(join(points, `${point}.reached`))).toBe(true);
  await meanwhile();
  await writeFile(join(points, `${point}.go`), '');
  return work;
}

describe('a disk that is full', () => {
  it.each(['storage.receive.write', 'storage.receive.flush', 'storage.publish.found-folder'])(
    'is reported with 507 at %s, and leaves nothing behind',
    async (point) => {
      const { household, api } = await withFailPoints(`${point}=enospc`);
      await writeFile(join(household.home, 'old.txt'), 'old');
      for (const name of ['new.txt', 'old.txt']) {
        const reply = await api.put({ path: `/ROOT/HOME/${name}` }, 'new');
        expect([reply.status, reply.body.code]).toEqual([507, 'disk_full']);
      }
      expect(existsSync(join(points, `${point}.reached`))).toBe(true);
      expect((await readdir(household.home)).sort()).toEqual(['.larder-home', 'old.txt']);
      expect(await readFile(join(household.home, 'old.txt'), 'utf8')).toBe('old');
      expect(await readdir(join(household.folder, '.larder', 'incoming'))).toEqual([]);
      expect(await readdir(join(household.folder, '.larder', 'versions'))).toEqual([]);
      expect(await household.control('doctor')).toMatchObject({ ok: true });
    },
  );

  const canMount = process.getuid?.() === 0 && process.platform === 'linux';
  it.runIf(canMount)('is reported on a real small file system, and writes work again when there is space', async () => {
    const mount = join(points, 'small');
    await mkdir(mount);
    execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=12m', 'tmpfs', mount]);
    let installation: Installation | undefined;
    try {
      installation = await Installation.create(mount);
      const api = await installation.start();
      expect((await api.put({ path: '/ROOT/HOME/fits.bin' }, Buffer.alloc(4_000_000))).status).toBe(201);
      const full = await api.put({ path: '/ROOT/HOME/too-large.bin' }, Buffer.alloc(20_000_000));
      expect([full.status, full.body.code]).toEqual([507, 'disk_full']);
      expect(await readdir(installation.home)).not.toContain('too-large.bin');
      expect(await readdir(join(installation.folder, '.larder', 'incoming'))).toEqual([]);
      expect((await api.post('files/delete', { path: '/ROOT/HOME/fits.bin', permanent: 1 })).status).toBe(200);
      await expect
        .poll(async () => (await api.put({ path: '/ROOT/HOME/again.bin' }, Buffer.alloc(4_000_000))).status)
        .toBe(201);
    } finally {
      await installation?.remove();
      execFileSync('umount', ['-l', mount]);
    }
  });
});

describe('symbolic links that other programs put in place', () => {
  it('are not followed if they replace a file between the check and the opening', async () => {
    const { household, api } = await withFailPoints('storage.open=pause');
    await writeFile(join(household.folder, 'secret.txt'), 'secret');
    await writeFile(join(household.home, 'a.txt'), 'harmless');
    const reply = await whilePausedAt(
      'storage.open',
      api.get('files/download', { path: '/ROOT/HOME/a.txt' }),
      async () => {
        await rm(join(household.home, 'a.txt'));
        await symlink(join(household.folder, 'secret.txt'), join(household.home, 'a.txt'));
      },
    );
    expect([reply.status, reply.body.code]).toEqual([404, 'not_found']);
  });

  it('do not redirect a write if they replace the folder that was found', async () => {
    const { household, api } = await withFailPoints('storage.publish.found-folder=pause');
    const outside = join(household.folder, 'outside');
    const folder = join(household.home, 'folder');
    await mkdir(outside);
    await mkdir(folder);
    const work = api.put({ path: '/ROOT/HOME/folder/a.txt' }, 'content');
    await whilePausedAt('storage.publish.found-folder', work, async () => {
      await rename(folder, `${folder}.moved`);
      await symlink(outside, folder);
    });
    expect(await readdir(outside)).toEqual([]);
    expect(await readdir(`${folder}.moved`)).toEqual(['a.txt']);
  });

  it('do not let an upload replace a file that another program adds at the same moment', async () => {
    const { household, api } = await withFailPoints('storage.publish.chosen=pause');
    const target = join(household.home, 'shared.txt');
    const reply = await whilePausedAt(
      'storage.publish.chosen',
      api.put({ path: '/ROOT/HOME/shared.txt' }, 'by the app'),
      () => writeFile(target, 'by another program'),
    );
    expect([reply.status, reply.body.data.version]).toEqual([200, 2]);
    const versions = join(household.folder, '.larder', 'versions');
    const kept = await Promise.all((await readdir(versions)).map((name) => readFile(join(versions, name), 'utf8')));
    expect([await readFile(target, 'utf8'), ...kept]).toEqual(['by the app', 'by another program']);
  });
});
