import { join } from 'node:path';
import { eraseStored } from '../storage/area.ts';
import { renameFlushed } from '../storage/plain-files.ts';
import type { ListedBackup } from './list.ts';
import type { Manifest } from './manifest.ts';
import { unfinishedName } from './names.ts';

type Whole = Pick<ListedBackup, 'name'> & { readonly manifest: Manifest };

/**
 * Which backups are too many. Those with files and those without are counted apart, so that a small one every night does not
 * push out the last one with files; and the newest that has something stays, whatever it is that no newer one has.
 * @param backups of one installation, the newest first
 */
export function tooMany<Backup extends Whole>(backups: readonly Backup[], keep: number): Backup[] {
  const kept = new Set<Backup>();
  for (const kind of [true, false]) {
    for (const one of backups.filter(({ manifest }) => (manifest.files !== null) === kind).slice(0, keep))
      kept.add(one);
  }
  for (const has of HAVE) {
    const newest = backups.find(({ manifest }) => has(manifest));
    if (newest !== undefined) kept.add(newest);
  }
  return backups.filter((one) => !kept.has(one));
}

const HAVE: readonly ((manifest: Manifest) => boolean)[] = [
  () => true,
  ({ keys }) => keys !== null,
  ({ files }) => files !== null,
  ({ files }) => files?.history === true,
];

/** Removes a backup. It loses its name first: what a power cut leaves of it passes for none. @throws the system's error */
export async function removeBackup(place: string, name: string, installation: string): Promise<void> {
  const going = join(place, unfinishedName(name, installation, 'removing'));
  await renameFlushed(join(place, name), going);
  await eraseStored(going);
}
