import { execFileSync, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, open, rm, statfs, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Whether a disk image can be mounted here. */
export function canMountLoop(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  return spawnSync('losetup', ['-f']).status === 0 && spawnSync('mkfs.ext4', ['-V']).status === 0;
}

/** How to make a file system, and the megabytes that it needs. */
const FILE_SYSTEMS = {
  ext4: { make: ['mkfs.ext4', '-q', '-m', '0'], version: '-V', needs: 40 },
  xfs: { make: ['mkfs.xfs', '-q'], version: '-V', needs: 320 },
  btrfs: { make: ['mkfs.btrfs', '-q'], version: '--version', needs: 128 },
} as const;

/** Those of an image, and the one in memory, which needs none. */
export type FileSystem = keyof typeof FILE_SYSTEMS | 'tmpfs';

export const fileSystems = [...Object.keys(FILE_SYSTEMS), 'tmpfs'] as FileSystem[];

/** Whether a disk with such a file system can be mounted here. */
export function canMount(system: FileSystem): boolean {
  if (system === 'tmpfs') return process.platform === 'linux' && process.getuid?.() === 0;
  const { make, version } = FILE_SYSTEMS[system];
  return canMountLoop() && spawnSync(make[0], [version]).status === 0;
}

/** A real small disk in an image, or in memory, with ext4 unless another file system is asked for. */
export class LoopDisk {
  readonly path: string;
  readonly #base: string;
  readonly #filler: string;

  private constructor(base: string) {
    this.#base = base;
    this.path = join(base, 'disk');
    this.#filler = join(this.path, 'filler');
  }

  /** @param blockSize bytes @param megabytes of the whole disk */
  static make(blockSize: number, megabytes = 40): Promise<LoopDisk> {
    return LoopDisk.#mount('ext4', megabytes, ['-b', String(blockSize)]);
  }

  static async with(system: FileSystem): Promise<LoopDisk> {
    if (system === 'tmpfs') {
      const disk = await LoopDisk.#at();
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64M', 'larder-tests', disk.path]);
      return disk;
    }
    return LoopDisk.#mount(system, FILE_SYSTEMS[system].needs, []);
  }

  static async #at(): Promise<LoopDisk> {
    const disk = new LoopDisk(await mkdtemp(join(tmpdir(), 'larder-loop-')));
    await mkdir(disk.path);
    return disk;
  }

  static async #mount(
    system: keyof typeof FILE_SYSTEMS,
    megabytes: number,
    options: readonly string[],
  ): Promise<LoopDisk> {
    const disk = await LoopDisk.#at();
    const image = join(disk.#base, 'image');
    execFileSync('truncate', ['-s', `${megabytes}M`, image]);
    const [program, ...rest] = FILE_SYSTEMS[system].make;
    execFileSync(program, [...rest, ...options, image]);
    execFileSync('mount', ['-o', 'loop', image, disk.path]);
    return disk;
  }

  /** Fills the disk except for so many bytes. */
  async fill(free: number): Promise<void> {
    const file = await open(this.#filler, 'a');
    try {
      for (const bytes of [65_536, 4_096, 1_024]) {
        const isFull = (error: NodeJS.ErrnoException) => {
          if (error.code !== 'ENOSPC') throw error;
          return true;
        };
        for (let full = false; !full; ) full = await file.write(Buffer.alloc(bytes, 1)).then(() => false, isFull);
      }
      const { size } = await file.stat();
      if (free > 0) await file.truncate(Math.max(0, size - free));
      await file.sync();
    } finally {
      await file.close();
    }
  }

  async makeRoom(): Promise<void> {
    await truncate(this.#filler, 0);
    execFileSync('sync', ['-f', this.path]);
  }

  async free(): Promise<number> {
    const { bavail, bsize } = await statfs(this.path);
    return bavail * bsize;
  }

  remount(how: 'ro' | 'rw'): void {
    execFileSync('mount', ['-o', `remount,${how}`, this.path]);
  }

  async remove(): Promise<void> {
    spawnSync('umount', ['-l', this.path]);
    await rm(this.#base, { recursive: true, force: true });
  }
}
