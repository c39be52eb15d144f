import type { Reporter, TestCase, TestModule } from 'vitest/node';

/** Ends the run with one plain line, `N passed, N failed, N skipped`, for programs that read the output. */
export default class ClosingLineReporter implements Reporter {
  #counts = { passed: 0, failed: 0, skipped: 0 };

  onTestCaseResult(test: TestCase): void {
    const { state } = test.result();
    if (state === 'passed' || state === 'failed' || state === 'skipped') this.#counts[state] += 1;
  }

  /** Failures outside of tests, such as in hooks, count too. */
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const { passed, failed, skipped } = this.#counts;
    const suites = modules.flatMap((module) => [module, ...module.children.allSuites()]);
    const around = suites.reduce((sum, suite) => sum + suite.errors().length, unhandled.length);
    process.stdout.write(`\n${passed} passed, ${failed + around} failed, ${skipped} skipped\n`);
  }
}
