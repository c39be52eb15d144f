import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { isInstalled } from '../support/system/is-installed.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

// Programs that show the files of Larder as a folder of the system. Each is skipped where it is not installed.

const run = promisify(execFile);

let household: Household;
let dav: DavClient;
let folder: string;
let next = 0;
let name = '';

beforeAll(async () => {
  household = await openHousehold();
  dav = await davClient(await household.signIn());
  folder = await mkdtemp(join(tmpdir(), 'larder-mounted-'));
  await writeFile(join(folder, 'ca.crt'), household.ca);
  await writeFile(join(folder, 'local.txt'), 'from this computer');
});
afterAll(async () => {
  await household?.close();
  await rm(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  next += 1;
  name = `box${next}`;
  await mkdir(join(household.home, name));
  await writeFile(join(household.home, name, 'letter.txt'), 'a letter');
  await writeFile(join(household.home, name, 'old.txt'), 'old');
});

const stored = (path: string) => readFile(join(household.home, name, path), 'utf8');

/** davfs2 mounts, which only the administrator of a computer may, in a mount namespace that ends with the shell. */
const mayMount =
  process.getuid?.() === 0 &&
  isInstalled('mount.davfs') &&
  existsSync('/dev/fuse') &&
  existsSync('/etc/davfs2/davfs2.conf') &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'larder-tests', tmpdir()]).status === 0;

describe.runIf(mayMount)('davfs2', () => {
  it('reads, writes, moves and deletes files, and locks what it writes', async () => {
    const [mounted, cache, secrets, config] = ['mounted', 'cache', 'secrets', 'davfs2.conf'].map((one) =>
      join(folder, one),
    );
    await Promise.all([mkdir(String(mounted)), mkdir(String(cache))]);
    const url = `https://localhost:${household.port}/dav/`;
    await writeFile(String(secrets), `${url} ${dav.username} ${dav.password}\n`, { mode: 0o600 });
    // Another user could not enter the temporary folder. These are settings of the system, which the namespace replaces for itself.
    const settings = { ask_auth: 0, use_locks: 1, dav_user: 'root', dav_group: 'root', cache_dir: cache };
    const lines = Object.entries({ ...settings, trust_ca_cert: join(folder, 'ca.crt') }).map((entry) =>
      entry.join(' '),
    );
    await writeFile(String(config), `${lines.join('\n')}\n`);
    // It does not list folders on recent kernels (`readdir` fails with EINVAL in davfs2 itself), so names are used without looking.
    const script = `set -e
mount --bind "$2" /etc/davfs2/davfs2.conf
mount --bind "$6" /etc/davfs2/secrets
mount -t davfs "$1" "$3"
trap 'umount "$3"' EXIT
cd "$3/My files/$4"
cat letter.txt
cp "$5" copied.txt
mkdir sub
mv letter.txt sub/moved.txt
rm old.txt
echo changed >> sub/moved.txt
cd /
trap - EXIT
umount "$3"`;
    const args = [url, config, mounted, name, join(folder, 'local.txt'), secrets].map(String);
    const { stdout } = await run('unshare', ['--mount', 'bash', '-c', script, 'bash', ...args]);
    expect(stdout).toMatch(/^a letter/);
    expect((await readdir(join(household.home, name))).sort()).toEqual(['copied.txt', 'sub']);
    expect([await stored('copied.txt'), await stored('sub/moved.txt')]).toEqual([
      'from this computer',
      'a letterchanged\n',
    ]);
    const { text } = await dav.propfind(`/My%20files/${name}/sub/moved.txt`, '0');
    expect(text).not.toContain('opaquelocktoken');
  });
});

describe.runIf(isInstalled('gio') && isInstalled('dbus-run-session') && existsSync('/usr/libexec/gvfsd-dav'))(
  'gvfs',
  () => {
    it('connects, lists, copies, moves and deletes', async () => {
      const base = `davs://${dav.username}@localhost:${household.port}/dav/`;
      const script = `set -e
gio mount "$1"
gio list "$1My%20files/$2"
gio cat "$1My%20files/$2/letter.txt"
gio copy "$3" "$1My%20files/$2/copied.txt"
gio mkdir "$1My%20files/$2/sub"
gio move "$1My%20files/$2/letter.txt" "$1My%20files/$2/sub/moved.txt"
gio info -a standard::size,time::modified "$1My%20files/$2/sub/moved.txt"
gio remove "$1My%20files/$2/old.txt"
gio mount -u "$1"`;
      const child = run(
        'dbus-run-session',
        ['--', 'bash', '-c', script, 'bash', base, name, join(folder, 'local.txt')],
        {
          // No other devices are looked for, neither of this computer nor on the network.
          env: { ...process.env, HOME: folder, XDG_RUNTIME_DIR: folder, GIO_USE_VOLUME_MONITOR: 'unix' },
        },
      );
      // It asks whether to trust the certificate, then for the password.
      child.child.stdin?.end(`1\n${dav.password}\n`);
      const { stdout } = await child;
      expect(stdout).toContain('letter.txt\n');
      expect(stdout).toContain('a letter');
      expect(stdout).toMatch(/standard::size: 8/);
      expect((await readdir(join(household.home, name))).sort()).toEqual(['copied.txt', 'sub']);
      expect([await stored('copied.txt'), await stored('sub/moved.txt')]).toEqual(['from this computer', 'a letter']);
    });
  },
);
