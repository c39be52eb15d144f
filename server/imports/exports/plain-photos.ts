import { isJson, isNamedAsPhotos, placeOf } from '../takeout/entries.ts';
import { type ExportEntry, isMedia } from './entries.ts';

/**
 * Which archives are folders of photos that nothing describes, as people pack them themselves. JSONs of other archives may belong to
 * photos in folders with the same name, because a Google Takeout comes in parts.
 * @param entries of the archives that are of no other service for sure
 * @returns the numbers of the archives
 */
export function isPlainPhotos(entries: readonly ExportEntry[]): ReadonlySet<number> {
  const described = new Set<string>();
  const [withPhotos, others] = [new Set<number>(), new Set<number>()];
  const keyOf = (path: string) => placeOf(path).folders.join('/');
  for (const { archive, path } of entries) {
    const [top = ''] = path.split('/', 1);
    if (/^takeout$/i.test(top) || isNamedAsPhotos(top)) others.add(archive);
    if (isMedia(placeOf(path).name)) withPhotos.add(archive);
    if (!isJson(path)) continue;
    others.add(archive);
    described.add(keyOf(path));
  }
  for (const { archive, path } of entries) if (described.has(keyOf(path))) others.add(archive);
  return new Set([...withPhotos].filter((archive) => !others.has(archive)));
}
