import { execFileSync } from 'node:child_process';
import { chmod, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { davClient, parsed } from '../../support/webdav/dav-client.ts';

// Only the owner of a file sets its time: Samba and backups put files of other users into the household's folders.

const NOBODY = 65_534;
const THEIRS = ['theirs.txt', 'document.txt'] as const;
const OLD = 1_500_000_000;
const NEW = 1_600_000_000;

let household: Household;
let api: ApiClient;
const at = (name: string) => join(household.home, name);

describe.runIf(process.geteuid?.() === 0)('a file of another user of the system', () => {
  const opened: { path: string; mode: number }[] = [];

  beforeEach(async () => {
    household = await openHousehold();
    api = await household.signIn();
    execFileSync('chown', ['-R', String(NOBODY), household.folder]);
    for (const name of THEIRS) {
      await writeFile(at(name), 'the text');
      await chmod(at(name), 0o666);
      await utimes(at(name), OLD, OLD);
    }
    // The temporary folders are not accessible to others.
    for (let path = dirname(household.folder); path !== dirname(path); path = dirname(path)) {
      const mode = (await stat(path)).mode & 0o7777;
      if ((mode & 0o55) === 0o55) continue;
      opened.push({ path, mode });
      await chmod(path, mode | 0o55);
    }
    await api.get('files/browse', { path: '/ROOT/HOME' });
    process.seteuid?.(NOBODY);
  });
  afterEach(async () => {
    process.seteuid?.(0);
    for (const { path, mode } of opened.splice(0)) await chmod(path, mode);
    await household?.close();
  });

  it('is replaced by the same content if it has to get another time', async () => {
    const [name] = THEIRS;
    const sent = await api.put({ path: `/ROOT/HOME/${name}`, lastModified: String(NEW) }, 'the text');
    expect([sent.status, sent.body.data?.unchanged]).toEqual([200, undefined]);
    expect(await readFile(at(name), 'utf8')).toBe('the text');
    expect(Math.floor((await stat(at(name))).mtimeMs / 1_000)).toBe(NEW);
    // From now on it is Larder's own.
    const again = await api.put({ path: `/ROOT/HOME/${name}`, lastModified: String(NEW + 60) }, 'the text');
    expect([again.status, again.body.data?.unchanged]).toEqual([200, true]);
  });

  it('gets no property together with a time that it cannot have', async () => {
    const [, name] = THEIRS;
    const dav = await davClient(api);
    const body = `<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">1</x>
      <Win32LastModifiedTime xmlns="urn:schemas-microsoft-com:">Sun, 09 Sep 2001 01:46:40 GMT</Win32LastModifiedTime></prop></set></propertyupdate>`;
    const path = `/My%20files/${name}`;
    const { status, text } = await dav.send('PROPPATCH', path, { body });
    expect(status === 207 ? text : String(status)).toMatch(/403/);
    const asked = await dav.propfind(path, '0', '<propfind xmlns="DAV:"><prop><x xmlns="urn:x"/></prop></propfind>');
    expect([...parsed(asked.text).values()][0]?.missing).toEqual(['404 x']);
    expect(Math.floor((await stat(at(name))).mtimeMs / 1_000)).toBe(OLD);
  });
});
