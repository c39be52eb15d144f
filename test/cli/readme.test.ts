import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';

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

/** Documents whose shell blocks are commands to type; those of other documents are shown, not run. */
const RUN = ['README.md', 'docs/quick-start-cli.md', 'docs/tus.md', 'docs/webdav.md', 'docs/backup.md'];

it('the README has the two commands, and package.json has their scripts', async () => {
  expect((await shellBlocks('README.md')).slice(0, 2)).toEqual(['npm ci && npm start\n', 'npm ci && npm test\n']);
  const { scripts } = JSON.parse(await readFile(join(project, 'package.json'), 'utf8'));
  expect(scripts.start).toContain('node dist/server/larder.cjs serve');
  expect(scripts.test).toContain('node test/run.mjs');
});

it('only documents whose commands this test runs contain commands', async () => {
  const documents = (await readdir(join(project, 'docs'))).filter((name) => name.endsWith('.md'));
  const paths = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', ...documents.map((name) => `docs/${name}`)];
  const withCommands: string[] = [];
  for (const path of paths) {
    if ((await shellBlocks(path)).some((block) => !block.startsWith('npm '))) withCommands.push(path);
  }
  expect(withCommands.sort()).toEqual([...RUN].sort());
});

it('every file that the deployment guide names exists', async () => {
  const text = await readFile(join(project, 'docs/deploy.md'), 'utf8');
  const named = [...text.matchAll(/assets\/[\w./-]+/g)].map(([path]) => path);
  expect(named.length).toBeGreaterThan(2);
  for (const path of named) expect(existsSync(join(project, path)), path).toBe(true);
});

itInFull('the commands of README, quick start, tus, WebDAV and backup guides work line by line', async () => {
  const [, , ...readme] = await shellBlocks('README.md');
  const quickStart = await shellBlocks('docs/quick-start-cli.md');
  const tus = await shellBlocks('docs/tus.md');
  const webdav = await shellBlocks('docs/webdav.md');
  const backup = await shellBlocks('docs/backup.md');
  expect([readme.length, quickStart.length, tus.length, webdav.length, backup.length]).toEqual([1, 4, 1, 1, 3]);

  folder = await mkdtemp(join(tmpdir(), 'larder-readme-'));
  await symlink(join(project, 'dist'), join(folder, 'dist'));
  await writeFile(join(folder, 'passphrase.txt'), 'a passphrase for the keys\n');
  server = spawn(process.execPath, ['dist/server/larder.cjs', 'serve'], {
    cwd: folder,
    env: environment,
    stdio: 'pipe',
  });
  let greeting = '';
  server.stdout?.on('data', (chunk) => (greeting += chunk));
  await expect.poll(() => greeting).toContain('Set up here:');

  // A backup has the time in its name, and the disk is another one on every computer.
  const onThisComputer = backup.map((block) =>
    block
      .replace(/\/mnt\/usb\/larder\/larder-\S+/g, () => `"$(ls -d '${folder}'/usb/larder-* | tail -1)"`)
      .replaceAll('/mnt/usb/larder', join(folder, 'usb')),
  );
  const shell = spawn(
    'bash',
    ['-euo', 'pipefail', '-c', [...quickStart, ...readme, ...tus, ...webdav, ...onThisComputer].join('\n')],
    {
      cwd: folder,
      env: environment,
      stdio: 'pipe',
    },
  );
  let output = '';
  shell.stdout.on('data', (chunk) => (output += chunk));
  shell.stderr.on('data', (chunk) => (output += chunk));
  const [code] = await once(shell, 'close');
  expect(code, output).toBe(0);
  expect(output).toMatch(/the same$/m);
  expect(output).toContain('"nicerFileSize":"575 KB"');
  expect(output).toContain('sent with tus');
  expect(output).toContain('<d:displayname>numbers.txt');
  expect(output).toContain('mia');
  const restored = await readFile(join(folder, 'new', 'homes', 'ann', 'Documents', 'numbers.txt'));
  expect(restored.equals(await readFile(join(folder, 'numbers.txt')))).toBe(true);
});
