import { writeFileSync } from 'node:fs';
import { relative } from 'node:path';
import type { Reporter, TestCase, TestModule, TestSuite, Vitest } from 'vitest/node';

/** What a run found, for `test/run.mjs`. */
export interface RunResults {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** The files with failures, relative to the project. */
  readonly failedFiles: readonly FileResults[];
  /** Errors that belong to no file. */
  readonly otherErrors: number;
  /** Whether it ended early because tests hang. */
  readonly hasHung: boolean;
}

export interface FileResults {
  readonly path: string;
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
}

/** So many files in which a test or a hook reached its deadline end the run: the rest would hang as well. */
const HUNG_FILES = 3;

/**
 * Ends the run with one plain line, `N passed, N failed, N skipped`, for programs that read the output. With
 * `LARDER_TEST_RESULTS=<file>` the results are written there instead, for a program that looks at them again.
 */
export default class ClosingLineReporter implements Reporter {
  #vitest: Vitest | null = null;
  readonly #hung = new Set<string>();
  #hasEnded = false;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestCaseResult(test: TestCase): void {
    this.#lookForHung(test.module, test.result().errors ?? []);
  }

  /** A hook that hangs. */
  onTestSuiteResult(suite: TestSuite): void {
    this.#lookForHung(suite.module, suite.errors());
  }

  onTestModuleEnd(module: TestModule): void {
    this.#lookForHung(module, module.errors());
  }

  #lookForHung({ moduleId }: TestModule, errors: readonly { readonly message?: string }[]): void {
    if (!errors.some(({ message }) => /\btimed out in \d+ms\b/.test(message ?? ''))) return;
    this.#hung.add(moduleId);
    if (this.#hung.size !== HUNG_FILES || this.#hasEnded) return;
    this.#hasEnded = true;
    process.stdout.write(`\nTests hang in ${this.#hung.size} files: the run ends.\n`);
    void this.#vitest?.cancelCurrentRun('test-failure');
  }

  /** Failures outside of tests, such as in hooks, count too. */
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const files = modules.map(resultsOf);
    const sum = (of: keyof Omit<FileResults, 'path'>) => files.reduce((total, file) => total + file[of], 0);
    const results: RunResults = {
      passed: sum('passed'),
      failed: sum('failed') + unhandled.length,
      skipped: sum('skipped'),
      failedFiles: files.filter(({ failed }) => failed > 0),
      otherErrors: unhandled.length,
      hasHung: this.#hasEnded,
    };
    const place = process.env.LARDER_TEST_RESULTS;
    if (place !== undefined) writeFileSync(place, JSON.stringify(results));
    else process.stdout.write(`\n${results.passed} passed, ${results.failed} failed, ${results.skipped} skipped\n`);
  }
}

function resultsOf(module: TestModule): FileResults {
  const counts = { passed: 0, failed: 0, skipped: 0 };
  for (const test of module.children.allTests()) {
    const { state } = test.result();
    if (state === 'pending') counts.skipped += 1;
    else counts[state] += 1;
  }
  for (const suite of [module, ...module.children.allSuites()]) counts.failed += suite.errors().length;
  return { path: relative(process.cwd(), module.moduleId).replaceAll('\\', '/'), ...counts };
}
