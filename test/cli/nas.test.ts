import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../support/server-texts.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const asset = (name: string) => readFile(join(ROOT, 'assets', 'nas', name), 'utf8');

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-nas-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** What a unit of systemd says, by the names of its settings; of several of one name the last. */
function settingsOf(unit: string): Map<string, string> {
  return new Map([...unit.matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]));
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}

/** Where the parts of the product are here. */
const here = (command: string) =>
  command.replace('/usr/bin/node', process.execPath).replace('/opt/larder/', ROOT).split(' ');

describe('the service', () => {
  it('is a unit that systemd accepts without warnings', async () => {
    const unit = (await asset('larder.service'))
      .replace('/usr/bin/node', process.execPath)
      .replace('/opt/larder/', ROOT);
    const path = join(folder, 'larder.service');
    await writeFile(path, unit);
    const analyze = '/usr/bin/systemd-analyze';
    if (!existsSync(analyze)) return;
    const { status, stdout, stderr } = spawnSync(analyze, ['verify', path], { encoding: 'utf8' });
    expect([status, stdout, stderr]).toEqual([0, '', '']);
    // It does complain.
    await writeFile(path, unit.replace('NoNewPrivileges', 'NoNewPrivilegse'));
    expect(spawnSync(analyze, ['verify', path], { encoding: 'utf8' }).stderr).toContain('NoNewPrivilegse');
  });

  it('runs as its own user, who may write only to its folder', async () => {
    const settings = settingsOf(await asset('larder.service'));
    expect(Object.fromEntries(settings)).toMatchObject({
      User: 'larder',
      NoNewPrivileges: 'yes',
      ProtectSystem: 'strict',
      CapabilityBoundingSet: '',
      Environment: `LARDER_FOLDER=${settings.get('ReadWritePaths')}`,
      RequiresMountsFor: settings.get('ReadWritePaths'),
    });
  });
});

describe('the container', () => {
  it('does not run as root', async () => {
    const lines = (await asset('Containerfile')).split('\n');
    const user = lines.findIndex((line) => /^USER (?!root|0)\w+$/.test(line));
    expect(user).toBeGreaterThan(lines.findLastIndex((line) => line.startsWith('RUN')));
    expect(lines.findIndex((line) => line.startsWith('CMD'))).toBeGreaterThan(user);
  });

  it('copies the sources, without build results and secrets', async () => {
    const file = await asset('Containerfile');
    const copied = [...file.matchAll(/^COPY --from=build (.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '));
    expect(copied).toHaveLength(5);
    for (const path of copied) expect(existsSync(path.replace('/opt/larder', ROOT)), path).toBe(true);
    const ignored = (await readFile(join(ROOT, '.dockerignore'), 'utf8')).split('\n');
    expect(ignored).toEqual(expect.arrayContaining(['.git', 'node_modules', 'dist', 'larder-data']));
  });
});

describe('started as the service is', () => {
  let child: ChildProcess;
  let port: number;
  let data: string;
  let ended: Promise<unknown[]>;
  beforeAll(async () => {
    data = join(folder, 'srv');
    await mkdir(data);
    port = await freePort();
    const [command = '', ...args] = here(settingsOf(await asset('larder.service')).get('ExecStart') ?? '');
    const env = { LARDER_FOLDER: data, LARDER_PORT: String(port), LARDER_CONTROL_PORT: '0', LARDER_HOST: '127.0.0.1' };
    child = spawn(command, args, {
      cwd: '/',
      env: { ...env, PATH: process.env.PATH },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    ended = once(child, 'exit');
    let output = '';
    await new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (chunk) => {
        output += chunk;
        if (output.includes(t('cli.serve.setup'))) resolve();
      });
      child.stderr?.on('data', (chunk) => {
        output += chunk;
      });
      void ended.then(() => reject(new Error(output)));
    });
  });
  afterAll(() => void child?.kill('SIGKILL'));

  /** The health check of the container, with the node of here. */
  async function health(): Promise<number | null> {
    const [, check = '[]'] = /HEALTHCHECK [^\n]*\\\n\s*CMD (\[.*\])/.exec(await asset('Containerfile')) ?? [];
    const [command = '', ...args] = JSON.parse(check) as string[];
    const env = { LARDER_FOLDER: data, LARDER_PORT: String(port), PATH: process.env.PATH };
    const checking = spawn(command, args, { env, stdio: 'ignore' });
    const [code] = await once(checking, 'exit');
    return code;
  }

  it('is healthy while it runs, and stops when asked to', async () => {
    expect(await health()).toBe(0);
    child.kill('SIGTERM');
    expect(await ended).toEqual([0, null]);
    expect(await health()).toBe(1);
  });
});
