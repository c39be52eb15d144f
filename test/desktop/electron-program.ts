import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGE = fileURLToPath(new URL('../../node_modules/electron', import.meta.url));

/** Where Electron's own program is, or null. The package itself would load it from the network when it is asked. */
export function electronProgram(): string | null {
  const folder = process.env.ELECTRON_OVERRIDE_DIST_PATH ?? join(PACKAGE, 'dist');
  const name = join(PACKAGE, 'path.txt');
  const program = join(folder, existsSync(name) ? readFileSync(name, 'utf8') : 'electron');
  return existsSync(program) ? program : null;
}
