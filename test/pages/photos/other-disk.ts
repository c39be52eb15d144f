import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DisksUnder } from '../../../dist/server/storage/underlying-disks.js';

/** A folder for backups that counts as another disk. */
export interface OtherDisk {
  readonly folder: string;
  readonly name: string;
  /** For the household. */
  readonly disksUnder: DisksUnder;
  remove(): Promise<void>;
}

export async function openOtherDisk(): Promise<OtherDisk> {
  const folder = await mkdtemp(join(tmpdir(), 'larder-usb-'));
  const name = 'Attic disk';
  return {
    folder,
    name,
    disksUnder: async (path) =>
      path.startsWith(folder) ? { name, disks: new Set(['sdb']) } : { name: '', disks: new Set(['sda']) },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}
