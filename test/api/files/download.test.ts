import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import net from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readZip } from '../../support/content/read-zip.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { closeServer } from '../../support/system/close-server.ts';

let household: Household;
let api: ApiClient;
const TEXT = 'The quick brown fox jumps over the lazy dog.';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  await writeFile(join(household.home, 'fox.txt'), TEXT);
  await utimes(join(household.home, 'fox.txt'), 1_700_000_000, 1_700_000_000);
});
afterAll(() => household.close());

const download = (path: string, headers: Record<string, string> = {}, method = 'GET') =>
  api.send(method, `/api.php/files/download/?path=${encodeURIComponent(path)}`, { headers });

describe('files/download', () => {
  it('sends the content with the headers apps need, by GET and POST', async () => {
    for (const reply of [
      await download('/ROOT/HOME/fox.txt'),
      await api.post('files/download', { path: '/ROOT/HOME/fox.txt' }),
    ]) {
      expect([reply.status, reply.text]).toEqual([200, TEXT]);
      expect(reply.headers).toMatchObject({
        'content-type': 'text/plain; charset=utf-8',
        'content-length': String(TEXT.length),
        'content-disposition': `attachment; filename="fox.txt"; filename*=UTF-8''fox.txt`,
        'accept-ranges': 'bytes',
        'last-modified': 'Tue, 14 Nov 2023 22:13:20 GMT',
        'x-content-type-options': 'nosniff',
      });
      expect(reply.headers.etag).toMatch(/^"[^"]+"$/);
    }
  });

  it.each([
    ['a condition', { 'if-match': '"another"' }, 412],
    ['a range', { range: 'bytes=100-' }, 416],
  ])('refuses %s without headers of the content', async (_what, headers, status) => {
    const reply = await download('/ROOT/HOME/fox.txt', headers as Record<string, string>);
    expect(reply.status).toBe(status);
    for (const name of ['etag', 'last-modified', 'content-disposition']) expect(reply.headers).not.toHaveProperty(name);
    expect(reply.headers['cache-control']).toBe('no-store');
  });

  it('answers HEAD with the headers only', async () => {
    const reply = await download('/ROOT/HOME/fox.txt', {}, 'HEAD');
    expect([reply.status, reply.bytes.length, reply.headers['content-length']]).toEqual([200, 0, String(TEXT.length)]);
    const browse = await api.send('HEAD', '/api.php/files/browse/?path=/');
    expect(browse.status).toBe(405);
  });

  it.each([
    ['bytes=0-3', 'The ', 'bytes 0-3/44'],
    ['bytes=4-', TEXT.slice(4), 'bytes 4-43/44'],
    ['bytes=-4', 'dog.', 'bytes 40-43/44'],
    ['bytes=40-1000', 'dog.', 'bytes 40-43/44'],
    ['bytes=0-3,2-8', 'The quick', 'bytes 0-8/44'],
  ])('sends the range %s', async (range, text, contentRange) => {
    const reply = await download('/ROOT/HOME/fox.txt', { range });
    expect([reply.status, reply.text, reply.headers['content-range']]).toEqual([206, text, contentRange]);
    expect(reply.headers['content-length']).toBe(String(text.length));
  });

  it('sends several ranges as parts with a stated length', async () => {
    const reply = await download('/ROOT/HOME/fox.txt', { range: 'bytes=0-2,-4' });
    expect(reply.status).toBe(206);
    const boundary = /^multipart\/byteranges; boundary=(.+)$/.exec(reply.headers['content-type'] ?? '')?.[1];
    expect(reply.text).toBe(
      `\r\n--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes 0-2/44\r\n\r\nThe` +
        `\r\n--${boundary}\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes 40-43/44\r\n\r\ndog.\r\n--${boundary}--\r\n`,
    );
    expect(reply.headers['content-length']).toBe(String(reply.bytes.length));
  });

  it.each([
    ['outside of the file', 'bytes=44-', 416],
    ['of another unit', 'lines=1-2', 200],
    ['that makes no sense', 'bytes=9-3', 416],
    [
      'that are far too many',
      `bytes=${Array.from({ length: 50 }, (_, i) => `${i}-${i}`)
        .filter((_, i) => i % 2 === 0)
        .join(',')}`,
      200,
    ],
  ])('handles ranges: %s', async (_what, range, status) => {
    const reply = await download('/ROOT/HOME/fox.txt', { range });
    expect(reply.status).toBe(status);
    if (status === 416)
      expect([reply.body.code, reply.headers['content-range']]).toEqual(['range_not_satisfiable', 'bytes */44']);
    else expect(reply.text).toBe(TEXT);
  });

  it('supports conditions as in RFC 9110', async () => {
    const { etag = '', 'last-modified': modified = '' } = (await download('/ROOT/HOME/fox.txt')).headers;
    const older = new Date(Date.parse(modified) - 1000).toUTCString();
    const status = async (headers: Record<string, string>) => (await download('/ROOT/HOME/fox.txt', headers)).status;
    expect(await status({ 'if-none-match': etag })).toBe(304);
    expect(await status({ 'if-none-match': '"other"' })).toBe(200);
    expect(await status({ 'if-modified-since': modified })).toBe(304);
    expect(await status({ 'if-modified-since': older })).toBe(200);
    expect(await status({ 'if-none-match': '"other"', 'if-modified-since': modified })).toBe(200);
    expect(await status({ 'if-match': etag })).toBe(200);
    expect(await status({ 'if-match': '*' })).toBe(200);
    expect(await status({ 'if-match': '"other"' })).toBe(412);
    expect(await status({ 'if-unmodified-since': older })).toBe(412);
    expect(await status({ 'if-unmodified-since': modified })).toBe(200);
    expect(await status({ range: 'bytes=0-3', 'if-range': etag })).toBe(206);
    expect(await status({ range: 'bytes=0-3', 'if-range': '"other"' })).toBe(200);
    expect(await status({ range: 'bytes=0-3', 'if-range': modified })).toBe(206);
    expect(await status({ range: 'bytes=0-3', 'if-range': older })).toBe(200);
  });

  it('has a different ETag for every content, even of equal size and time', async () => {
    const file = join(household.home, 'same.txt');
    await writeFile(file, 'aaaa');
    await utimes(file, 1_700_000_000, 1_700_000_000);
    const first = await download('/ROOT/HOME/same.txt');
    await api.put({ path: '/ROOT/HOME/same.txt' }, 'bbbb');
    await utimes(file, 1_700_000_000, 1_700_000_000);
    const second = await download('/ROOT/HOME/same.txt');
    expect(second.headers.etag).not.toBe(first.headers.etag);
  });

  it('displays in the browser only types that run no code', async () => {
    for (const [name, disposition] of [
      ['a.png', 'inline'],
      ['a.txt', 'inline'],
      ['a.html', 'attachment'],
      ['a.svg', 'attachment'],
      ['a.xhtml', 'attachment'],
    ]) {
      await writeFile(join(household.home, String(name)), '<script>alert(1)</script>');
      const reply = await api.get('files/download', { path: `/ROOT/HOME/${name}`, openInBrowser: 1 });
      expect(reply.headers['content-disposition'], name).toMatch(new RegExp(`^${disposition};`));
    }
  });

  it('reaches existing names that are invalid for new files, and escapes quotes and line breaks in the header', async () => {
    const name = 'what? "quoted"\\back\nline: é.txt';
    await writeFile(join(household.home, name), 'odd');
    const reply = await download(`/ROOT/HOME/${name}`);
    expect([reply.status, reply.text]).toEqual([200, 'odd']);
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="what? _quoted__back?line: ?.txt"; filename*=UTF-8''what%3F%20%22quoted%22%5Cback%0Aline%3A%20%C3%A9.txt`,
    );
  });

  it('opens no links, pipes or sockets, nor paths through them or through a file', async () => {
    const trap = join(household.home, 'trap');
    await mkdir(trap);
    await writeFile(join(household.folder, 'secret.txt'), 'secret');
    await symlink(join(household.folder, 'secret.txt'), join(trap, 'file'));
    await symlink(household.folder, join(trap, 'folder'));
    execFileSync('mkfifo', [join(trap, 'fifo')]);
    const server = net.createServer().listen(join(trap, 'socket'));
    const paths = ['file', 'folder', 'folder/secret.txt', 'fifo', 'socket', 'fifo/x', '../fox.txt/x', 'file/'];
    const answers = await Promise.all(paths.map(async (path) => (await download(`/ROOT/HOME/trap/${path}`)).status));
    expect(answers).toEqual([404, 404, 404, 404, 404, 404, 400, 404]);
    const statuses = await Promise.all(
      Array.from({ length: 40 }, () => download('/ROOT/HOME/trap/fifo').then((reply) => reply.status)),
    );
    expect(new Set(statuses)).toEqual(new Set([404]));
    expect((await download('/ROOT/HOME/fox.txt/x')).status).toBe(404);
    // The folder itself is sent as an archive without any of them.
    expect(Object.keys(await readZip((await download('/ROOT/HOME/trap')).bytes))).toEqual(['trap/']);
    await closeServer(server);
  });

  it('continues with the original content if the file is replaced during the download', async () => {
    const size = 30 * 1024 * 1024;
    await writeFile(join(household.home, 'big.bin'), Buffer.alloc(size, 'a'));
    const running = download('/ROOT/HOME/big.bin');
    await writeFile(join(household.home, 'new.bin'), Buffer.alloc(size, 'b'));
    const reply = await running.then(async (first) => {
      await rename(join(household.home, 'new.bin'), join(household.home, 'big.bin'));
      return [first, await download('/ROOT/HOME/big.bin')] as const;
    });
    for (const { bytes } of reply) {
      expect(bytes.length).toBe(size);
      expect(bytes.every((byte) => byte === bytes[0])).toBe(true);
    }
  });
});
