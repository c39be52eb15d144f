/** `larder-2026-11-22T031500Z`, and `-2` behind it for a second one within one second. */
const NAME = /^larder-\d{4}-\d\d-\d\dT\d{6}Z(?:-\d{1,3})?$/;

export function isBackupName(name: string): boolean {
  return NAME.test(name);
}

/** @param time milliseconds since the epoch @param taken whether a backup has the name */
export async function newBackupName(time: number, taken: (name: string) => Promise<boolean>): Promise<string> {
  const base = `larder-${new Date(time).toISOString().slice(0, 19).replaceAll(':', '')}Z`;
  let name = base;
  for (let count = 2; await taken(name); count += 1) name = `${base}-${count}`;
  return name;
}

/**
 * What a backup is called while it is written, or removed. It says whose it is: several installations may share a place, and
 * each clears away only what it left behind itself.
 */
export function unfinishedName(name: string, installation: string, what: 'partial' | 'removing'): string {
  return `${name}.${installation.slice(0, 8)}.${what}`;
}

export function isLeftover(name: string, installation: string): boolean {
  const found = /^(.+)\.([0-9a-f-]{8})\.(?:partial|removing)$/.exec(name);
  return found !== null && isBackupName(found[1] ?? '') && found[2] === installation.slice(0, 8);
}
