/**
 * The modules in which a wrong condition loses data or grants access, by subject, with the tests that cover them. A static mutant
 * (in code that runs when a file is loaded) runs all tests of its subject, so each subject names few and fast ones.
 */
export const guards = {
  access: {
    modules: [
      'server/access/access.ts',
      'server/access/album-grants.ts',
      'server/access/caller.ts',
      'server/access/limits.ts',
      'server/access/rights.ts',
      'server/access/shared.ts',
    ],
    tests: [
      'test/unit/people/rights.test.ts',
      'test/access/shared.test.ts',
      'test/access/access.test.ts',
      'test/albums/grants.test.ts',
    ],
  },
  quota: { modules: ['server/access/quota.ts'], tests: ['test/database/quota.test.ts'] },
  tokens: {
    modules: [
      'server/oauth/tokens.ts',
      'server/oauth/authorization-codes.ts',
      'server/oauth/bearer.ts',
      'server/accounts/sign-in/sessions.ts',
      'server/accounts/sign-in/proof-validity.ts',
    ],
    tests: [
      'test/oauth/rows/bearer-rows.test.ts',
      'test/oauth/rows/code-rows.test.ts',
      'test/oauth/rows/session-rows.test.ts',
      'test/oauth/rows/token-rows.test.ts',
    ],
  },
  database: {
    modules: ['server/database/write-queue.ts', 'server/database/cached-reads.ts', 'server/database/folder-changes.ts'],
    tests: [
      'test/database/database.test.ts',
      'test/database/write-queue.test.ts',
      'test/database/folder-changes.test.ts',
      'test/unit/cached-reads.test.ts',
    ],
  },
  journal: {
    modules: ['server/files/journal/journal.ts', 'server/files/journal/recover.ts'],
    tests: ['test/journal/recover.test.ts', 'test/journal/entries.test.ts'],
  },
  reconcile: {
    modules: [
      'server/catalogue/reconcile/arrivals.ts',
      'server/catalogue/reconcile/missing.ts',
      'server/catalogue/reconcile/reconcile-folders.ts',
    ],
    tests: ['test/catalogue/reconcile.test.ts'],
  },
  listings: {
    modules: ['server/catalogue/listings/folder-snapshots.ts', 'server/catalogue/listings/patch-content.ts'],
    tests: ['test/catalogue/snapshots.test.ts', 'test/catalogue/patched-listings.test.ts'],
  },
  uploads: {
    modules: [
      'server/storage/content/part-reader.ts',
      'server/storage/content/write-stream.ts',
      'server/storage/folder-flushes.ts',
      'server/storage/homes/marker.ts',
    ],
    tests: ['test/storage/write-stream.test.ts', 'test/storage/folder-flushes.test.ts', 'test/storage/marker.test.ts'],
  },
  names: {
    modules: ['server/lib/names/names.ts', 'server/lib/names/normalized.ts'],
    tests: ['test/unit/text/names.test.ts', 'test/unit/text/normalized.test.ts'],
  },
};

/** For the sample: fast tests that run in their own process. */
export const sampleTests = [
  'test/unit/**/*.test.ts',
  'test/database/**/*.test.ts',
  'test/catalogue/**/*.test.ts',
  'test/storage/**/*.test.ts',
  'test/access/**/*.test.ts',
  'test/journal/**/*.test.ts',
  'test/oauth/**/*.test.ts',
  'test/api/**/*.test.ts',
  'test/control/**/*.test.ts',
];
