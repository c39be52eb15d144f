import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { lstat, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Installation, setUpInstallation } from '../../cli/support.ts';
import { itInFull } from '../../support/forms.ts';

// Something else in the place of a file of the installation: opening a pipe would wait for whoever writes into it.

let folder: Installation;
let larder: string;

beforeEach(async () => {
  folder = await setUpInstallation();
  larder = join(folder.folder, '.larder');
});
afterEach(() => folder.remove());

async function replaceByPipe(path: string): Promise<void> {
  await rm(path, { force: true, recursive: true });
  execFileSync('mkfifo', [path]);
}

describe.skipIf(process.platform === 'win32')('a pipe in place of', () => {
  it.each(['tls/ca.crt', 'tls/ca.key'])('%s is reported by name, and the start fails', async (name) => {
    const path = join(larder, name);
    await replaceByPipe(path);
    const { code, stderr } = await folder.larder(['serve']);
    expect(code).not.toBe(0);
    expect(stderr).toContain(`${path} is not a file`);
  });

  it('a certificate of one’s own is reported, and the start continues', async () => {
    const path = join(larder, 'tls/own.crt');
    await replaceByPipe(path);
    await writeFile(join(larder, 'tls/own.key'), 'x');
    const server = await folder.serve();
    const { attention } = await folder.control('status');
    expect((attention as string[]).join()).toContain(`${path} is not a file`);
    expect((await server.stop()).code).toBe(0);
  });

  itInFull('the reserve blocks neither the start nor the end', async () => {
    const path = join(larder, 'reserve');
    await replaceByPipe(path);
    const server = await folder.serve();
    // One that waited for the pipe would never end by itself.
    expect((await server.stop()).code).toBe(0);
    expect((await lstat(path)).isFIFO()).toBe(true);
  });

  itInFull('the mark of an open database blocks neither the start nor the end', async () => {
    await replaceByPipe(join(larder, 'larder.sqlite-open'));
    const server = await folder.serve();
    expect((await server.stop()).code).toBe(0);
  });

  itInFull('the reserve is not followed if it is a symbolic link', async () => {
    const [path, target] = [join(larder, 'reserve'), join(folder.folder, 'precious')];
    await writeFile(target, 'precious');
    await rm(path, { force: true });
    await symlink(target, path);
    const server = await folder.serve();
    expect((await server.stop()).code).toBe(0);
    expect(await readFile(target, 'utf8')).toBe('precious');
    expect(existsSync(path)).toBe(true);
  });
});
