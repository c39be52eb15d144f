import { defineConfig } from 'vitest/config';
import { base } from './vitest.config.ts';

/** What takes minutes: large files, many rounds. What attacks Larder as a whole has a run of its own. */
export default defineConfig({
  test: {
    ...base,
    include: ['test/**/*.long.ts'],
    exclude: ['test/trust/**'],
    reporters: [
      './test/support/runner/opening-line-reporter.ts',
      'default',
      './test/support/runner/closing-line-reporter.ts',
    ],
    maxWorkers: 2,
    testTimeout: 600_000,
  },
});
