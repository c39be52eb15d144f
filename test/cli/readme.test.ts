import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';

const project = fileURLToPath(new URL('../../', import.meta.url));
let folder = '';
let server: ReturnType<typeof spawn> | undefined;

afterEach(async () => {
  server?.kill('SIGTERM');
  if (server !== undefined && server.exitCode === null) await once(server, 'exit');
  await rm(folder, { recursive: true, force: true });
});

/** The environment is the only thing that differs from a stranger's terminal: ports that are free. */
const environment = {
  PATH: process.env.PATH,
  HOME: process.env.HOME,
  LARDER_PORT: '0',
  LARDER_CONTROL_PORT: '0',
  LARDER_HOST: '127.0.0.1',
};

/** The shell blocks of a document, one after the other. */
async function shellBlocks(document: string): Promise<string[]> {
  const text = await readFile(join(project, document), 'utf8');
  return [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
}

it('the README has the two commands, and package.json has their scripts', async () => {
  expect(await shellBlocks('README.md')).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n']);
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  expect(scripts.start).toContain('node dist/server/larder.cjs serve');
  expect(scripts.test).toContain('test/run.mjs run');
});

it('the quick start for the command line works line by line', { timeout: 60_000 }, async () => {
  const quickStart = await shellBlocks('docs/quick-start-cli.md');
  expect(quickStart.length).toBeGreaterThanOrEqual(4);

  folder = await mkdtemp(join(tmpdir(), 'larder-readme-'));
  await symlink(join(project, 'dist'), join(folder, 'dist'));
  server = spawn(process.execPath, ['dist/server/larder.cjs', 'serve'], {
    cwd: folder,
    env: environment,
    stdio: 'pipe',
  });
  let greeting = '';
  server.stdout?.on('data', (chunk) => (greeting += chunk));
  await expect.poll(() => greeting, { timeout: 20_000 }).toContain('Set up here:');

  const shell = spawn('bash', ['-euo', 'pipefail', '-c', quickStart.join('\n')], {
    cwd: folder,
    env: environment,
    stdio: 'pipe',
  });
  let output = '';
  shell.stdout.on('data', (chunk) => (output += chunk));
  shell.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(shell, 'close');
  expect(code, output).toBe(0);
  expect(output).toMatch(/the same\n$/);
  expect(output).toContain('"nicerFileSize":"575 KB"');
});
