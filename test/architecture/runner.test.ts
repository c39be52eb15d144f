import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { itInFull, sampled } from '../support/forms.ts';

// The rules that `test/support/runner` and `test/run.mjs` enforce, on files that break them.

const ROOT = fileURLToPath(new URL('../../', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-runner-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs some of the files in `test/fixtures/runner/`. */
function run(...names: string[]): Promise<{ status: number; lines: string[]; text: string }> {
  const files = names.map((name) => `test/fixtures/runner/${name}.fixture.ts`);
  const args = ['test/run.mjs', '--config=test/fixtures/runner/vitest.config.ts', ...files];
  // Without what vitest hands down to the processes of this run.
  const env: NodeJS.ProcessEnv = {
    ...process.env,
    LARDER_FIXTURE_MARK: join(folder, 'mark'),
    LARDER_TEST_ON_DISK: '1',
  };
  for (const name of Object.keys(env)) if (/^VITEST|^LARDER_TEST_(?:FOLDER|RESULTS)$/.test(name)) delete env[name];
  return new Promise((resolve) => {
    const child = execFile(process.execPath, args, { cwd: ROOT, env }, (_error, stdout, stderr) => {
      const lines = stdout.trimEnd().split('\n');
      resolve({ status: child.exitCode ?? 1, lines, text: stdout + stderr });
    });
  });
}

it('a test file that leaves nothing behind passes', async () => {
  const { status, lines, text } = await run('nothing');
  expect([status, lines.at(-1)], text).toEqual([0, '1 passed, 0 failed, 0 skipped']);
});

it.each(sampled(['folder', 'environment', 'listener', 'clock'], 2))(
  'a test file that leaves something behind fails: %s',
  async (name) => {
    const { status, lines } = await run(name);
    expect([status, lines.at(-1)]).toEqual([1, '1 passed, 1 failed, 0 skipped']);
  },
);

it('a failed file runs once more, alone, and is named if it passes only then', async () => {
  const { status, lines, text } = await run('nothing', 'unstable');
  expect([status, ...lines.slice(-2)], text).toEqual([
    0,
    'unstable: test/fixtures/runner/unstable.fixture.ts',
    '2 passed, 0 failed, 0 skipped',
  ]);
});

it('a failed file is not repeated in folders where a failure can mean a lost file', async () => {
  await rm(join(folder, 'mark'), { force: true });
  const alone = await run('nothing', 'faults/unstable');
  expect([alone.status, alone.lines.at(-1)], alone.text).toEqual([1, '1 passed, 1 failed, 0 skipped']);
  expect(alone.text).not.toContain('Once more');
  await rm(join(folder, 'mark-faults'));
  const { status, lines, text } = await run('unstable', 'faults/unstable');
  expect([status, ...lines.slice(-2)], text).toEqual([
    1,
    'unstable: test/fixtures/runner/unstable.fixture.ts',
    '1 passed, 1 failed, 0 skipped',
  ]);
  expect(text).toContain('Once more, alone: test/fixtures/runner/unstable.fixture.ts\n');
});

itInFull('a run ends if tests hang in three files, and is not repeated', async () => {
  const { status, lines, text } = await run('hangs-1', 'hangs-2', 'hangs-3', 'hangs-4');
  expect(lines, text).toContain('Tests hang in 3 files: the run ends.');
  expect([status, lines.at(-1)], text).toEqual([1, '0 passed, 3 failed, 1 skipped']);
  expect(text).not.toContain('Once more');
});
