import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { FormData } from 'undici';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

const onDisk = (...segments: string[]) => join(household.home, ...segments);
const leftovers = async () => readdir(join(household.folder, '.larder', 'incoming'));

async function multipart(fields: [string, string | Blob][]) {
  const form = new FormData();
  for (const [name, value] of fields) form.append(name, value);
  const response = new Response(form as never);
  return {
    headers: { 'content-type': response.headers.get('content-type') ?? '' },
    body: Buffer.from(await response.arrayBuffer()),
  };
}

describe('files/upload by PUT', () => {
  it('stores the body unchanged, whatever its Content-Type, and answers 201', async () => {
    const content = 'path=/ROOT/HOME/other.txt&file=no';
    const reply = await api.put({ path: '/ROOT/HOME/put.txt' }, content, {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect(reply.status).toBe(201);
    expect(reply.body.data).toMatchObject({
      path: '/ROOT/HOME/put.txt',
      filename: 'put.txt',
      fileSize: content.length,
      version: 1,
    });
    expect(await readFile(onDisk('put.txt'), 'utf8')).toBe(content);
  });

  it('overwrites with 200, the same uuid and the next version, and retains the old content', async () => {
    const first = await api.put({ path: '/ROOT/HOME/again.txt' }, 'one');
    const second = await api.put({ path: '/ROOT/HOME/again.txt' }, 'two');
    expect([first.status, second.status]).toEqual([201, 200]);
    expect(second.body.data).toMatchObject({ uuid: first.body.data.uuid, version: 2, fileSize: 3 });
    expect(await readFile(onDisk('again.txt'), 'utf8')).toBe('two');
    const versions = join(household.folder, '.larder', 'versions');
    const kept = await Promise.all((await readdir(versions)).map((name) => readFile(join(versions, name), 'utf8')));
    expect(kept).toContain('one');
  });

  it('retains files that the owner put there by hand as versions, too', async () => {
    await writeFile(onDisk('by-hand.txt'), 'by hand');
    const reply = await api.put({ path: '/ROOT/HOME/by-hand.txt' }, 'by the app');
    expect([reply.status, reply.body.data.version]).toEqual([200, 2]);
  });

  it.each([
    'with spaces.txt',
    '#%&+=;.txt',
    '100%25.txt',
    '👩‍👩‍👧 family.jpg',
    'مرحبا بالعالم.txt',
    '日本語のファイル名.txt',
    "quote's.txt",
    '.hidden',
    `${'é'.repeat(125)}.txt`,
    `${'x'.repeat(251)}.txt`,
  ])('accepts the name %s and returns it', async (name) => {
    const reply = await api.put({ path: `/ROOT/HOME/${name}` }, name);
    expect(reply.status).toBe(201);
    expect(reply.body.data.filename).toBe(name);
    expect(await readFile(onDisk(name), 'utf8')).toBe(name);
    const download = await api.get('files/download', { path: reply.body.data.path });
    expect(download.text).toBe(name);
    expect(download.headers['content-disposition']).toContain(`filename*=UTF-8''`);
  });

  it('accepts an empty file', async () => {
    expect((await api.put({ path: '/ROOT/HOME/empty' }, '')).body.data.fileSize).toBe(0);
    expect((await stat(onDisk('empty'))).size).toBe(0);
    expect((await api.get('files/download', { path: '/ROOT/HOME/empty' })).bytes.length).toBe(0);
  });

  it('accepts content of every length around its buffers, byte for byte', async () => {
    for (const size of [1, 65_535, 65_536, 65_537, 1_048_575, 1_048_576, 1_048_577, 2_097_153, 5_000_000]) {
      const content = randomBytes(size);
      await api.put({ path: '/ROOT/HOME/size.bin' }, content);
      expect(content.equals(await readFile(onDisk('size.bin'))), `${size} bytes`).toBe(true);
      const chunked = async function* () {
        for (let at = 0; at < size; at += 70_001) yield content.subarray(at, at + 70_001);
      };
      await api.put({ path: '/ROOT/HOME/chunked.bin' }, chunked() as never);
      expect(content.equals(await readFile(onDisk('chunked.bin'))), `${size} bytes, chunked`).toBe(true);
    }
  });

  it('requires the folder for path and creates it for filePath; with both, path decides', async () => {
    const refused = await api.put({ path: '/ROOT/HOME/no/such/a.txt' }, 'a');
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
    const made = await api.put({ filePath: '/ROOT/HOME/deep/er/a.txt' }, 'a');
    expect([made.status, made.body.data.path]).toEqual([201, '/ROOT/HOME/deep/er/a.txt']);
    const both = await api.put({ path: '/ROOT/HOME/no/a.txt', filePath: '/ROOT/HOME/yes/a.txt' }, 'a');
    expect(both.status).toBe(404);
    expect(await readdir(household.home)).not.toContain('yes');
  });
});

describe('files/upload by multipart POST', () => {
  it.each([
    ['before', true],
    ['after', false],
  ])('accepts the path from a field %s the file, never from the part', async (_where, before) => {
    const file: [string, Blob] = ['file', new File(['content'], 'ignored.exe')];
    const path: [string, string] = ['path', `/ROOT/HOME/form ${before}.txt`];
    const { headers, body } = await multipart(before ? [path, file] : [file, path]);
    const reply = await api.send('POST', '/api.php/files/upload/', { headers, body });
    const { filename, created } = reply.body.data;
    expect([reply.status, filename, created]).toEqual([200, `form ${before}.txt`, true]);
  });

  it('creates the folders of a filePath, and none for a path', async () => {
    const file: [string, Blob] = ['file', new File(['content'], 'ignored.exe')];
    const send = async (field: string) => {
      const { headers, body } = await multipart([[field, '/ROOT/HOME/by/form/named.txt'], file]);
      return api.send('POST', '/api.php/files/upload/', { headers, body });
    };
    const refused = await send('path');
    expect([refused.status, refused.body.code]).toEqual([404, 'not_found']);
    expect(await readdir(household.home)).not.toContain('by');
    expect((await send('filePath')).body.data.path).toBe('/ROOT/HOME/by/form/named.txt');
    expect(await readFile(onDisk('by', 'form', 'named.txt'), 'utf8')).toBe('content');
  });

  it.each([
    ['no file', [['path', '/ROOT/HOME/x.txt']], 400, 'missing_parameter'],
    ['no path', [['file', new Blob(['x'])]], 400, 'missing_parameter'],
    [
      'a part of another name',
      [
        ['path', '/ROOT/HOME/x.txt'],
        ['upload', new Blob(['x'])],
      ],
      400,
      'missing_parameter',
    ],
  ] as [string, [string, string | Blob][], number, string][])(
    'refuses a form with %s',
    async (_name, fields, status, code) => {
      const { headers, body } = await multipart(fields);
      const reply = await api.send('POST', '/api.php/files/upload/', { headers, body });
      expect([reply.status, reply.body.code]).toEqual([status, code]);
      expect(await leftovers()).toEqual([]);
    },
  );

  it('refuses a form that is cut off, and one without a boundary', async () => {
    const { headers, body } = await multipart([
      ['path', '/ROOT/HOME/cut.txt'],
      ['file', new Blob(['x'.repeat(1000)])],
    ]);
    const cut = await api.send('POST', '/api.php/files/upload/', { headers, body: body.subarray(0, 600) });
    expect([cut.status, cut.body.code]).toEqual([400, 'malformed_body']);
    const bare = await api.send('POST', '/api.php/files/upload/', {
      headers: { 'content-type': 'multipart/form-data' },
      body,
    });
    expect([bare.status, bare.body.code]).toEqual([400, 'malformed_body']);
    expect(await readdir(household.home)).not.toContain('cut.txt');
    expect(await leftovers()).toEqual([]);
  });
});

describe('uploads that must change nothing', () => {
  it.each([
    ['/ROOT/HOME/../x', 400, 'invalid_path'],
    ['/ROOT/HOME/a/../../x', 400, 'invalid_path'],
    ['/ROOT/HOME/./x', 400, 'invalid_path'],
    ['/ROOT/HOME/a\0b', 400, 'invalid_path'],
    ['ROOT/HOME/x', 400, 'invalid_path'],
    ['C:\\x', 400, 'invalid_path'],
    ['/etc/passwd', 404, 'not_found'],
    ['/ROOT/HOME', 400, 'invalid_path'],
    ['/ROOT/HOME/', 400, 'invalid_path'],
    ['/ROOT', 400, 'invalid_path'],
    ['/ROOT/HOME/C:\\x', 400, 'invalid_name'],
    ['/ROOT/HOME/..\\x', 400, 'invalid_name'],
    ['/ROOT/HOME/a:b', 400, 'invalid_name'],
    ['/ROOT/HOME/nul', 400, 'invalid_name'],
    ['/ROOT/HOME/COM1.txt', 400, 'invalid_name'],
    ['/ROOT/HOME/dot.', 400, 'invalid_name'],
    ['/ROOT/HOME/space ', 400, 'invalid_name'],
    ['/ROOT/HOME/line\nbreak', 400, 'invalid_name'],
    [`/ROOT/HOME/${'x'.repeat(256)}`, 400, 'invalid_name'],
    [`/ROOT/HOME/${'é'.repeat(128)}`, 400, 'invalid_name'],
    ['/ROOT/HOME/.larder-home', 409, 'already_exists'],
    ['/ROOT/HOME/file.txt/x', 404, 'not_found'],
    ['/ROOT/HOME/link/x', 404, 'not_found'],
    ['/ROOT/HOME/folder', 409, 'already_exists'],
    ['/ROOT/HOME/FILE.TXT', 409, 'already_exists'],
  ])('refuses %j with %i %s', async (path, status, code) => {
    await mkdir(onDisk('folder'), { recursive: true });
    await writeFile(onDisk('file.txt'), 'content');
    await mkdir(join(household.folder, 'outside'), { recursive: true });
    await symlink(join(household.folder, 'outside'), onDisk('link')).catch(() => undefined);
    const before = (await readdir(household.home, { recursive: true })).sort();
    const reply = await api.put({ path }, 'new');
    expect([reply.status, reply.body.code]).toEqual([status, code]);
    expect((await readdir(household.home, { recursive: true })).sort()).toEqual(before);
    expect(await readFile(onDisk('file.txt'), 'utf8')).toBe('content');
    expect(await leftovers()).toEqual([]);
  });

  it('does not write through a link in place of the file', async () => {
    const outside = join(household.folder, 'outside.txt');
    await writeFile(outside, 'outside');
    await symlink(outside, onDisk('trap.txt'));
    const reply = await api.put({ path: '/ROOT/HOME/trap.txt' }, 'inside');
    expect(reply.status).toBe(409);
    expect(await readFile(outside, 'utf8')).toBe('outside');
  });

  it('refuses a PUT without a length, and does not wait for a body that is refused anyway', async () => {
    const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca });
    const head = (path: string, more: string) =>
      `PUT /api.php/files/upload?path=${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token_}\r\n${more}\r\n`;
    const answers = collect(socket);
    socket.write(head('/ROOT/HOME/nolength', ''));
    expect(await answers.next()).toMatch(/^HTTP\/1\.1 411 [\s\S]*length_required/);
    socket.write(head('/ROOT/HOME/missing/x', 'Content-Length: 10000000000\r\nExpect: 100-continue\r\n'));
    expect(await answers.next()).toMatch(/^HTTP\/1\.1 404 [\s\S]*not_found/);
    socket.destroy();
  });

  it('leaves nothing of an upload whose client disconnects, or whose Content-Length is wrong', async () => {
    for (const sent of [0, 1_000, 3_000_000]) {
      const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca });
      socket.write(
        `PUT /api.php/files/upload?path=/ROOT/HOME/gone.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token_}\r\nContent-Length: 5000000\r\n\r\n`,
      );
      socket.write(Buffer.alloc(sent, 1));
      await expect.poll(async () => (await leftovers()).length).toBe(1);
      socket.destroy();
      await expect.poll(leftovers).toEqual([]);
    }
    expect(await readdir(household.home)).not.toContain('gone.bin');
  });

  it('publishes one complete content if two uploads write to one path concurrently', async () => {
    const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(300_000, index + 1));
    const replies = await Promise.all(contents.map((content) => api.put({ path: '/ROOT/HOME/race.bin' }, content)));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(7);
    expect(new Set(replies.map(({ body }) => body.data.uuid)).size).toBe(1);
    expect(replies.map(({ body }) => body.data.version).sort()).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
    const stored = await readFile(onDisk('race.bin'));
    expect(contents.some((content) => content.equals(stored))).toBe(true);
  });

  it('creates the folders of a filePath once when many uploads need them concurrently', async () => {
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) => api.put({ filePath: `/ROOT/HOME/new/deep/${index}.txt` }, 'x')),
    );
    expect(replies.map(({ status }) => status)).toEqual(Array(8).fill(201));
    expect((await readdir(onDisk('new', 'deep'))).length).toBe(8);
  });
});

/** The replies of a raw connection, one after the other. */
function collect(socket: ReturnType<typeof connect>) {
  let text = '';
  const waiting: (() => void)[] = [];
  socket.on('data', (chunk) => {
    text += chunk;
    for (const wake of waiting.splice(0)) wake();
  });
  return {
    async next(): Promise<string> {
      for (;;) {
        const head = text.indexOf('\r\n\r\n');
        const length = Number(/content-length: (\d+)/i.exec(text.slice(0, head))?.[1] ?? Number.NaN);
        if (head >= 0 && text.length >= head + 4 + length) {
          const reply = text.slice(0, head + 4 + length);
          text = text.slice(reply.length);
          return reply;
        }
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}
