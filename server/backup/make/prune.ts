import { join } from 'node:path';
import type { Homes } from '../../catalogue/homes.ts';
import { MINUTE } from '../../lib/clock.ts';
import { t } from '../../messages/messages.ts';
import { eraseStored } from '../../storage/content/work-area.ts';
import type { Disk } from '../../storage/disk/disk.ts';
import { renameFlushed } from '../../storage/plain-files.ts';
import { type ListedBackup, madeAt } from '../format/list-backups.ts';
import type { Manifest } from '../format/manifest.ts';
import { unfinishedName } from '../format/names.ts';
import { BackupProblem } from '../format/problem.ts';
import { homeInside } from './home-inside.ts';

type Whole = Pick<ListedBackup, 'name'> & { readonly manifest: Manifest };

/**
 * Selects surplus backups. Those with and without files are counted separately, so that small daily ones do not displace the last
 * one with files. The newest backup of anything no newer one contains stays, too, even the files of a single home, whose disk may
 * be unavailable for longer than backups are retained.
 * @param backups of one installation, newest first
 * @param now milliseconds since the epoch. Backups dated in the future by a wrong clock count as the oldest, so that they do not
 * displace newer ones
 */
export function tooMany<Backup extends Whole>(backups: readonly Backup[], keep: number, now: number): Backup[] {
  const isOfFuture = ({ manifest }: Backup) => madeAt(manifest) > now + MINUTE;
  const inOrder = [...backups.filter((one) => !isOfFuture(one)), ...backups.filter(isOfFuture)];
  const kept = new Set<Backup>();
  for (const kind of [true, false]) {
    for (const one of inOrder.filter(({ manifest }) => (manifest.files !== null) === kind).slice(0, keep))
      kept.add(one);
  }
  const latest = inOrder.find(({ manifest }) => manifest.files !== null)?.manifest.files;
  const away = (latest?.homes ?? []).filter(({ state }) => state !== 'copied');
  for (const has of [...HAVE, ...away.map(({ id }) => hasHome(id))]) {
    const newest = inOrder.find(({ manifest }) => has(manifest));
    if (newest !== undefined) kept.add(newest);
  }
  return inOrder.filter((one) => !kept.has(one));
}

type Has = (manifest: Manifest) => boolean;

const HAVE: readonly Has[] = [
  () => true,
  ({ keys }) => keys !== null,
  ({ files }) => files !== null,
  ({ files }) => files?.history === true,
];

function hasHome(homeId: string): Has {
  return ({ files }) => files?.homes.some(({ id, state }) => id === homeId && state === 'copied') ?? false;
}

/**
 * Removes a backup. It loses its name first, so that after a power cut the rest does not count as a backup.
 * @param homes looked up now: a home that someone created inside the backup, even a moment ago, is not removed
 * @throws BackupProblem also if it cannot be told whether a home is inside, or the system's error
 */
export async function removeBackup(
  destination: string,
  name: string,
  {
    installation,
    homes,
    ...search
  }: { installation: string; homes: Pick<Homes, 'records'>; disk: Disk; signal?: AbortSignal },
): Promise<void> {
  const folder = join(destination, name);
  const home = await homeInside(folder, await homes.records(), search);
  if (home !== null) throw new BackupProblem(t('api.backup.homeInBackup', { home, backup: name }));
  const going = join(destination, unfinishedName(name, installation, 'removing'));
  await renameFlushed(folder, going);
  await eraseStored(going);
}
