import { createHash } from 'node:crypto';
import { mkdir, open, readdir, readlink, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../../support/content/read-zip.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

const sha = (content: Buffer | string) => createHash('sha256').update(content).digest('hex');
const zipOf = (path: string) => api.get('files/download', { path });

describe('the download of a folder', () => {
  it('is a ZIP archive of all contents, uncompressed, with times and names in UTF-8', async () => {
    const folder = join(household.home, 'Fotos ü 日本');
    await mkdir(join(folder, 'sub', 'empty'), { recursive: true });
    await writeFile(join(folder, 'größe 😀.txt'), 'hello');
    await writeFile(join(folder, 'sub', 'nothing.bin'), '');
    const large = Buffer.alloc(3_000_001, 'abc');
    await writeFile(join(folder, 'sub', 'large.bin'), large);
    await utimes(join(folder, 'sub', 'large.bin'), 1_600_000_000, 1_600_000_000);
    await symlink('/etc/passwd', join(folder, 'link'));
    await utimes(join(folder, 'sub'), 1_500_000_000, 1_500_000_000);
    await utimes(folder, 1_400_000_000, 1_400_000_000);
    const reply = await zipOf('/ROOT/HOME/Fotos ü 日本');
    expect(reply.status).toBe(200);
    expect(reply.headers).toMatchObject({ 'content-type': 'application/zip', 'accept-ranges': 'none' });
    expect(reply.headers['content-disposition']).toContain(
      `filename*=UTF-8''${encodeURIComponent('Fotos ü 日本.zip')}`,
    );
    const entries = await readZip(reply.bytes);
    expect(Object.keys(entries).sort()).toEqual(
      [
        'Fotos ü 日本/',
        'Fotos ü 日本/größe 😀.txt',
        'Fotos ü 日本/sub/',
        'Fotos ü 日本/sub/empty/',
        'Fotos ü 日本/sub/large.bin',
        'Fotos ü 日本/sub/nothing.bin',
      ].sort(),
    );
    expect(entries['Fotos ü 日本/sub/large.bin']).toMatchObject({ sha: sha(large), isStored: true, isUtf8: true });
    expect(entries['Fotos ü 日本/größe 😀.txt']).toMatchObject({ sha: sha('hello'), size: 5 });
    expect(entries['Fotos ü 日本/sub/large.bin']?.date.getTime()).toBe(1_600_000_000_000);
    expect(entries['Fotos ü 日本/sub/']?.date.getTime()).toBe(1_500_000_000_000);
    expect(entries['Fotos ü 日本/']?.date.getTime()).toBe(1_400_000_000_000);
  });

  it('of the home has its name, and contains none of Larder’s own files', async () => {
    const reply = await zipOf('/ROOT/HOME');
    expect(reply.headers['content-disposition']).toContain('filename="My Files.zip"');
    expect(Object.keys(await readZip(reply.bytes)).filter((name) => name.includes('larder'))).toEqual([]);
  });

  it('contains no names that could escape on extraction', async () => {
    const folder = join(household.home, 'C: odd');
    await mkdir(folder);
    await writeFile(join(folder, '..\\..\\up.txt'), '1');
    await writeFile(join(folder, 'a\\b'), '2');
    const names = Object.keys(await readZip((await zipOf('/ROOT/HOME/C: odd')).bytes));
    expect(names).toHaveLength(3);
    expect(names.filter((name) => /\\|^[A-Za-z]:|(?:^|\/)\.\.(?:\/|$)/.test(name))).toEqual([]);
  });

  it('or of a file succeeds while the name alternates between a folder and a file', async () => {
    const path = '/ROOT/HOME/changing';
    const [name, file, folder] = ['changing', 'a file', 'a folder'].map((one) => join(household.home, one)) as [
      string,
      string,
      string,
    ];
    await writeFile(file, 'a file');
    await mkdir(folder);
    let isOver = false;
    const watch = async () => {
      while (!isOver) {
        const [now, version] = await Promise.all([
          // An archive is aborted when its folder disappears.
          api.get('files/download', { path }).then(
            ({ status }) => status,
            () => 'broken',
          ),
          api.get('files/download', { path, version: 1 }),
        ]);
        expect([200, 404, 'broken']).toContain(now);
        expect([undefined, 'not_found', 'invalid_parameter']).toContain(version.body.code);
      }
    };
    const watching = [watch(), watch(), watch()];
    for (let round = 0; round < 1_000; round += 1) {
      for (const one of [file, folder]) {
        await rename(one, name);
        await rename(name, one);
      }
    }
    isOver = true;
    await Promise.all(watching);
  });

  it('is refused with a token for other scopes, and for missing items', async () => {
    expect((await zipOf('/ROOT/HOME/nothing')).status).toBe(404);
    const other = await household.signIn('list');
    expect((await other.get('files/download', { path: '/ROOT/HOME' })).body.code).toBe('insufficient_scope');
    const head = await api.send('HEAD', `/api.php/files/download?path=${encodeURIComponent('/ROOT/HOME/C: odd')}`);
    expect([head.status, head.headers['content-type'], head.bytes.length]).toEqual([200, 'application/zip', 0]);
  });

  it('stops when the client disconnects, and leaves no file open', async () => {
    const folder = join(household.home, 'slow');
    await mkdir(folder);
    for (let index = 0; index < 5; index += 1) {
      const file = await open(join(folder, `${index}.bin`), 'w');
      await file.truncate(200_000_000);
      await file.close();
    }
    const openFiles = async () => {
      const fds = await readdir('/proc/self/fd');
      const targets = await Promise.all(fds.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
      return targets.filter((target) => target.startsWith(folder));
    };
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      request(
        `${api.base}/api.php/files/download?path=/ROOT/HOME/slow`,
        { ca: household.ca, headers: { authorization: `Bearer ${api.token_}` } },
        (reply) => {
          reply.once('data', () => {
            reply.pause();
            resolve(reply);
          });
        },
      )
        .on('error', reject)
        .end();
    });
    // One at a time, however many there are: the first does not fit into the buffers of the connection.
    await expect.poll(openFiles).toHaveLength(1);
    response.destroy();
    await expect.poll(openFiles).toEqual([]);
    await rm(folder, { recursive: true });
  });

  it('aborts if a file cannot be read completely, so that an incomplete archive is never valid', async () => {
    const folder = join(household.home, 'shrinking');
    await mkdir(folder);
    await writeFile(join(folder, 'a.bin'), Buffer.alloc(40_000_000));
    const outcome = await new Promise<string>((resolve) => {
      request(
        `${api.base}/api.php/files/download?path=/ROOT/HOME/shrinking`,
        { ca: household.ca, headers: { authorization: `Bearer ${api.token_}` } },
        (response) => {
          // The head of the archive precedes the opening of the file, so wait for more.
          let received = 0;
          const shorten = async (piece: Buffer) => {
            received += piece.length;
            if (received < 1_000_000) return;
            response.off('data', shorten);
            response.pause();
            const file = await open(join(folder, 'a.bin'), 'r+');
            await file.truncate(10);
            await file.close();
            response.resume();
          };
          response.on('data', shorten);
          response.on('data', () => undefined);
          response.on('end', () => resolve('whole'));
          response.on('error', () => resolve('broken'));
        },
      ).end();
    });
    expect(outcome).toBe('broken');
  });
});
