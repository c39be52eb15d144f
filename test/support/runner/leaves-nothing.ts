import { mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { describePages } from '../browser/open-pages.ts';
import { temporaryFolder } from './temporary-folder.ts';

// Runs before and after every file of tests. A file that leaves something behind fails, instead of another one that comes later.
// Files run one after the other in a process, and every process has a temporary folder of its own.

const folder = join(temporaryFolder(), `process-${process.env.VITEST_POOL_ID}`);
mkdirSync(folder, { recursive: true });
for (const name of ['TMPDIR', 'TMP', 'TEMP']) process.env[name] = folder;

/** What tests of time replace. */
const CLOCK = [
  ...(['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'setImmediate', 'clearImmediate'] as const),
  ...(['queueMicrotask', 'Date', 'fetch'] as const),
] as const;
const { setImmediate: nextTurn } = globalThis;
const now = performance.now;

let before: Record<string, unknown> | null = null;
let clock: Record<string, unknown> = {};

beforeAll(() => {
  clock = Object.fromEntries(CLOCK.map((name) => [name, globalThis[name]]));
  before = stateOfProcess();
});

afterAll(async () => {
  // What has been told to close is gone after a few turns of the event loop.
  for (let turn = 0; turn < 10; turn += 1) await new Promise((resolve) => nextTurn(resolve));
  const after = stateOfProcess();
  const differences = Object.keys(after)
    .filter((what) => JSON.stringify(before?.[what]) !== JSON.stringify(after[what]))
    .map((what) => `${what}: before ${JSON.stringify(before?.[what])}, after ${JSON.stringify(after[what])}`);
  // Those that come later would wait for ever.
  Object.assign(globalThis, clock);
  if (before === null || differences.length === 0) return;
  // What is in it says where it comes from.
  const left = readdirSync(folder, { recursive: true, encoding: 'utf8' }).slice(0, 30);
  throw new Error(`This file leaves something behind.\n${[...differences, ...left].join('\n')}`);
});

// A picture of the page says more than the failed condition.
afterEach(async ({ task }) => {
  if (task.result?.state === 'fail') process.stdout.write(await describePages(task.name));
});

/** What tests share with those that run after them in the same process. */
function stateOfProcess(): Record<string, unknown> {
  const listeners = process.getActiveResourcesInfo().filter((name) => /Server|UDP/.test(name));
  return {
    'temporary files': readdirSync(folder).sort(),
    environment: Object.fromEntries(Object.entries(process.env).sort(([a], [b]) => (a < b ? -1 : 1))),
    'working directory': process.cwd(),
    'user and group': [process.getuid?.(), process.geteuid?.(), process.getgid?.(), process.getegid?.()],
    program: process.execPath,
    listeners: listeners.sort(),
    'replaced functions': [
      ...CLOCK.filter((name) => globalThis[name] !== clock[name]),
      ...(performance.now === now ? [] : ['performance.now']),
    ],
  };
}
