import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createClient } from 'webdav';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { isInstalled } from '../support/system/is-installed.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

// Sessions of real programs. Those of the system are skipped where they are not installed.

const run = promisify(execFile);

/** The long form copies as many files as a camera holds. */
const FILES = process.env.LARDER_WEBDAV_FILES === undefined ? 100 : Number(process.env.LARDER_WEBDAV_FILES);

let household: Household;
let dav: DavClient;
let folder: string;
let ca: string;
let url: string;
let next = 0;
let name = '';

beforeAll(async () => {
  household = await openHousehold();
  dav = await davClient(await household.signIn());
  folder = await mkdtemp(join(tmpdir(), 'larder-clients-'));
  ca = join(folder, 'ca.crt');
  await writeFile(ca, household.ca);
  url = `https://localhost:${household.port}/dav/My%20files`;
});
afterAll(async () => {
  await household?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  next += 1;
  name = `box${next}`;
  await mkdir(join(household.home, name));
});

const stored = (path: string) => readFile(join(household.home, name, path), 'utf8');

it('the npm client "webdav" uses all of its functions', async () => {
  const { Agent } = await import('node:https');
  const options = { username: dav.username, password: dav.password, httpsAgent: new Agent({ ca: household.ca }) };
  const client = createClient(`${url}/${name}`, options);
  await client.createDirectory('/a b/c', { recursive: true });
  await client.putFileContents('/a b/c/ü.txt', 'content');
  expect(await client.getFileContents('/a b/c/ü.txt', { format: 'text' })).toBe('content');
  expect(await client.exists('/a b/none')).toBe(false);
  await client.copyFile('/a b/c/ü.txt', '/copy.txt');
  await client.moveFile('/copy.txt', '/moved.txt');
  const listed = await client.getDirectoryContents('/', { deep: false });
  expect((listed as { basename: string; type: string }[]).map(({ basename, type }) => [basename, type]).sort()).toEqual(
    [
      ['a b', 'directory'],
      ['moved.txt', 'file'],
    ],
  );
  const { size, etag } = (await client.stat('/moved.txt')) as { size: number; etag: string | null };
  expect([size, typeof etag]).toEqual([7, 'string']);
  const lock = await client.lock('/moved.txt');
  await expect(client.putFileContents('/moved.txt', 'x')).rejects.toThrow('423');
  await client.unlock('/moved.txt', lock.token);
  await client.deleteFile('/a b');
  expect(await readdir(join(household.home, name))).toEqual(['moved.txt']);
});

describe.runIf(isInstalled('rclone'))('rclone', () => {
  let obscured: string | undefined;
  const rclone = async (...args: string[]) => {
    // Each result is another one, and another one would be another remote.
    obscured ??= (await run('rclone', ['obscure', dav.password])).stdout.trim();
    const env = {
      ...process.env,
      RCLONE_CONFIG: join(folder, 'rclone.conf'),
      RCLONE_CONFIG_LARDER_TYPE: 'webdav',
      RCLONE_CONFIG_LARDER_URL: url,
      RCLONE_CONFIG_LARDER_VENDOR: 'owncloud',
      RCLONE_CONFIG_LARDER_USER: dav.username,
      RCLONE_CONFIG_LARDER_PASS: obscured,
      RCLONE_CA_CERT: ca,
      RCLONE_RETRIES: '1',
      XDG_CACHE_HOME: join(folder, 'cache'),
    };
    return run('rclone', args, { env });
  };

  itInFull('copies and checks in both directions, with times and checksums', async () => {
    const local = join(folder, name);
    await mkdir(join(local, 'deep', 'er'), { recursive: true });
    for (let index = 0; index < FILES; index += 1) {
      const path = join(local, index % 3 === 0 ? 'deep/er' : index % 3 === 1 ? 'deep' : '.', `file ${index} é&.txt`);
      await writeFile(path, `content ${index}`);
      await utimes(path, new Date(), new Date(1_000_000_000_000 + index * 1000));
    }
    await rclone('copy', local, `larder:${name}`, '--checkers', '8', '--transfers', '8');
    await rclone('check', local, `larder:${name}`);
    const again = await rclone('copy', local, `larder:${name}`, '--stats-one-line', '-v');
    expect(again.stderr).toMatch(/There was nothing to transfer/);
    await rclone('copy', `larder:${name}`, join(folder, `${name}-back`));
    await rclone('check', `larder:${name}`, join(folder, `${name}-back`));
    await writeFile(join(household.home, name, 'file 2 é&.txt'), 'changed by hand');
    await expect(rclone('check', local, `larder:${name}`)).rejects.toThrow();
  });

  it('synchronizes both sides', async () => {
    const local = join(folder, `${name}-both`);
    await mkdir(local);
    await writeFile(join(local, 'local.txt'), 'local');
    await writeFile(join(household.home, name, 'remote.txt'), 'remote');
    const bisync = (...args: string[]) => rclone('bisync', local, `larder:${name}`, '--force', ...args);
    await bisync('--resync');
    expect(await readFile(join(local, 'remote.txt'), 'utf8')).toBe('remote');
    await writeFile(join(local, 'local.txt'), 'changed');
    await rm(join(local, 'remote.txt'));
    await bisync();
    expect(await stored('local.txt')).toBe('changed');
    expect(await readdir(join(household.home, name))).not.toContain('remote.txt');
  });
});

