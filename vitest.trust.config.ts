import { existsSync, readdirSync } from 'node:fs';
import { defineConfig } from 'vitest/config';
import { base } from './vitest.config.ts';

/** Those that are the same in both: they have no long form. */
const only = readdirSync(new URL('test/trust/', import.meta.url), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => `test/trust/${name.replaceAll('\\', '/')}`)
  .filter((path) => !existsSync(new URL(path.replace('.test.ts', '.long.ts'), import.meta.url)));

/** What attacks Larder as a whole, in its long forms, and one table of what came of it. One after the other: figures are taken. */
export default defineConfig({
  test: {
    ...base,
    // All of every matrix, and as many files as a camera holds.
    env: { ...base.env, LARDER_TESTS: 'all', LARDER_WEBDAV_FILES: '2000' },
    include: [
      'test/trust/**/*.long.ts',
      ...only,
      'test/spec/*.test.ts',
      'test/model/*.long.ts',
      'test/faults/**/*.{test,full,long}.ts',
      'test/workers/mutations/*mutations.full.ts',
      'test/oauth/{attacks,bearer}.test.ts',
      'test/api/**/{hostile,permissions,sharing-matrix,*attacks*}.test.ts',
      'test/pages/*/*guard.test.ts',
      'test/control/transports/{loopback*,remote-panel*}.test.ts',
      'test/webdav/{litmus,clients,hostile,locks}.test.ts',
      'test/desktop/hostile.test.ts',
      'test/backup/{tampered,cut-off,failures}.test.ts',
      'test/architecture/dependencies.test.ts',
      'test/announce/*.test.ts',
      'test/tls/*.test.ts',
    ],
    reporters: ['./test/support/runner/opening-line-reporter.ts', 'default', './test/trust/reporter.ts'],
    maxWorkers: 1,
    testTimeout: 600_000,
  },
});
