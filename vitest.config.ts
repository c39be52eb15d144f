import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/support/global-setup.ts'],
    reporters: ['./test/support/opening-line-reporter.ts', 'default', './test/support/closing-line-reporter.ts'],
    // Nothing that a test starts is reached, or heard, by another machine.
    env: { LARDER_HOST: '127.0.0.1' },
    // The built server is what runs: Node loads it, as everywhere else. Looked through once more for each file it takes seconds.
    server: { deps: { external: [/\/dist\//] } },
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    // What comes about by itself takes its time where other tests run beside it.
    expect: { poll: { timeout: 15_000, interval: 50 } },
  },
});
