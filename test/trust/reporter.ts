import { writeFileSync } from 'node:fs';
import type { Reporter, TestCase } from 'vitest/node';

declare module 'vitest' {
  interface TaskMeta {
    /** What the report says of this test: what was tried, and what was found, in words. */
    trust?: {
      readonly tried: string;
      readonly found: string;
      /** False where what it takes is not here: then nothing is said of it. */
      readonly isTried?: boolean;
    };
  }
}

interface Row {
  readonly what: string;
  readonly tried: string;
  readonly found: string;
  readonly isFine: boolean;
  readonly isTried?: boolean;
}

/** Ends `npm run trust` with one table of everything that was tried, in Markdown. With `LARDER_REPORT`, it is written there as well. */
export default class TrustReporter implements Reporter {
  readonly #rows: Row[] = [];
  /** Tests of a file that say nothing of their own, by file. */
  readonly #silent = new Map<string, { passed: number; failed: number }>();

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === 'skipped') return;
    const isFine = state === 'passed';
    const { trust } = test.meta();
    if (trust !== undefined) {
      this.#rows.push({ what: test.name, ...trust, isFine });
      return;
    }
    const file = test.module.relativeModuleId;
    const counts = this.#silent.get(file) ?? { passed: 0, failed: 0 };
    counts[isFine ? 'passed' : 'failed'] += 1;
    this.#silent.set(file, counts);
  }

  /** Those files together that lie in one folder. */
  #folders(): Map<string, { files: number; passed: number; failed: number }> {
    const folders = new Map<string, { files: number; passed: number; failed: number }>();
    for (const [file, { passed, failed }] of this.#silent) {
      const folder = file.slice(0, file.lastIndexOf('/'));
      const sum = folders.get(folder) ?? { files: 0, passed: 0, failed: 0 };
      folders.set(folder, { files: sum.files + 1, passed: sum.passed + passed, failed: sum.failed + failed });
    }
    return folders;
  }

  onTestRunEnd(): void {
    const silent = [...this.#folders()].map(([folder, { files, passed, failed }]) => ({
      what: `\`${folder}\``,
      tried: `${passed + failed} tests in ${files} ${files === 1 ? 'file' : 'files'}`,
      found: failed === 0 ? 'all passed' : `${failed} failed`,
      isFine: failed === 0,
    }));
    const rows = [...this.#rows, ...silent.sort((a, b) => a.what.localeCompare(b.what))];
    const line = ({ what, tried, found, isFine, isTried = true }: Row) =>
      `| ${what} | ${tried} | ${found} | ${isTried ? (isFine ? 'holds' : '**fails**') : 'not tried'} |`;
    const table = ['| What | Tried | Found | |', '|---|---|---|---|', ...rows.map(line)].join('\n');
    process.stdout.write(`\n${table}\n`);
    const report = process.env.LARDER_REPORT;
    if (report !== undefined && report !== '') writeFileSync(report, `${table}\n`);
  }
}
