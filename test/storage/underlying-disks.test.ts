import { mkdir, mkdtemp, realpath, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { disksUnder } from '../../dist/server/storage/underlying-disks.js';

// What Linux says of disks, written as it writes it, for file systems that this machine does not have.

let base = '';
let folder = '';
let number = '';
let from = { mounts: '', sys: '' };

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'larder-disks-')));
});
afterAll(() => rm(base, { recursive: true, force: true }));
beforeEach(async () => {
  folder = await mkdtemp(join(base, 'case-'));
  from = { mounts: join(folder, 'mountinfo'), sys: join(folder, 'sys') };
  const { dev } = await stat(folder);
  number = `${(dev >> 8) & 0xfff}:${(dev & 0xff) | ((dev >> 12) & 0xfff00)}`;
});

/** A mount of the folder, below one of the whole system. */
const mounted = (type: string, source: string, of = number) =>
  writeFile(
    from.mounts,
    `22 1 254:0 / / rw - ext4 /dev/root rw\n36 22 ${of} / ${folder.replaceAll(' ', '\\040')} rw,noatime shared:1 - ${type} ${source} rw\n`,
  );

/** A block device in `sys/devices`. @param parts of which it is made */
async function device(path: string, { isPartition = false, parts = [] as string[], names = [] as string[] } = {}) {
  const at = join(from.sys, 'devices', path);
  await mkdir(join(at, 'slaves'), { recursive: true });
  if (isPartition) await writeFile(join(at, 'partition'), '1\n');
  for (const part of parts) await symlink(join(from.sys, 'devices', part), join(at, 'slaves', basename(part)));
  for (const name of names) {
    await mkdir(join(from.sys, name, '..'), { recursive: true });
    await symlink(at, join(from.sys, name));
  }
}

/** Whether the folder is on a device with a number, as on a disk; folders in memory and layered ones are not. */
const isOnDevice = (await stat(tmpdir())).dev >= 256 && process.platform === 'linux';

describe.skipIf(!isOnDevice)('the physical disks below a folder', () => {
  it('are the disk of its partition', async () => {
    await mounted('ext4', '/dev/sdb1');
    await device('sdb');
    await device('sdb/sdb1', { isPartition: true, names: [`dev/block/${number}`] });
    expect(await disksUnder(folder, from)).toEqual({ name: basename(folder), disks: new Set(['sdb']) });
  });

  it('are all of an array below an encrypted volume', async () => {
    await mounted('xfs', '/dev/mapper/home');
    await device('sda/sda2', { isPartition: true });
    await device('sdb/sdb2', { isPartition: true });
    await device('md0', { parts: ['sda/sda2', 'sdb/sdb2'] });
    await device('dm-0', { parts: ['md0'], names: [`dev/block/${number}`] });
    expect((await disksUnder(folder, from))?.disks).toEqual(new Set(['sda', 'sdb']));
  });

  it('are unknown for a volume whose parts are not listed, and in memory', async () => {
    for (const name of ['dm-1', 'md1', 'ram0', 'zram0', 'nbd0']) {
      await rm(join(from.sys), { recursive: true, force: true });
      await mounted('ext4', `/dev/${name}`);
      await device(name, { names: [`dev/block/${number}`] });
      expect(await disksUnder(folder, from), name).toBeNull();
    }
  });

  it('are unknown if the device of the folder differs from the mounted one', async () => {
    await mounted('ext4', '/dev/sdb1', '8:250');
    await device('sdb', { names: ['dev/block/8:250', `dev/block/${number}`] });
    expect(await disksUnder(folder, from)).toBeNull();
  });
});

describe.skipIf(process.platform !== 'linux')('the disks below other file systems', () => {
  it('are all devices of a btrfs volume', async () => {
    const source = join(folder, 'sdc');
    await writeFile(source, '');
    await mounted('btrfs', source, '0:44');
    await device('sdc', { names: ['class/block/sdc'] });
    await device('sdd/sdd1', { isPartition: true, names: ['class/block/sdd1'] });
    for (const name of ['sdc', 'sdd1']) await mkdir(join(from.sys, 'fs/btrfs/one/devices', name), { recursive: true });
    expect((await disksUnder(folder, from))?.disks).toEqual(new Set(['sdc', 'sdd']));
  });

  it('are unknown for network file systems and missing folders', async () => {
    await mounted('nfs4', 'nas:/backups', '0:51');
    expect(await disksUnder(folder, from)).toBeNull();
    expect(await disksUnder(join(folder, 'none'), from)).toBeNull();
  });
});
