import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { isInstallation } from '../../dist/main/folder-check.js';
import { createMissingFolder } from '../../dist/main/processes/missing-folder.js';
import type { ServerState } from '../../dist/server/control/contract/window.js';

/** Milliseconds between two checks. */
const AT_ONCE = 0;

let base: string;
let started: string[];
const server = {
  state: { kind: 'failed', failure: { reason: 'missing', message: 'not there' } } as ServerState,
  start: () => void started.push(looked.at(-1) ?? ''),
};
let looked: string[];

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'larder-missing-'));
  [started, looked] = [[], []];
});
afterEach(() => rm(base, { recursive: true, force: true }));

async function connect(name: string): Promise<string> {
  await mkdir(join(base, name, '.larder'), { recursive: true });
  await writeFile(join(base, name, '.larder', 'larder.sqlite'), '');
  return join(base, name);
}

it('the server starts once its folder is back', async () => {
  const isBack = async (folder: string) => {
    looked.push(folder);
    return isInstallation(folder);
  };
  const missing = createMissingFolder(server, isBack, AT_ONCE);
  missing.waitFor(join(base, 'disk'));
  await expect.poll(() => looked.length).toBeGreaterThan(1);
  expect(started).toEqual([]);
  const disk = await connect('disk');
  await expect.poll(() => started).toEqual([disk]);
});

it('a pause during the check keeps the server stopped', async () => {
  const [first, second] = [await connect('first'), await connect('second')];
  let release = () => {};
  const isHeld = new Promise<void>((resolve) => {
    release = resolve;
  });
  const isBack = async (folder: string) => {
    looked.push(folder);
    if (folder === first) await isHeld;
    return isInstallation(folder);
  };
  const missing = createMissingFolder(server, isBack, AT_ONCE);
  missing.waitFor(first);
  await expect.poll(() => looked).toEqual([first]);
  missing.stop();
  release();
  missing.waitFor(second);
  await expect.poll(() => started.length).toBe(1);
  expect(started).toEqual([second]);
});
