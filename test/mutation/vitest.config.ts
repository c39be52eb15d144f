import { defineConfig } from 'vitest/config';
import { base } from '../../vitest.config.ts';

/** For the mutation runs only: the tests that `run.mjs` names, each file in a fresh thread, since a mutant may be in what is loaded. */
export default defineConfig({
  test: {
    ...base,
    include: (process.env.LARDER_MUTATION_TESTS ?? '').split(',').filter((path) => path !== ''),
    pool: 'threads',
    isolate: true,
    // A mutant that waits for ever is ended by Stryker's own limit.
    testTimeout: 20_000,
    hookTimeout: 20_000,
  },
});
