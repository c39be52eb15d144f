import { existsSync } from 'node:fs';
import { programFile } from '../lib/program-files.ts';

/**
 * Made by the runner of the tests, beside what is built; every build removes it, and no package has it. Only with it can the
 * environment make a server fail on purpose, or hash passwords at less than their cost.
 */
const MARK = programFile('dist/test-build');

export function isTestBuild(): boolean {
  return existsSync(MARK);
}

/** Thousands of passwords at their full cost would take minutes of every test run. */
export function hasCheapPasswords(): boolean {
  return process.env.LARDER_CHEAP_PASSWORDS === '1' && isTestBuild();
}
