import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What holds for every run of tests. */
export const base = {
  globalSetup: ['test/support/runner/global-setup.ts'],
  // Nothing that a test starts is reached, or heard, by another machine.
  env: { LARDER_HOST: '127.0.0.1', LARDER_CHEAP_PASSWORDS: '1' },
  // The built server is what runs: Node loads it, as everywhere else. Looked through once more for each file it takes seconds.
  server: { deps: { external: [/\/dist\//] } },
  pool: 'forks' as const,
  testTimeout: 60_000,
  hookTimeout: 60_000,
  // What comes about by itself takes its time where other tests run beside it.
  expect: { poll: { timeout: 15_000, interval: 50 } },
};

/** Tests that leave the process as it was: they share one, and what it has loaded. */
const SHARING = [
  'access',
  'announce',
  'api',
  'architecture',
  'backup',
  'catalogue',
  'cli',
  'control',
  'database',
  'faults',
  'journal',
  'media',
  'model',
  'oauth',
  'pages',
  'panel',
  'people',
  'search',
  'spec',
  'storage',
  'tls',
  'unit',
  'web-client',
  'workers',
];
const sharing = SHARING.map((folder) => `test/${folder}/**/*.test.ts`);

export default defineConfig({
  test: {
    reporters: [
      './test/support/runner/opening-line-reporter.ts',
      'default',
      './test/support/runner/closing-line-reporter.ts',
    ],
    // More than the two processors of a small machine: tests wait for timers and processes most of their time.
    maxWorkers: Math.max(4, availableParallelism()),
    projects: [
      { test: { ...base, name: 'together', include: sharing, isolate: false } },
      { test: { ...base, name: 'apart', include: ['test/**/*.test.ts'], exclude: sharing } },
    ],
  },
});
