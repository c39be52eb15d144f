import type { Reporter } from 'vitest/node';
import { electronProgram } from '../../desktop/electron-program.ts';

/** Begins the report with the versions of Node and Electron: results for one do not apply to the other. */
export default class OpeningLineReporter implements Reporter {
  onInit(): void {
    const program = electronProgram();
    const what =
      program === null
        ? 'what stands in for Electron, whose program is not here (npx install-electron brings it)'
        : `Electron, ${program}`;
    process.stdout.write(`Desktop tests run on ${what}.\n`);
  }
}
