import { existsSync } from 'node:fs';

/**
 * Made by the runner of the tests, beside what is built; every build removes it, and no package has it. Only with it can the
 * environment make a server fail on purpose.
 */
const MARK = new URL('../../test-build', import.meta.url);

export function isTestBuild(): boolean {
  return existsSync(MARK);
}
