import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What takes minutes: large files, many rounds. What attacks Larder as a whole has a run of its own. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: ['test/**/*.long.ts'], exclude: ['test/trust/**'], testTimeout: 600_000 },
});
