// `npm run mutation`: changes one condition after the other in the guard modules and says which changes no test notices.
//   npm run mutation -- quota names          some subjects only
//   npm run mutation -- --force              everything, not only what has changed
//   npm run mutation -- --sample 300         so many random mutants of all other modules of the server, and no verdict
import { mkdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { Instrumenter } from '@stryker-mutator/instrumenter';
import { guards, sampleTests } from './guards.mjs';
import { mutantKey } from './plugins.mjs';

const REPORTS = 'reports/mutation';
/** Percent of the mutants that tests must detect, per subject. */
const ENOUGH = 80;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    force: { type: 'boolean', default: false },
    sample: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    workers: { type: 'string', default: '2' },
  },
});

const common = {
  plugins: ['@stryker-mutator/vitest-runner', './test/mutation/plugins.mjs'],
  testRunner: 'vitest',
  vitest: { configFile: 'test/mutation/vitest.config.ts', related: false },
  // The tests run the build, in the sandbox as elsewhere.
  buildCommand: 'npx tsc -b server',
  disableTypeChecks: 'server/**/*.ts',
  // Stryker would rewrite tsconfig.json with an API that this version of TypeScript no longer has. Nothing there needs it.
  tsconfigFile: 'none.json',
  ignorers: ['messages'],
  ignorePatterns: ['/docs', '/test/fixtures', '/test/bench', '/reports', '/larder-data'],
  coverageAnalysis: 'perTest',
  concurrency: Number(values.workers),
  // Above the time limit of a test in vitest.config.ts.
  timeoutMS: 12_000,
  allowConsoleColors: false,
  logLevel: 'warn',
};

if (values.sample !== undefined) await sample(Number(values.sample), Number(values.seed));
else await runGuards(positionals.length === 0 ? Object.keys(guards) : positionals);

async function runGuards(subjects) {
  const rows = [];
  for (const subject of subjects) {
    if (guards[subject] === undefined) throw new Error(`no such subject: ${subject}`);
    const { modules, tests } = guards[subject];
    const began = performance.now();
    const results = await mutate(subject, tests, { mutate: modules, incremental: true, force: values.force });
    for (const line of unnoticed(results)) console.log(line);
    for (const module of modules) rows.push({ subject, ...scoreOf(module, results) });
    console.log(`${subject}: ${Math.round((performance.now() - began) / 1_000)} s`);
  }
  console.table(rows);
  const isEnough = subjects.every((subject) => {
    const own = rows.filter((row) => row.subject === subject);
    const sum = (column) => own.reduce((total, row) => total + row[column], 0);
    return sum('noticed') >= (ENOUGH / 100) * (sum('noticed') + sum('unnoticed'));
  });
  if (!isEnough) process.exitCode = 1;
}

/** Random mutants outside of the guards: shows where tests are missing. */
async function sample(count, seed) {
  const guarded = new Set(Object.values(guards).flatMap(({ modules }) => modules));
  const files = [];
  for (const path of (await readdir('server', { recursive: true })).sort()) {
    const name = `server/${path.replaceAll('\\', '/')}`;
    if (!name.endsWith('.ts') || guarded.has(name) || name.includes('/migrations/')) continue;
    files.push({ name, mutate: true, content: await readFile(name, 'utf8') });
  }
  const silent = { debug() {}, info() {}, warn() {}, isDebugEnabled: () => false };
  const options = { plugins: null, excludedMutations: [], ignorers: [] };
  const { mutants } = await new Instrumenter(silent).instrument(files, options);
  const chosen = shuffled(mutants, seed).slice(0, count);
  mkdirSync(REPORTS, { recursive: true });
  process.env.LARDER_MUTATION_SAMPLE = `${process.cwd()}/${REPORTS}/sample-chosen.json`;
  writeFileSync(process.env.LARDER_MUTATION_SAMPLE, JSON.stringify(chosen.map(mutantKey)));
  const ranges = chosen.map(({ fileName, location: { start, end } }) => {
    return `${fileName}:${start.line + 1}:${start.column}-${end.line + 1}:${end.column}`;
  });
  const results = await mutate('sample', sampleTests, {
    mutate: ranges,
    checkers: ['sample'],
    ignoreStatic: true,
    dryRunTimeoutMinutes: 60,
  });
  for (const line of unnoticed(results)) console.log(line);
  const { noticed, unnoticed: missed, score } = scoreOf('', results);
  console.log(`seed ${seed}: ${noticed} of ${noticed + missed} noticed, ${score} %`);
}

function mutate(subject, tests, options) {
  process.env.LARDER_MUTATION_TESTS = tests.join(',');
  const report = (kind) => ({ fileName: `${REPORTS}/${subject}.${kind}` });
  return new Stryker({
    ...common,
    reporters: ['html', 'json', process.stdout.isTTY ? 'progress' : 'progress-append-only'],
    htmlReporter: report('html'),
    jsonReporter: report('json'),
    incrementalFile: `${REPORTS}/${subject}-incremental.json`,
    ...options,
  }).runMutationTest();
}

/** Mutants that do not compile, or are excluded for a reason, do not count. */
function scoreOf(module, results) {
  const own = results.filter(({ fileName }) => fileName.replaceAll('\\', '/').endsWith(module));
  const count = (...states) => own.filter(({ status }) => states.includes(status)).length;
  const noticed = count('Killed', 'Timeout');
  const missed = count('Survived', 'NoCoverage');
  const score = noticed + missed === 0 ? 100 : Math.round((1_000 * noticed) / (noticed + missed)) / 10;
  return { module, noticed, unnoticed: missed, excluded: count('Ignored'), score };
}

function unnoticed(results) {
  return results
    .filter(({ status }) => status === 'Survived' || status === 'NoCoverage')
    .map(({ fileName, location: { start }, mutatorName, replacement, status }) => {
      const place = `${fileName.replaceAll('\\', '/').replace(/^.*\/(?=server\/)/, '')}:${start.line}:${start.column}`;
      return `${place} ${status} ${mutatorName}: ${replacement.replaceAll(/\s+/g, ' ').slice(0, 100)}`;
    });
}

/** Fisher-Yates, with a seeded generator (mulberry32), for reproducible order. */
function shuffled(all, seed) {
  let state = seed >>> 0;
  const random = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const order = [...all];
  for (let last = order.length - 1; last > 0; last -= 1) {
    const other = Math.floor(random() * (last + 1));
    [order[last], order[other]] = [order[other], order[last]];
  }
  return order;
}
