import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Where the desktop client looks for authorities: in folders of the system, of which this one has something. */
const AUTHORITIES = '/etc/ssl/certs';

/**
 * How a program gets a mount namespace of its own: as root, or as a user who is root only there. Null where neither is possible, as
 * on other systems than Linux.
 */
const UNSHARE = [['--mount'], ['--mount', '--map-root-user']].find(
  (options) => spawnSync('unshare', [...options, 'mount', '--bind', tmpdir(), AUTHORITIES]).status === 0,
);

/** Whether the client trusts nobody but the household's authority. Otherwise it trusts every certificate. */
export const trustsAuthorityOnly = UNSHARE !== undefined;

/**
 * The desktop client as a command. It has no option for the file of an authority, and reads neither `SSL_CERT_FILE` nor `SSL_CERT_DIR`:
 * its library looks in folders of the system only. Therefore it runs where such a folder has nothing but the household's authority. Where
 * that is not possible, `--trust` remains.
 * @param ca the authority, in PEM @param home a folder for it
 */
export async function clientCommand(
  ca: string,
  home: string,
  args: readonly string[],
): Promise<readonly [program: string, args: string[]]> {
  if (UNSHARE === undefined) return ['nextcloudcmd', ['--trust', ...args]];
  const folder = join(home, 'authorities');
  await mkdir(folder, { recursive: true });
  // Without names that are hashes, all of them are loaded.
  await writeFile(join(folder, 'household.pem'), ca);
  const script = `mount --bind "$0" ${AUTHORITIES} && exec nextcloudcmd "$@"`;
  return ['unshare', [...UNSHARE, 'sh', '-c', script, folder, ...args]];
}
