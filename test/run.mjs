// Runs the tests:
//   node test/run.mjs                        the everyday form, for every change
//   node test/run.mjs --all [<subject>…]     everything, or the folders of `test/` that are named
//   node test/run.mjs --more <subject>…      of these folders only the files of which `--all` runs more than the everyday form
//   node test/run.mjs --config=<file> <test file>…   some files of another configuration, to test this program
// Temporary folders are in memory where the system allows it: a run on a disk mostly waits for flushes. The memory is mounted in a
// mount namespace of its own, so nothing of it remains however the run ends.
// Files that fail run once more, alone, except where a failure may be a lost file. The first failure stays in the output, and the
// closing lines name a file that only then passes as unstable: it is a defect to be mended at its root.
import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { freemem, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { filesWithFullForm } from './subjects.mjs';

/** Bytes. A run stores up to about a gigabyte of temporary files and needs memory for itself and the browsers. */
const NEEDED = 6 * 2 ** 30;

/** More failed files than these are no accident. */
const SECOND_LOOKS = 5;
const SECOND_LOOK_MINUTES = 10;
/** Folders in which a single failure may be a lost file, or somebody's access to one. */
const NO_SECOND_LOOK = /\/(?:faults|journal|model|access|storage|database|trust)\//;

const [form, ...subjects] = process.argv.slice(2);
const isOfOtherConfig = form?.startsWith('--config=') ?? false;
const isMore = form === '--more' && subjects.length > 0;
if (form !== undefined && form !== '--all' && !isMore && !isOfOtherConfig) {
  process.stderr.write(
    'usage: node test/run.mjs [--all [<subject>…] | --more <subject>… | --config=<file> <test file>…]\n',
  );
  process.exit(2);
}
const options = isOfOtherConfig ? [form] : [];

const isPossible =
  process.platform === 'linux' &&
  process.getuid() === 0 &&
  process.env.LARDER_TEST_ON_DISK === undefined &&
  freemem() > NEEDED &&
  // Containers may allow the namespace and refuse the mount.
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'larder-tests', tmpdir()]).status === 0;

const folder = mkdtempSync(join(tmpdir(), 'larder-run-'));
const environment = { ...process.env, ...(form === '--all' || isMore ? { LARDER_TESTS: 'all' } : {}) };
try {
  process.exitCode = await runTests();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** @returns the exit status */
async function runTests() {
  const { status, results } = await runVitest('first', chosenTests());
  // It has said what prevented it.
  if (results === null) return status === 0 ? 1 : status;
  const { failedFiles, otherErrors, hasHung } = results;
  const [serious, repeated] = [true, false].map((is) =>
    failedFiles.filter(({ path }) => NO_SECOND_LOOK.test(path) === is),
  );
  const isWorthIt = repeated.length > 0 && failedFiles.length <= SECOND_LOOKS && otherErrors === 0 && !hasHung;
  if (!isWorthIt) return close(results, [], status);
  process.stdout.write(`\nOnce more, alone: ${repeated.map(({ path }) => path).join(', ')}\n`);
  const again = await runVitest('second', [...repeated.map(({ path }) => path), '--maxWorkers=1'], {
    timeout: SECOND_LOOK_MINUTES * 60_000,
  });
  if (again.results === null) return close(results, [], 1);
  const sum = (files, of) => files.reduce((total, file) => total + file[of], 0);
  const counts = Object.fromEntries(
    ['passed', 'failed', 'skipped'].map((of) => [of, results[of] - sum(repeated, of) + again.results[of]]),
  );
  const stillFailing = new Set(again.results.failedFiles.map(({ path }) => path));
  const unstable = repeated.map(({ path }) => path).filter((path) => !stillFailing.has(path));
  return close(counts, unstable, serious.length > 0 ? status : again.status);
}

/** What is run, as arguments of `vitest`; nothing for everything. */
function chosenTests() {
  if (isOfOtherConfig) return subjects;
  if (isMore) return filesWithFullForm().filter((path) => subjects.includes(path.split('/')[1]));
  return subjects.map((subject) => `test/${subject}/`);
}

/** Prints the closing lines. */
function close({ passed, failed, skipped }, unstable, status) {
  process.stdout.write('\n');
  for (const path of unstable) process.stdout.write(`unstable: ${path}\n`);
  process.stdout.write(`${passed} passed, ${failed} failed, ${skipped} skipped\n`);
  return status === 0 && failed > 0 ? 1 : status;
}

async function runVitest(name, args, { timeout } = {}) {
  const place = join(folder, `${name}.json`);
  const vitest = [
    process.execPath,
    fileURLToPath(new URL('../node_modules/vitest/vitest.mjs', import.meta.url)),
    'run',
    ...options,
    ...args,
  ];
  const own = { ...environment, LARDER_TEST_RESULTS: place };
  const script = 'mount -t tmpfs -o mode=1777 larder-tests "$0" && exec "$@"';
  const memory = join(folder, name);
  const words = isPossible ? ['unshare', '--mount', 'sh', '-c', `mkdir "$0" && ${script}`, memory, ...vitest] : vitest;
  const status = await run(words, isPossible ? { ...own, TMPDIR: memory } : own, timeout);
  try {
    return { status, results: JSON.parse(readFileSync(place, 'utf8')) };
  } catch {
    return { status, results: null };
  }
}

function run([program, ...args], env, timeout) {
  const child = spawn(program, args, { stdio: 'inherit', env, timeout });
  // The terminal sends an interrupt to all its processes; this one waits for the other.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(signal === null ? code : 1));
  });
}
