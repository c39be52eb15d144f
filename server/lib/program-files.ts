import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the project or of the packaged application: the nearest parent of this module that has a package.json. */
const ROOT = rootAbove(dirname(fileURLToPath(import.meta.url)));

function rootAbove(folder: string): string {
  if (existsSync(join(folder, 'package.json'))) return folder;
  const parent = dirname(folder);
  if (parent === folder) throw new Error('The files of the program are incomplete: there is no package.json.');
  return rootAbove(parent);
}

/**
 * A file or folder that ships with the program. Modules are bundled, so they must not look for files relative to themselves.
 *
 * @param path relative to the root of the program, with `/`, such as `assets/mail/mark.png`; '' for the root itself
 * @returns an absolute path
 */
export function programFile(path: string): string {
  return join(ROOT, path);
}

/** Programs that run beside the server, in separate processes or threads. `server/vite.config.ts` builds one file of each. */
type EntryPoint =
  | 'archive-worker'
  | 'disk-thread'
  | 'embedded-worker'
  | 'image-worker'
  | 'password-thread'
  | 'text-worker'
  | 'thumbnail-worker';

/** @returns the absolute path of the built program */
export function entryPoint(name: EntryPoint): string {
  return programFile(`dist/bundle/${name}.js`);
}
