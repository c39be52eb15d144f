import { isNamedAsExport } from '../exports/missing-parts.ts';
import { isNamedAsPhotos } from '../takeout/entries.ts';

/** Where an unpacked export begins. */
interface ExportRoot {
  /** The path of the folder that its archive was unpacked into, with a slash at the end; empty for the folder that was chosen. */
  readonly path: string;
  /** What the archive was called, as far as the name of the folder says so; null if it does not. */
  readonly archive: string | null;
}

const TAKEOUT = /^takeout$/i;

/**
 * Finds where an unpacked export begins: what was unpacked from different archives lies in different folders, and an archive knows
 * nothing of the folder that it is unpacked into.
 * @param folders those of a file, below the folder that was chosen
 */
export function rootOf(folders: readonly string[]): ExportRoot {
  const takeout = folders.findIndex((folder) => TAKEOUT.test(folder));
  if (takeout >= 0) return rootAt(folders.slice(0, takeout));
  const named = folders.findIndex((folder) => isNamedAsExport(`${folder}.zip`));
  if (named >= 0) return rootAt(folders.slice(0, named + 1));
  const photos = folders.findIndex(isNamedAsPhotos);
  return photos >= 0 ? rootAt(folders.slice(0, photos)) : rootAt([]);
}

function rootAt(folders: readonly string[]): ExportRoot {
  const last = folders.at(-1);
  if (last === undefined) return { path: '', archive: null };
  const archive = `${last}.zip`;
  return { path: `${folders.join('/')}/`, archive: isNamedAsExport(archive) ? archive : null };
}

/** Whether a ZIP file is an archive of an export, and not one that was stored in Google Drive or Google Photos. */
export function isArchivePath(path: string): boolean {
  const folders = path.split('/');
  const name = folders.pop() ?? '';
  return /\.zip$/i.test(name) && !folders.some((folder) => TAKEOUT.test(folder) || isNamedAsPhotos(folder));
}

/** What paths below a chosen folder begin with in the archive: the folder may be one of the archive's own. */
export function prefixOf(folder: string): string {
  return TAKEOUT.test(folder) ? `${folder}/` : '';
}
