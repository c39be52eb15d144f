import type { Reporter, TestCase } from 'vitest/node';

/** Ends the run with one plain line, `N passed, N failed, N skipped`, for whatever reads the output. */
export default class ClosingLineReporter implements Reporter {
  #counts = { passed: 0, failed: 0, skipped: 0 };

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === 'passed' || state === 'failed' || state === 'skipped') this.#counts[state] += 1;
  }

  onTestRunEnd(_modules: unknown, unhandled: readonly unknown[]): void {
    const { passed, failed, skipped } = this.#counts;
    process.stdout.write(`\n${passed} passed, ${failed + unhandled.length} failed, ${skipped} skipped\n`);
  }
}
