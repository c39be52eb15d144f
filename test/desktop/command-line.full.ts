import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { appOfFolder } from '../support/households/app-of-folder.ts';
import { setUpFolder } from '../support/households/set-up-folder.ts';
import { like, t } from '../support/server-texts.ts';
import { eventually } from '../support/system/eventually.ts';
import { fixture } from '../workers/thumbnail-support.ts';
import { launchDesktop, newHome, spawnCommandLine } from './launch.ts';
import { serveFolder } from './window-page.ts';

let home: string;
let folder: string;
let removeHome: () => Promise<void>;

beforeEach(async () => {
  ({ home, remove: removeHome } = await newHome());
  folder = join(home, 'larder');
});
afterEach(() => removeHome());

async function run(args: readonly string[], input = ''): Promise<{ code: number; stdout: string; stderr: string }> {
  const child = spawnCommandLine(args, { home });
  const out = { code: 0, stdout: '', stderr: '' };
  child.stdout.on('data', (chunk) => (out.stdout += chunk));
  child.stderr.on('data', (chunk) => (out.stderr += chunk));
  child.stdin.end(input);
  [out.code] = (await once(child, 'close')) as [number];
  return out;
}

it('creates an installation, with the password on standard input, and queries it', async () => {
  const at = ['--folder', folder, '--json'];
  const setup = ['setup', '--owner', 'ann', '--password-stdin', '--enable-api'];
  expect(await run([...setup, ...at], 'correct horse battery staple\nand more\n')).toMatchObject({
    code: 0,
    stderr: '',
  });
  const status = await run(['status', ...at]);
  expect([status.code, JSON.parse(status.stdout)]).toMatchObject([
    0,
    { running: false, hasOwner: true, apiEnabled: true },
  ]);
  // A logo is decoded by a worker, which only the application can start.
  const logo = (await readFile(fixture('pictures/plain.jpg'))).toString('base64');
  const added = await run(['control', 'clients.add', JSON.stringify({ name: 'Notes', logo }), ...at]);
  expect([added.code, JSON.parse(added.stdout)]).toMatchObject([
    0,
    { hasLogo: true, clientSecret: expect.any(String) },
  ]);
});

it('ends with the exit codes and messages of the command line', async () => {
  expect(await run(['--version'])).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^\d+\.\d+\.\d+\n$/),
    stderr: '',
  });
  expect(await run(['nothing'])).toMatchObject({
    code: 2,
    stdout: '',
    stderr: expect.stringMatching(like('cli.usage.unknownCommand')),
  });
  await writeFile(join(home, 'file'), '');
  expect(await run(['status', '--folder', join(home, 'file')])).toMatchObject({ code: 3, stdout: '' });
  expect((await run(['doctor', '--folder', folder, '--json'])).code).toBe(1);
  await expect(stat(folder)).rejects.toThrow();
});

it.each(['SIGTERM', 'SIGINT'] as const)('serves until %s, with its own workers', async (signal) => {
  const client = await setUpFolder(folder);
  const child = spawnCommandLine(['serve', '--folder', folder], { home });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  await eventually(
    () => printed,
    (text) => /^Log: /m.test(text),
  );
  const port = Number(/^Address:\s+https:\/\/localhost:(\d+)$/m.exec(printed)?.[1]);
  const api = await appOfFolder(folder, port, client);
  expect((await api.put({ path: '/ROOT/HOME/photo.jpg' }, await readFile(fixture('pictures/plain.jpg')))).status).toBe(
    201,
  );
  expect((await api.get('files/thumbnail', { path: '/ROOT/HOME/photo.jpg' })).status).toBe(200);
  child.kill(signal);
  const [code] = await once(child, 'close');
  expect([code, printed]).toEqual([0, expect.stringContaining(t('cli.serve.stopping'))]);
  expect(await readFile(join(folder, '.larder', 'logs', 'larder.log'), 'utf8')).toContain('"stopped"');
});

it('lets an upload finish if a signal reaches it and the application', async () => {
  const client = await setUpFolder(folder);
  const child = spawnCommandLine(['serve', '--folder', folder], { home, isGroup: true });
  let printed = '';
  child.stdout.on('data', (chunk) => (printed += chunk));
  await eventually(
    () => printed,
    (text) => /^Log: /m.test(text),
  );
  const port = Number(/^Address:\s+https:\/\/localhost:(\d+)$/m.exec(printed)?.[1]);
  const api = await appOfFolder(folder, port, client);
  await api.get('files/browse', { path: '/ROOT/HOME' });
  const sent = api.put({ path: '/ROOT/HOME/large.bin' }, Buffer.alloc(96 * 1024 * 1024, 7));
  const incoming = join(folder, '.larder', 'incoming');
  await eventually(
    () => readdir(incoming).catch(() => []),
    ({ length }) => length > 0,
  );
  process.kill(-(child.pid ?? 0), 'SIGTERM');
  expect((await sent).status).toBe(201);
  expect(await once(child, 'close')).toEqual([0, null]);
});

it('reaches the server that the window runs, without disturbing either', async () => {
  await setUpFolder(folder);
  const desktop = await launchDesktop({ home });
  try {
    const page = await desktop.window();
    const addresses = await serveFolder(desktop, page, folder);
    const status = await run(['status', '--folder', folder, '--json']);
    expect([status.code, JSON.parse(status.stdout)]).toMatchObject([0, { running: true, addresses }]);
    const doctor = await run(['doctor', '--folder', folder, '--json']);
    expect([doctor.code, JSON.parse(doctor.stdout)]).toMatchObject([0, { ok: true, problems: [] }]);
  } finally {
    await desktop.kill();
  }
});
