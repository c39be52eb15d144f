import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The path of an installed program: the first one in the search path of the environment, or null. */
export function findProgram(name: string, environment: NodeJS.ProcessEnv): string | null {
  const isWindows = process.platform === 'win32';
  const file = isWindows ? `${name}.exe` : name;
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter);
  // Never from the current folder.
  for (const folder of folders.filter(isAbsolute)) {
    const path = join(folder, file);
    try {
      accessSync(path, isWindows ? constants.F_OK : constants.X_OK);
      if (statSync(path).isFile()) return path;
    } catch {
      // Not there.
    }
  }
  return null;
}
