import { existsSync } from 'node:fs';
import { programFile } from '../lib/program-files.ts';

/**
 * Made by the runner of the tests, beside what is built; every build removes it, and no package has it. Only with it can the
 * environment make a server fail on purpose.
 */
const MARK = programFile('dist/test-build');

export function isTestBuild(): boolean {
  return existsSync(MARK);
}
