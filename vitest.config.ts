import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

/** What holds for every run of tests. */
export const base = {
  globalSetup: ['test/support/runner/global-setup.ts'],
  setupFiles: ['test/support/runner/leaves-nothing.ts'],
  // Nothing that a test starts is reached, or heard, by another machine.
  env: { LARDER_HOST: '127.0.0.1', LARDER_CHEAP_PASSWORDS: '1' },
  // The built server is what runs: Node loads it, as everywhere else. Looked through once more for each file it takes seconds.
  server: { deps: { external: [/\/dist\//] } },
  pool: 'forks' as const,
  // Only what hangs reaches these. No test has a deadline of its own.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 120_000, interval: 20 } },
};

/** `npm run test:all` adds the exhaustive forms (`*.full.ts`), short attacks on a whole server, and what tests the benchmark. */
const isAll = process.env.LARDER_TESTS === 'all';
const suffix = isAll ? '{test,full}.ts' : 'test.ts';
const others = isAll ? [] : ['test/trust/**', 'test/bench/**'];

/**
 * Tests that leave the process as it was: they share one, and what it has loaded. Not `*.apart.*`: those change their process
 * (environment, time zone, program, user), and each has one of its own.
 */
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
  'nextcloud',
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
  'webdav',
  'workers',
];
const sharing = SHARING.map((folder) => `test/${folder}/**/!(*.apart).${suffix}`);

export default defineConfig({
  test: {
    reporters: [
      './test/support/runner/opening-line-reporter.ts',
      'default',
      './test/support/runner/closing-line-reporter.ts',
    ],
    // More would only slow each other down: tests keep a processor busy.
    maxWorkers: availableParallelism(),
    projects: [
      { test: { ...base, name: 'together', include: sharing, exclude: others, isolate: false } },
      { test: { ...base, name: 'apart', include: [`test/**/*.${suffix}`], exclude: [...sharing, ...others] } },
    ],
  },
});
