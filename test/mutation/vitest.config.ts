import { defineConfig } from 'vitest/config';
import { base } from '../../vitest.config.ts';

/** For the mutation runs only: the tests that `run.mjs` names. */
export default defineConfig({
  plugins: [
    {
      name: 'larder:processes',
      // Stryker uses threads by default. The database driver crashes when one is ended during a statement, as mutants cause.
      configureVitest: ({ project }) => {
        project.config.pool = 'forks';
      },
    },
  ],
  test: {
    ...base,
    include: (process.env.LARDER_MUTATION_TESTS ?? '').split(',').filter((path) => path !== ''),
    // A mutant may be in code that runs when a file is loaded.
    isolate: true,
    // Ends tests that a mutant makes hang. Otherwise Stryker ends the process, which takes longer.
    testTimeout: 8_000,
    hookTimeout: 8_000,
  },
});
