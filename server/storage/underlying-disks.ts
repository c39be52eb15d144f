import { readdir, readFile, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';

/** What a folder is stored on. */
interface UnderlyingDisks {
  /** The name of the place where its file system is connected, such as `usb`; empty for the file system of the operating system. */
  readonly name: string;
  /** The physical disks below it, by the names that the system gives them. */
  readonly disks: ReadonlySet<string>;
}

/** Finds the physical disks below a path, or null where that is not certain. */
export type DisksUnder = (path: string) => Promise<UnderlyingDisks | null>;

/** Where Linux describes its disks. */
interface SystemFolders {
  readonly mounts: string;
  readonly sys: string;
}

const LINUX: SystemFolders = { mounts: '/proc/self/mountinfo', sys: '/sys' };

/** Nested volumes, such as an encrypted one on a logical one on an array. */
const DEEPEST = 8;

/**
 * The physical disks below a path: two file systems, partitions or volumes can be on one disk, and break together with it. Null when
 * it is not certain, as for disks of a network, for file systems in memory, and on systems other than Linux.
 */
export async function disksUnder(path: string, from: SystemFolders = LINUX): Promise<UnderlyingDisks | null> {
  if (process.platform !== 'linux') return null;
  try {
    const mount = mountOf(await realpath(path), await readFile(from.mounts, 'utf8'));
    if (mount === null) return null;
    const devices =
      mount.type === 'btrfs' ? await devicesOfBtrfs(mount.source, from) : await deviceOf(path, mount, from);
    const disks = new Set<string>();
    for (const device of devices) {
      const below = await disksBelow(device, from, 0);
      if (below === null) return null;
      for (const disk of below) disks.add(disk);
    }
    return disks.size === 0 ? null : { name: basename(mount.place), disks };
  } catch {
    // Whatever cannot be read is not certain.
    return null;
  }
}

interface Mount {
  /** Of the block device, such as `8:1`. */
  readonly number: string;
  readonly place: string;
  readonly type: string;
  readonly source: string;
}

/** The mount that a path is on: of several at one place, the last covers the others (proc_pid_mountinfo(5)). */
function mountOf(path: string, mounts: string): Mount | null {
  let found: Mount | null = null;
  for (const line of mounts.split('\n')) {
    const [before = '', after = ''] = line.split(' - ');
    const [, , number = '', , place = ''] = before.split(' ').map(unescaped);
    const [type = '', source = ''] = after.split(' ').map(unescaped);
    const isAbove = place !== '' && (place === '/' || path === place || path.startsWith(`${place}/`));
    if (isAbove && place.length >= (found?.place.length ?? 0)) found = { number, place, type, source };
  }
  return found;
}

/** Spaces and other characters are octal numbers there. */
function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
}

/** @returns the folder that describes the device of a mount; none for a file system without a device */
async function deviceOf(path: string, { number }: Mount, { sys }: SystemFolders): Promise<string[]> {
  const device = (await stat(path, { bigint: true })).dev;
  // Major and minor number, as of makedev(3).
  const major = ((device >> 8n) & 0xfffn) | ((device >> 32n) & ~0xfffn);
  const minor = (device & 0xffn) | ((device >> 12n) & ~0xffn);
  return major === 0n || number !== `${major}:${minor}` ? [] : [join(sys, 'dev/block', number)];
}

/** A file system of btrfs can be on several devices. */
async function devicesOfBtrfs(source: string, { sys }: SystemFolders): Promise<string[]> {
  const name = basename(await realpath(source));
  const all = join(sys, 'fs/btrfs');
  for (const id of await readdir(all)) {
    const devices = await namesIn(join(all, id, 'devices'));
    if (devices.includes(name)) return devices.map((device) => join(sys, 'class/block', device));
  }
  return [];
}

async function disksBelow(described: string, from: SystemFolders, depth: number): Promise<ReadonlySet<string> | null> {
  if (depth > DEEPEST) return null;
  const device = await realpath(described);
  const isPartition = (await namesIn(device)).includes('partition');
  const whole = isPartition ? dirname(device) : device;
  const name = basename(whole);
  const parts = await namesIn(join(whole, 'slaves'));
  const disks = new Set<string>();
  for (const part of parts) {
    const below = await disksBelow(join(whole, 'slaves', part), from, depth + 1);
    if (below === null) return null;
    for (const disk of below) disks.add(disk);
  }
  if (parts.length > 0) return disks;
  if (name.startsWith('loop')) {
    const file = (await readFile(join(whole, 'loop/backing_file'), 'utf8')).trimEnd();
    return (await disksUnder(file, from))?.disks ?? null;
  }
  // In memory, from a network, or made of parts that are not known.
  return /^(?:ram|zram|dm-|md|nbd|rbd|drbd)/.test(name) ? null : new Set([name]);
}

async function namesIn(folder: string): Promise<string[]> {
  return readdir(folder).catch(() => []);
}
