/**
 * The modules in which a wrong condition loses data or lets somebody in, by subject, and the tests that hold them. A static mutant
 * (of what is made when a file is loaded) takes all tests of its subject, so each subject names few and quick ones.
 */
export const guards = {
  access: {
    modules: ['server/access/limits.ts', 'server/access/rights.ts'],
    tests: ['test/unit/rights.test.ts'],
  },
  quota: { modules: ['server/access/quota.ts'], tests: ['test/database/quota.test.ts'] },
  database: {
    modules: ['server/database/write-queue.ts', 'server/database/cached-reads.ts'],
    tests: ['test/database/database.test.ts', 'test/unit/cached-reads.test.ts'],
  },
  names: {
    modules: ['server/lib/names/names.ts', 'server/lib/names/normalized.ts'],
    tests: ['test/unit/names.test.ts', 'test/unit/normalized.test.ts'],
  },
};

/** For the sample: quick tests that run in their own process. */
export const sampleTests = [
  'test/unit/**/*.test.ts',
  'test/database/**/*.test.ts',
  'test/catalogue/**/*.test.ts',
  'test/storage/**/*.test.ts',
  'test/oauth/**/*.test.ts',
  'test/api/**/*.test.ts',
  'test/control/**/*.test.ts',
];
