import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const SANDBOX = fileURLToPath(new URL('../sandbox.mjs', import.meta.url));

it('the sandbox prints commands that work, and removes its folder when it stops', async () => {
  const child = spawn(process.execPath, [SANDBOX], {
    env: { ...process.env, LARDER_HOST: '127.0.0.1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  let output = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk) => {
      output += chunk;
      if (output.includes("Documents'\n")) resolve();
    });
    child.stderr.on('data', (chunk) => {
      output += chunk;
    });
    void ended.then(() => reject(new Error(output)));
  });
  const folder = /^Folder: +(.+)$/m.exec(output)?.[1] ?? '';
  expect((await readdir(join(folder, 'homes'))).sort()).toEqual(['ann', 'ben', 'gran', 'mia']);
  const pasted = output.slice(output.indexOf('\nca='));
  const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', pasted]);
  expect(JSON.parse(stdout)).toMatchObject({ success: true });
  expect(stdout).toContain('Shopping.md');
  child.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(folder)).toBe(false);
});
