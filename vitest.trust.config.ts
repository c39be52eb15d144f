import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import config from './vitest.config.ts';

/** Those that are the same in both: they have no long form. */
const only = readdirSync(new URL('test/trust/', import.meta.url))
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/trust/${name}`)
  .filter((path) => !existsSync(new URL(path.replace('.test.ts', '.long.ts'), import.meta.url)));

/** What attacks Larder as a whole, in its long forms, and one table of what came of it. One after the other: figures are taken. */
export default defineConfig({
  ...config,
  test: {
    ...config.test,
    include: [
      'test/trust/*.long.ts',
      ...only,
      'test/spec/*.test.ts',
      'test/model/*.long.ts',
      'test/faults/*.{test,long}.ts',
      'test/workers/*mutations.test.ts',
      'test/oauth/attacks.test.ts',
      'test/control/loopback*.test.ts',
      'test/control/remote-panel*.test.ts',
      'test/announce/*.test.ts',
      'test/tls/*.test.ts',
    ],
    reporters: ['./test/support/opening-line-reporter.ts', 'default', './test/trust/reporter.ts'],
    maxWorkers: 1,
    testTimeout: 600_000,
  },
});
