import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** What takes minutes: large files, many rounds. */
export default defineConfig({
  ...config,
  test: { ...config.test, include: ['test/**/*.long.ts'], testTimeout: 600_000 },
});
