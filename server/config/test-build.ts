import { existsSync } from 'node:fs';
import { programFile } from '../lib/program-files.ts';

/**
 * Created by the test runner beside the build; every build removes it, and no package contains it. Only with it can the
 * environment make a server fail on purpose, or hash passwords cheaply.
 */
const MARK = programFile('dist/test-build');

export function isTestBuild(): boolean {
  return existsSync(MARK);
}

/** Whether passwords are hashed cheaply: at full cost, thousands of them would add minutes to every test run. */
export function hasCheapPasswords(): boolean {
  return process.env.LARDER_CHEAP_PASSWORDS === '1' && isTestBuild();
}
