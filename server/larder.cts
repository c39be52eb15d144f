#!/usr/bin/env node
// Before anything else runs: the thread pool that flushes files, reads the database and hashes passwords is made at
// its first use, with the size that stands here then. Once an ES module is loaded it is too late.
process.env.UV_THREADPOOL_SIZE ??= '16';

// The server is many small modules, and finding each takes longer than running it: `vite.config.ts` bundles them.
const bundle = {
  // @ts-expect-error Built from storage/installation/descriptors.ts.
  descriptors: () => import('../bundle/descriptors.js'),
  // @ts-expect-error Built from cli.ts.
  cli: () => import('../bundle/cli.js'),
};

// Before anything larger is loaded: with too few descriptors that would fail somewhere in the middle.
bundle
  .descriptors()
  .then(({ descriptorProblem }) => {
    const problem = descriptorProblem();
    if (problem === null) return bundle.cli().then(({ main }) => main());
    process.stderr.write(`larder: ${problem}\n`);
    process.exitCode = 1;
    return undefined;
  })
  .catch((error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exitCode = 70;
  });
