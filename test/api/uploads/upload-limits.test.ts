import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { connect, type TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../../support/households/member.ts';
import { type ApiClient, outcome, type Reply } from '../../support/requests/api-client.ts';

const MEGABYTE = 1_048_576;

let household: Household;
let small: ApiClient;
let pictures: ApiClient;
let full: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, {
    small: { upload_max_size: 2 },
    pictures: { upload_limit_types: 'jpg' },
    full: { space_quota_max: 1 },
  });
  small = await signInAs(household, 'small');
  pictures = await signInAs(household, 'pictures');
  full = await signInAs(household, 'full');
});
afterAll(() => household.close());

const path = (name: string) => `/ROOT/HOME/${name}`;
const leftovers = () => readdir(join(household.folder, '.larder', 'incoming'));
const chunked = (bytes: number) => Readable.from([Buffer.alloc(bytes - 1), Buffer.alloc(1)]);

async function form(api: ApiClient, name: string, bytes: number): Promise<Reply> {
  const parts = new FormData();
  parts.append('path', path(name));
  parts.append('file', new Blob([Buffer.alloc(bytes)]));
  const packed = new Response(parts);
  const headers = { 'content-type': packed.headers.get('content-type') ?? '' };
  return api.send('POST', '/api.php/files/upload', { headers, body: Buffer.from(await packed.arrayBuffer()) });
}

/** The first reply to a request whose content is never sent. */
async function answerTo(api: ApiClient, query: string, headers: string): Promise<string> {
  const socket: TLSSocket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca });
  try {
    socket.write(
      `PUT /api.php/files/upload?${query} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token_}\r\n${headers}\r\n\r\n`,
    );
    return await new Promise<string>((resolve, reject) => {
      socket.once('data', (chunk) => resolve(chunk.toString()));
      socket.once('error', reject);
    });
  } finally {
    socket.destroy();
  }
}

describe('upload_max_size', () => {
  it.each([
    ['announced', (name: string, bytes: number) => small.put({ path: path(name) }, Buffer.alloc(bytes))],
    ['in chunks', (name: string, bytes: number) => small.put({ path: path(name) }, chunked(bytes))],
    ['as a form', (name: string, bytes: number) => form(small, name, bytes)],
    [
      'in pieces',
      (name: string, bytes: number) => small.put({ path: path(name), totalSize: bytes, startByte: 0 }, chunked(bytes)),
    ],
  ])('%s: accepts 2 MB and not a byte more', async (how, send) => {
    expect((await send(`fits ${how}`, 2 * MEGABYTE)).body.data).toMatchObject({ created: true });
    const refused = await send(`too large ${how}`, 2 * MEGABYTE + 1);
    expect([refused.status, refused.body.code, refused.body.details]).toEqual([
      413,
      'upload_too_large',
      { limit: 2 * MEGABYTE },
    ]);
    expect(refused.body.error).toContain('2 MB');
    expect(await readdir(homeOf(household, 'small'))).not.toContain(`too large ${how}`);
    expect(await leftovers()).toEqual([]);
  });

  it('applies to uploads, not to copies', async () => {
    await writeFile(join(homeOf(household, 'small'), 'found.bin'), Buffer.alloc(2 * MEGABYTE + 1));
    await mkdir(join(homeOf(household, 'small'), 'folder'));
    expect(await outcome(small.post('files/copy', { path: path('found.bin'), copyTo: path('folder') }))).toEqual([
      200,
      undefined,
    ]);
  });
});

describe('a client that waits for 100 Continue', () => {
  const ASK = (bytes: number) => `Content-Length: ${bytes}\r\nExpect: 100-continue`;

  it.each([
    ['a size', () => small, `path=${path('x')}`, 2 * MEGABYTE + 1, /^HTTP\/1\.1 413 [\s\S]*upload_too_large/],
    [
      'a size in pieces',
      () => small,
      `path=${path('x')}&totalSize=${2 * MEGABYTE + 1}`,
      5,
      /^HTTP\/1\.1 413 [\s\S]*upload_too_large/,
    ],
    ['a type', () => pictures, `path=${path('x.exe')}`, 5, /^HTTP\/1\.1 415 [\s\S]*type_not_allowed/],
    ['a quota', () => full, `path=${path('x')}`, MEGABYTE + 1, /^HTTP\/1\.1 507 [\s\S]*quota_exceeded/],
    [
      'a quota in pieces',
      () => full,
      `path=${path('x')}&totalSize=${MEGABYTE + 1}`,
      5,
      /^HTTP\/1\.1 507 [\s\S]*quota_exceeded/,
    ],
    ['nothing', () => full, `path=${path('x')}`, MEGABYTE, /^HTTP\/1\.1 100 Continue/],
  ])('is refused %s before it sends', async (_what, api, query, bytes, answer) => {
    expect(await answerTo(api(), query, ASK(bytes))).toMatch(answer);
    await expect.poll(leftovers).toEqual([]);
  });
});

describe('upload_limit_types', () => {
  const found = async (...names: string[]) => {
    for (const name of names) {
      const real = join(homeOf(household, 'pictures'), name);
      await mkdir(join(real, '..'), { recursive: true });
      await writeFile(real, name);
    }
  };

  it('names the file and the allowed types', async () => {
    const { status, body } = await pictures.put({ path: path('a.exe') }, 'x');
    expect([status, body.code, body.details]).toEqual([
      415,
      'type_not_allowed',
      { filename: 'a.exe', allowed: ['jpg'] },
    ]);
    expect(body.error).toContain('"a.exe"');
  });

  it('uses the requested name, even if a file of that name exists', async () => {
    await found('there.exe');
    expect(await outcome(pictures.put({ path: path('there.exe') }, 'x'))).toEqual([415, 'type_not_allowed']);
    expect(await outcome(pictures.put({ filePath: path('new/there.exe') }, 'x'))).toEqual([415, 'type_not_allowed']);
    expect(await readdir(homeOf(household, 'pictures'))).not.toContain('new');
  });

  it('refuses a folder with another type in it, naming the first, and copies none of it', async () => {
    await found('trip/a.jpg', 'trip/notes/b.txt', 'target/x.jpg');
    const { status, body } = await pictures.post('files/copy', { path: path('trip'), copyTo: path('target') });
    expect([status, body.details.path]).toEqual([415, path('trip/notes/b.txt')]);
    expect(await readdir(join(homeOf(household, 'pictures'), 'target'))).toEqual(['x.jpg']);
    expect(await leftovers()).toEqual([]);
  });

  it('refuses a deleted folder with another type in it, even if another program added it', async () => {
    await found('album/a.jpg');
    const { body } = await pictures.post('files/delete', { path: path('album') });
    const trashPath = body.data.trash_path as string;
    const inTrash = join(household.folder, '.larder', 'trash', trashPath.split('/').at(-1) ?? '');
    await mkdir(join(inTrash, 'deep'));
    await writeFile(join(inTrash, 'deep', 'virus.exe'), 'x');
    const refused = await pictures.post('files/trash/restore', { path: trashPath });
    expect([refused.status, refused.body.details.path]).toEqual([415, path('album/deep/virus.exe')]);
    await writeFile(join(inTrash, 'deep', 'b.jpg'), 'x');
    await rm(join(inTrash, 'deep', 'virus.exe'));
    expect(await outcome(pictures.post('files/trash/restore', { path: trashPath }))).toEqual([200, undefined]);
  });
});