describe.runIf(isInstalled('cadaver') && isInstalled('script'))('cadaver', () => {
  it('runs a session of commands', async () => {
    const home = join(folder, 'cadaver');
    await mkdir(home);
    await writeFile(join(home, '.netrc'), `machine localhost login ${dav.username} password ${dav.password}\n`, {
      mode: 0o600,
    });
    await writeFile(join(home, 'up.txt'), 'from cadaver');
    const commands = [
      'y',
      'mkcol folder',
      'put up.txt folder/up.txt',
      'copy folder/up.txt folder/copy.txt',
      'move folder/copy.txt folder/moved.txt',
      'lock folder/moved.txt',
      'unlock folder/moved.txt',
      'propset folder/moved.txt colour green',
      'propget folder/moved.txt colour',
      'ls folder',
      'get folder/up.txt down.txt',
      'delete folder/up.txt',
      'quit',
      '',
    ];
    // It asks about the certificate on a terminal only.
    const command = `cadaver ${url}/${name}/`;
    const child = run('script', ['-qec', command, '/dev/null'], { cwd: home, env: { ...process.env, HOME: home } });
    child.child.stdin?.end(commands.join('\n'));
    const { stdout } = await child;
    expect(stdout).toContain('moved.txt');
    expect(stdout).toContain('green');
    expect(stdout).not.toMatch(/failed|Could not/i);
    expect(await readFile(join(home, 'down.txt'), 'utf8')).toBe('from cadaver');
    expect(await stored('folder/moved.txt')).toBe('from cadaver');
  });
});

const PYTHON = '/usr/bin/python3';
const hasPythonClient = await run(PYTHON, ['-c', 'import webdav3.client']).then(
  () => true,
  () => false,
);

describe.runIf(hasPythonClient)('python3-webdavclient', () => {
  it('uploads, lists, copies, moves and downloads', async () => {
    const script = `
import sys
from webdav3.client import Client
client = Client({'webdav_hostname': sys.argv[1], 'webdav_login': sys.argv[2], 'webdav_password': sys.argv[3]})
client.session.verify = sys.argv[4]
client.verify = sys.argv[4]
client.mkdir('folder')
client.upload_sync(remote_path='folder/a.txt', local_path=sys.argv[5])
client.copy(remote_path_from='folder/a.txt', remote_path_to='folder/b.txt')
client.move(remote_path_from='folder/b.txt', remote_path_to='folder/c.txt')
# It lists the folder itself, too.
assert [one for one in sorted(client.list('folder')) if one != 'folder/'] == ['a.txt', 'c.txt'], client.list('folder')
assert client.info('folder/c.txt')['size'] == '7'
client.download_sync(remote_path='folder/c.txt', local_path=sys.argv[5] + '.back')
assert open(sys.argv[5] + '.back').read() == 'content'
client.clean('folder/a.txt')
assert not client.check('folder/a.txt')
`;
    const file = join(folder, 'python.txt');
    await writeFile(file, 'content');
    // It does not decode addresses, so it gets one without anything to decode.
    const limited = await davClient(await household.signIn(), { folder: `/ROOT/HOME/${name}` });
    const address = `https://localhost:${household.port}/dav`;
    await run(PYTHON, ['-c', script, address, limited.username, limited.password, ca, file]);
    expect(await readdir(join(household.home, name, 'folder'))).toEqual(['c.txt']);
  });
});
