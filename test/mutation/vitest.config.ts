import { defineConfig } from 'vitest/config';
import { base } from '../../vitest.config.ts';

/** For the mutation runs only: the tests that `run.mjs` names. */
export default defineConfig({
  plugins: [
    {
      name: 'larder:processes',
      // Stryker asks for threads. The database driver crashes where one is ended with a statement under way, as with a mutant.
      configureVitest: ({ project }) => {
        project.config.pool = 'forks';
      },
    },
  ],
  test: {
    ...base,
    include: (process.env.LARDER_MUTATION_TESTS ?? '').split(',').filter((path) => path !== ''),
    // A mutant may be in what is done when a file is loaded.
    isolate: true,
    // What waits for ever because of a mutant is ended here. When that fails, Stryker ends the process, which takes longer.
    testTimeout: 8_000,
    hookTimeout: 8_000,
  },
});
