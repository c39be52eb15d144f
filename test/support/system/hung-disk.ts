import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';

/** Whether an unserved file system can be mounted here. */
export function canHang(): boolean {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return false;
  try {
    accessSync('/dev/fuse', constants.R_OK | constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

const SCRIPT = 'mount -i -t fuse -o fd=9,rootmode=40000,user_id=0,group_id=0 hung "$1" && echo mounted && exec cat';

/** A disk that never responds: every access blocks in the kernel, as with a network disk that lost its server. */
export class HungDisk {
  readonly #folder: string;
  readonly #holder: ChildProcess;

  private constructor(folder: string, holder: ChildProcess) {
    this.#folder = folder;
    this.#holder = holder;
  }

  /** Mounts it over a folder. */
  static async over(folder: string): Promise<HungDisk> {
    const holder = spawn('bash', ['-c', `exec 9<>/dev/fuse; ${SCRIPT}`, 'hung', folder], { stdio: 'pipe' });
    const mounted = once(holder.stdout, 'data');
    await Promise.race([mounted, once(holder, 'exit').then(() => Promise.reject(new Error('not mounted')))]);
    return new HungDisk(folder, holder);
  }

  /** Unmounts it; blocked calls fail with an error. */
  async remove(): Promise<void> {
    if (this.#holder.exitCode !== null || this.#holder.signalCode !== null) return;
    execFileSync('umount', ['-l', this.#folder]);
    this.#holder.kill('SIGKILL');
    await once(this.#holder, 'exit');
  }
}
