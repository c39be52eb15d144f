import type { HomeRecord, Homes } from '../../catalogue/homes.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { type DiskSpace, diskSpace } from '../../storage/inspect.ts';
import type { Output } from '../contract/contract.ts';

interface DiskParts {
  /** The data folder. */
  readonly folder: string;
  readonly homes: Pick<Homes, 'records'>;
  readonly disk: Pick<Disk, 'whileAnswering'>;
}

/** The free space of the disks of a household, each once. One that does not answer is left out. */
export async function disksOf({ folder, homes, disk }: DiskParts): Promise<Output<'status'>['disks']> {
  const outside = (await homes.records()).filter(({ isOutside, trashed }) => isOutside && trashed === null);
  const ofHome = ({ homeRoot }: HomeRecord) =>
    spaceAt(homeRoot.root, () => disk.whileAnswering(homeRoot, () => diskSpace(homeRoot.root)));
  const found = await Promise.all([spaceAt(folder, () => diskSpace(folder)), ...outside.map(ofHome)]);
  const byDevice = new Map<number, Output<'status'>['disks'][number]>();
  for (const one of found) {
    if (one === null || byDevice.has(one.device)) continue;
    byDevice.set(one.device, { path: one.path, free: one.free, size: one.size });
  }
  return [...byDevice.values()];
}

async function spaceAt(path: string, read: () => Promise<DiskSpace>): Promise<(DiskSpace & { path: string }) | null> {
  const space = await read().catch(() => null);
  return space === null ? null : { path, ...space };
}
