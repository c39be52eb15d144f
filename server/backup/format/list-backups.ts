import { join } from 'node:path';
import { namesIn } from '../../storage/inspect.ts';
import { type Manifest, partsOf, readManifest } from './manifest.ts';
import { isBackupName, numberInSecond } from './names.ts';

/** A backup at a destination, as described by its manifest. */
export interface ListedBackup {
  readonly name: string;
  /** Absolute. */
  readonly folder: string;
  /** Null if the manifest is damaged. */
  readonly manifest: Manifest | null;
  /** The problem, as a sentence. */
  readonly problem: string | null;
}

/** The finished backups at a destination, of any installation, newest first. Reads only their manifests. */
export async function backupsIn(destination: string): Promise<ListedBackup[]> {
  const names = ((await namesIn(destination)) ?? []).filter(isBackupName);
  const found: ListedBackup[] = [];
  for (const name of names) {
    const folder = join(destination, name);
    const [manifest, problem] = await readManifest(folder).then(
      (read) => [read, null] as const,
      (error: Error) => [null, error.message] as const,
    );
    found.push({ name, folder, manifest, problem });
  }
  return found.sort((a, b) => orderOf(b) - orderOf(a) || compareNames(b.name, a.name));
}

/** Milliseconds since the epoch. */
export function madeAt({ madeAt: text }: Manifest): number {
  return Date.parse(text);
}

/** Backups dated the same second: their names tell which is the newer one. */
function compareNames(a: string, b: string): number {
  const [timeA = '', timeB = ''] = [a, b].map((name) => name.split('Z')[0]);
  if (timeA !== timeB) return timeA < timeB ? -1 : 1;
  return numberInSecond(a) - numberInSecond(b);
}

function orderOf({ manifest }: ListedBackup): number {
  return manifest === null ? 0 : madeAt(manifest);
}

/** The total size, people's files included. */
export function bytesOf(manifest: Manifest): number {
  return partsOf(manifest).reduce((sum, { bytes }) => sum + bytes, manifest.files?.bytes ?? 0);
}

/** The intact backups of an installation, newest first. */
export async function ownBackups(
  destination: string,
  installation: string,
): Promise<(ListedBackup & { manifest: Manifest })[]> {
  const all = await backupsIn(destination);
  return all.filter((one): one is ListedBackup & { manifest: Manifest } => one.manifest?.installation === installation);
}
