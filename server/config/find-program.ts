import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** The path of a program that is installed on this machine: the first one on the path of the environment, or null. */
export function findProgram(name: string, environment: NodeJS.ProcessEnv): string | null {
  const isWindows = process.platform === 'win32';
  const file = isWindows ? `${name}.exe` : name;
  const folders = (environment.PATH ?? environment.Path ?? '').split(delimiter);
  // Not from the folder that somebody happens to be in.
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
