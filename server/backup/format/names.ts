/** `larder-2026-11-22T031500Z`, with `-2` for a second one within the same second. */
const NAME = /^larder-\d{4}-\d\d-\d\dT\d{6}Z(?:-\d{1,3})?$/;

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/** @param time milliseconds since the epoch @param taken whether a backup has that name */
export async function newBackupName(time: number, taken: (name: string) => Promise<boolean>): Promise<string> {
  const base = `larder-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  let name = base;
  for (let count = 2; await taken(name); count += 1) name = `${base}-${count}`;
  return name;
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
