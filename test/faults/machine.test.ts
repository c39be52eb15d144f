import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, open, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { OWNER } from '../support/households/household.ts';
import { Installation } from '../support/households/server-process.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { t } from '../support/server-texts.ts';

const HOME = '/ROOT/HOME';
const canMount = process.getuid?.() === 0 && process.platform === 'linux';
const mount = (...args: string[]) => execFileSync('mount', args);

/** Two disks of their own: one with the installation, and one that is a member's home. */
describe.runIf(canMount)('the disks of a running server', () => {
  let base: string;
  let own: string;
  let backing: string;
  let disk: string;
  let installation: Installation;
  let owner: ApiClient;
  let mia: ApiClient;
  let isOwnWritable = true;

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'larder-disks-'));
    [own, backing, disk] = [join(base, 'own'), join(base, 'backing'), join(base, 'disk')];
    for (const folder of [own, backing, disk]) await mkdir(folder);
    mount('-t', 'tmpfs', '-o', 'size=30m', 'tmpfs', own);
    mount('-t', 'tmpfs', '-o', 'size=10m', 'tmpfs', backing);
    mount('--bind', backing, disk);
    installation = await Installation.create(own);
    owner = await installation.start();
    await installation.control('accounts.add', {
      username: 'mia',
      password: OWNER.password,
      name: 'Mia',
      homeFolder: disk,
      adoptHomeFolder: true,
    });
    mia = owner.with(await installation.token('mia', OWNER.password));
    for (const content of ['first', 'second']) await put('kept.txt', content);
  });
  afterAll(async () => {
    if (!isOwnWritable) mount('-o', 'remount,rw', own);
    await installation?.remove();
    for (const folder of [disk, backing, own]) execFileSync('umount', ['-l', folder]);
    await rm(base, { recursive: true });
  });

  const put = (name: string, content: string | Buffer) => mia.put({ path: `${HOME}/${name}` }, content);
  const names = async () =>
    (await mia.get('files/browse', { path: HOME })).body.data.files.map(
      ({ filename }: { filename: string }) => filename,
    );
  const text = async (name: string) => (await mia.get('files/download', { path: `${HOME}/${name}` })).text;
  const signIn = () => installation.token('mia', OWNER.password).catch((error: Error) => error.message);
  const areaOf = (name: string) => readdir(join(disk, '.larder-area', name));
  /** Says nothing of the inside, and is one of the codes. */
  const said = ({ status, text: body, body: { code } }: Reply) => {
    expect(body).not.toMatch(/SQLITE|E[A-Z]{4,}|\/tmp\//);
    return [status, code];
  };
  /** Takes all the room there is beside the database. */
  async function fill(): Promise<string> {
    const file = await open(join(own, 'filler'), 'w');
    for (const bytes of [65_536, 4_096, 1]) {
      const full = (error: NodeJS.ErrnoException) => error.code === 'ENOSPC';
      for (let isFull = false; !isFull; ) isFull = await file.write(Buffer.alloc(bytes)).then(() => false, full);
    }
    await file.close();
    return join(own, 'filler');
  }
  async function expectAllWell(): Promise<void> {
    await expect
      .poll(async () => {
        const { problems, notes } = await installation.doctor();
        // These disks are small.
        const wrong = problems.filter((text) => !/are free in/.test(text));
        return [...wrong, ...notes.filter((note) => /other programs|belongs to nothing|interrupted/.test(note))];
      })
      .toEqual([]);
  }

  it('a home on a full disk reports it, loses nothing, and works again when there is space', async () => {
    await mia.post('files/createfolder', { path: HOME, name: 'folder' });
    await put('fits.bin', Buffer.alloc(6_000_000));
    const before = await names();
    const refused = [
      await put('too-large.bin', Buffer.alloc(8_000_000)),
      await put('kept.txt', Buffer.alloc(8_000_000)),
      await mia.post('files/copy', { path: `${HOME}/fits.bin`, copyTo: `${HOME}/folder` }),
    ];
    expect(refused.map(said)).toEqual(refused.map(() => [507, 'disk_full']));
    expect([await names(), await text('kept.txt'), await areaOf('incoming')]).toEqual([before, 'second', []]);
    expect((await mia.post('files/delete', { path: `${HOME}/fits.bin`, permanent: 1 })).status).toBe(200);
    await expect.poll(async () => (await put('again.bin', Buffer.alloc(4_000_000))).status).toBeLessThan(300);
    await expectAllWell();
  });

  itInFull('a home on a read-only disk reports it, and is writable again when the disk is', async () => {
    mount('-o', 'remount,ro', backing);
    mount('-o', 'remount,ro,bind', disk);
    const refused = [
      await put('new.txt', 'new'),
      await put('kept.txt', 'third'),
      await mia.post('files/rename', { path: `${HOME}/kept.txt`, newName: 'renamed.txt' }),
      await mia.post('files/delete', { path: `${HOME}/kept.txt` }),
      await mia.post('files/createfolder', { path: HOME, name: 'other' }),
    ];
    expect(refused.map(said)).toEqual(refused.map(() => [503, 'temporarily_unavailable']));
    expect([(await names()).includes('kept.txt'), await text('kept.txt')]).toEqual([true, 'second']);
    // Also over a start, which has something to clear away there.
    await installation.kill();
    mount('-o', 'remount,rw', backing);
    await writeFile(join(backing, '.larder-area', 'incoming', 'left'), 'of an upload');
    mount('-o', 'remount,ro', backing);
    mia = (await installation.start()).with(mia.token_ ?? '');
    expect(await text('kept.txt')).toBe('second');
    mount('-o', 'remount,rw', backing);
    mount('-o', 'remount,rw,bind', disk);
    expect((await put('new.txt', 'new')).status).toBe(201);
    await expectAllWell();
  });

  it('a home whose disk is removed or exchanged loses none of its stored metadata', async () => {
    const path = `${HOME}/kept.txt`;
    await mia.post('files/star', { path });
    await mia.post('comments/add', { path, comment: 'hello' });
    await mia.post('files/weblink', { path });
    const details = { path: HOME, 'details[]': ['uuid', 'version', 'weblink', 'comments', 'starred'] };
    const remembered = async () => JSON.stringify((await mia.get('files/browse', details)).body.data);
    const before = await remembered();
    // With an upload on its way, which began while the disk was there.
    const idle = await areaOf('incoming');
    const slow = async function* () {
      for (let piece = 0; piece < 20; piece += 1) {
        yield Buffer.alloc(10_000, 'x');
        if (piece !== 5) continue;
        await expect.poll(() => areaOf('incoming')).not.toEqual(idle);
        execFileSync('umount', ['-l', disk]);
      }
    };
    const under = await mia.put({ path: `${HOME}/under-way.bin` }, Readable.from(slow()));
    expect(said(under)).toEqual([503, 'storage_offline']);
    for (const exchanged of [false, true]) {
      if (exchanged) mount('-t', 'tmpfs', 'tmpfs', disk);
      const refused = [
        await put('new.txt', 'lost?'),
        await mia.get('files/browse', { path: HOME }),
        await mia.get('files/download', { path }),
        await mia.post('files/delete', { path }),
        await mia.post('files/createfolder', { path: HOME, name: 'folder' }),
      ];
      expect(refused.map(said)).toEqual(refused.map(() => [503, 'storage_offline']));
      await installation.control('doctor', { repair: true });
      expect(await readdir(disk)).toEqual([]);
      if (exchanged) execFileSync('umount', [disk]);
    }
    // Away also over a start.
    await installation.kill();
    mia = (await installation.start()).with(mia.token_ ?? '');
    expect(said(await mia.get('files/browse', { path: HOME }))).toEqual([503, 'storage_offline']);
    expect(said(await put('new.txt', 'lost?'))).toEqual([503, 'storage_offline']);
    mount('--bind', backing, disk);
    await expect.poll(remembered).toBe(before);
    expect(await text('kept.txt')).toBe('second');
    expect((await mia.get('files/versions/list', { path })).body.data.versions).toHaveLength(2);
    await expectAllWell();
  });

  it('a full disk of the database refuses uploads, allows signing in, and loses nothing', async () => {
    const incoming = await areaOf('incoming');
    const filler = await fill();
    // What the log of the database has room for already may still be written.
    const refusal = await expect
      .poll(async () => said(await put(`n${Math.random()}.txt`, 'x')))
      .toEqual([507, 'disk_full'])
      .then(() => true);
    expect(refusal).toBe(true);
    expect(await text('kept.txt')).toBe('second');
    expect(await names()).toContain('kept.txt');
    // The reserve is for that.
    expect(await signIn()).not.toMatch(/no token/);
    await rm(filler);
    expect((await put('room.txt', 'x')).status).toBe(201);
    expect(await signIn()).not.toMatch(/no token/);
    expect(await areaOf('incoming')).toEqual(incoming);
    await expectAllWell();
  });

  itInFull('a start on a full or read-only disk serves existing files', async () => {
    await installation.kill();
    mount('-o', 'remount,ro', own);
    isOwnWritable = false;
    mia = (await installation.start()).with(mia.token_ ?? '');
    expect(await text('kept.txt')).toBe('second');
    expect(await signIn()).toContain(t('api.service.readOnly'));
    // It removes its temporary copy of the database.
    await installation.stop();
    mount('-o', 'remount,rw', own);
    isOwnWritable = true;
    const filler = await fill();
    mia = (await installation.start()).with(mia.token_ ?? '');
    expect(await text('kept.txt')).toBe('second');
    expect(await signIn()).not.toMatch(/no token/);
    await installation.kill();
    await rm(filler);
    mia = (await installation.start()).with(mia.token_ ?? '');
    expect(await text('kept.txt')).toBe('second');
  });
});
