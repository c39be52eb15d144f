/** `larder-2026-11-22T031500Z`, with `-2` for a second one within the same second. */
const NAME = /^larder-\d{4}-\d\d-\d\dT\d{6}Z(?:-\d{1,6})?$/;

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/**
 * Numbers within one second go on after the highest in use, so that a removed backup never gives its place in the order to a newer one.
 * @param time milliseconds since the epoch
 * @param inUse the names at the destination
 */
export function newBackupName(time: number, inUse: readonly string[]): string {
  const base = `larder-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  const same = inUse.filter((name) => isBackupName(name) && (name === base || name.startsWith(`${base}-`)));
  return same.length === 0 ? base : `${base}-${Math.max(...same.map(numberInSecond)) + 1}`;
}

/** Counts from 1 the backups of one second, in the order they were made. */
export function numberInSecond(name: string): number {
  return Number(/Z-(\d+)$/.exec(name)?.[1] ?? 1);
}

/**
 * The name of a backup while it is written or removed. It includes the installation: several may share a destination, and each
 * clears away only its own leftovers.
 */
export function unfinishedName(name: string, installation: string, what: 'partial' | 'removing'): string {
  return `${name}.${installation.slice(0, 8)}.${what}`;
}

export function isLeftover(name: string, installation: string): boolean {
  const found = /^(.+)\.([0-9a-f-]{8})\.(?:partial|removing)$/.exec(name);
  return found !== null && isBackupName(found[1] ?? '') && found[2] === installation.slice(0, 8);
}
