import { notFound } from '../../access/access.ts';
import { listVersions, type Version } from '../../files/versions/versions.ts';
import { ApiError } from '../../http/errors.ts';
import type { VersionsCall } from './call.ts';

export interface NamedVersion extends Version {
  /** In its address. */
  readonly name: string;
}

/**
 * The earlier contents of a file that the caller may see, newest first. Their names are their modification times in seconds, because
 * apps make the name of a version from its time. Several of one second have their numbers as well.
 * @throws ApiError `not_found` also for a folder
 */
export async function namedVersions({ context, caller, file }: VersionsCall): Promise<NamedVersion[]> {
  const all = await listVersions(context.files, caller, file).catch((error) => {
    throw error instanceof ApiError && error.code === 'invalid_path' ? notFound() : error;
  });
  const [, ...earlier] = all;
  const count = new Map<number, number>();
  for (const one of earlier) count.set(secondOf(one), (count.get(secondOf(one)) ?? 0) + 1);
  return earlier.map((one) => {
    const second = secondOf(one);
    return { ...one, name: count.get(second) === 1 ? String(second) : `${second}-${one.version}` };
  });
}

/** @throws ApiError `not_found` */
export async function versionNamed(call: VersionsCall): Promise<NamedVersion> {
  const found = (await namedVersions(call)).find(({ name }) => name === call.name);
  if (found === undefined) throw notFound();
  return found;
}

/** The same for what loses nothing: of several versions of one second, the newest has the second as its name, too. */
export async function versionMeant(call: VersionsCall): Promise<NamedVersion> {
  const all = await namedVersions(call);
  const found = all.find(({ name }) => name === call.name) ?? all.find((one) => String(secondOf(one)) === call.name);
  if (found === undefined) throw notFound();
  return found;
}

function secondOf({ mtime }: Version): number {
  return Math.floor(mtime / 1000);
}
