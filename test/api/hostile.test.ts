import { readdirSync } from 'node:fs';
import { link, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  await api.get('account/info');
});
afterAll(() => household.close());

const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
const openFiles = () => readdirSync('/proc/self/fd').length;

const head = (path: string, headers: Record<string, string | number>) =>
  `POST /api.php/${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\nExpect: 100-continue\r\nAuthorization: Bearer ${api.token_}\r\n${Object.entries(
    headers,
  )
    .map(([name, value]) => `${name}: ${value}\r\n`)
    .join('')}\r\n`;
const multipartHead = (path: string) =>
  head(path, { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': 1_000_000 });
const part = (disposition: string, content: string | Buffer, more = '') =>
  Buffer.concat([
    Buffer.from(`--b\r\nContent-Disposition: form-data; ${disposition}\r\n${more}\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);

/** Sends the pieces of a body once the server reads it, and goes away without the rest. */
function sendAndLeave(head: string, pieces: (string | Buffer)[]): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca }, () => socket.write(head));
    socket.once('data', () => {
      for (const piece of pieces) socket.write(piece);
      socket.end();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve());
  });
}

/** @param enough ends it before the server does */
function exchange(data: string | Buffer, enough?: RegExp): Promise<string> {
  return new Promise((resolve) => {
    const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca }, () => socket.write(data));
    let text = '';
    socket.on('data', (chunk) => {
      text += chunk;
      if (enough?.test(text)) socket.destroy();
    });
    socket.on('error', () => undefined);
    socket.on('close', () => resolve(text));
  });
}

describe('malicious bodies', () => {
  it.each([
    ['an unwanted file part that is cut off', 'account/info', [part('name="x"; filename="x"', 'half')]],
    [
      'a second file part that is cut off',
      'files/upload',
      [part('name="file"; filename="a"', 'whole'), part('name="file"; filename="b"', 'half')],
    ],
    [
      'half a character in a value',
      'account/info',
      [part('name="x"', Buffer.from([0x00, 0xd8]), 'Content-Type: text/plain; charset=utf-16le\r\n')],
    ],
    ['half a character in a name', 'account/info', [part("name*=utf-16le''%00%D8a%00", 'x')]],
    [
      'a file part that is cut off',
      'files/upload?path=/ROOT/HOME/x',
      [part('name="file"; filename="a"', 'x'.repeat(50_000))],
    ],
    ['nothing but a boundary', 'files/upload', ['--b\r\n']],
  ])('affect only their own request: %s', async (_what, path, parts) => {
    await sendAndLeave(multipartHead(path), parts);
    const whole = Buffer.concat([...parts.map((piece) => Buffer.from(piece)), Buffer.from('--b--\r\n')]);
    const lengths = head(path, { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': whole.length });
    await sendAndLeave(lengths, [whole.subarray(0, -12)]);
    expect(await exchange(Buffer.concat([Buffer.from(lengths), whole]))).toMatch(
      /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 (?:200|201|400|404) /,
    );
    expect((await api.get('account/info')).status).toBe(200);
    await expect.poll(incoming).toEqual([]);
  });

  it.runIf(process.platform === 'linux')('leak no descriptor, however often they are aborted', async () => {
    const before = openFiles();
    for (let round = 0; round < 25; round += 1) {
      await sendAndLeave(multipartHead('files/upload?path=/ROOT/HOME/x'), [
        part('name="file"; filename="a"', 'x'.repeat(9_000)),
      ]);
    }
    await expect.poll(openFiles).toBeLessThan(before + 8);
    await expect.poll(incoming).toEqual([]);
  });

  it.each([
    ['an object for a boolean', 'files/delete', '{"path":"/ROOT/HOME/x","permanent":{"toString":1}}'],
    ['lists in lists', 'files/browse', `{"path":"/ROOT","details":${'['.repeat(5_000)}${']'.repeat(5_000)}}`],
    ['a path of 300 segments', 'files/browse', JSON.stringify({ path: `/ROOT/HOME${'/a'.repeat(300)}` })],
    ['a path of 5,000 characters', 'files/browse', JSON.stringify({ path: `/ROOT/HOME/${'a'.repeat(5_000)}` })],
  ])('get a clear reply: %s', async (_what, operation, body) => {
    const reply = await api.send('POST', `/api.php/${operation}`, {
      headers: { 'content-type': 'application/json' },
      body,
    });
    expect(reply.status).toBe(400);
    expect(reply.body.code).toMatch(/^invalid_(?:parameter|path)$/);
  });

  it('with an absolute address in the request line, or 100-continue, are supported', async () => {
    const absolute = `GET https://127.0.0.1:${household.port}/api.php/account/info HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token_}\r\nConnection: close\r\n\r\n`;
    expect(await exchange(absolute)).toMatch(/^HTTP\/1\.1 200 /);
    const patient = `POST /oauth2/token/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 10\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n`;
    // Only the first line is waited for: a body is never sent.
    const continued = /^HTTP\/1\.1 100 Continue/;
    expect(await exchange(patient, continued)).toMatch(continued);
  });

  it('never receive a second reply within a download', async () => {
    await writeFile(join(household.home, 'zeros.bin'), Buffer.alloc(20_000_000, '0'));
    const request = `GET /api.php/files/download?path=/ROOT/HOME/zeros.bin HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token_}\r\n\r\n`;
    const answer = await new Promise<string>((resolve) => {
      const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca }, () =>
        socket.write(request),
      );
      let text = '';
      socket.once('data', () => socket.write('\x00garbage\r\n\r\n'));
      socket.on('data', (chunk) => (text += chunk));
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(text));
    });
    const [head = '', content = ''] = answer.split(/\r\n\r\n([\s\S]*)/);
    expect(head).toContain('Content-Length: 20000000');
    expect(content.slice(0, 20_000_000)).toBe('0'.repeat(20_000_000));
    // Behind all of it, where nobody takes it for a part.
    expect(content.slice(20_000_000)).toMatch(/^HTTP\/1\.1 400 /);
  });
});

describe('paths that try to escape, unescaped in a request line', () => {
  it.each([
    '../secret.txt',
    '%2e%2e/secret.txt',
    '%2E%2E%2Fsecret.txt',
    '..%2fsecret.txt',
    'a/..%2f..%2fsecret.txt',
    './../secret.txt',
    '%2e%2e%00/secret.txt',
    '%252e%252e/secret.txt',
    '..%252fsecret.txt',
    '..%5csecret.txt',
    '..%c0%afsecret.txt',
    '%c0%ae%c0%ae/secret.txt',
    '%u002e%u002e/secret.txt',
    '%uff0e%uff0e/secret.txt',
    '%ef%bc%8e%ef%bc%8e/secret.txt',
    '%ff%fe/secret.txt',
    '....//secret.txt',
    '..;/secret.txt',
    'file:///secret.txt',
    '%2froot/secret.txt',
    '%00',
    '%',
  ])('%s does not leave the home', async (path) => {
    await writeFile(join(household.home, '..', 'secret.txt'), 'secret');
    for (const operation of ['download', 'browse', 'delete', 'rename']) {
      const reply = await api.send('GET', `/api.php/files/${operation}?newName=x&path=/ROOT/HOME/${path}`);
      expect([400, 404], `${operation} ${reply.text}`).toContain(reply.status);
      expect(reply.body.code).toMatch(/^(?:invalid_path|not_found)$/);
    }
    const reply = await api.send('PUT', `/api.php/files/upload?path=/ROOT/HOME/${path}`, { body: 'x' });
    if (reply.status === 201) expect(await readdir(household.home)).toContain(reply.body.data.filename);
    else expect([400, 404]).toContain(reply.status);
    expect(await readFile(join(household.home, '..', 'secret.txt'), 'utf8')).toBe('secret');
    expect(reply.text).not.toContain(household.folder);
  });
});

describe('folders that change while they are listed', () => {
  it('keep one row per item, wherever it moved', async () => {
    const names = Array.from({ length: 60 }, (_, index) => `${index}.txt`);
    await mkdir(join(household.home, 'busy'));
    for (const name of names) await writeFile(join(household.home, 'busy', name), name);
    let isRunning = true;
    const listers = Array.from({ length: 4 }, async () => {
      while (isRunning) await api.get('files/browse', { path: '/ROOT/HOME/busy', 'details[]': ['uuid'] });
    });
    const paths = await Promise.all(
      names.map(
        async (name) =>
          (await api.post('files/delete', { path: `/ROOT/HOME/busy/${name}` })).body.data.trash_path as string,
      ),
    );
    isRunning = false;
    await Promise.all(listers);
    const restored = await Promise.all(
      paths.map(async (path) => (await api.post('files/trash/restore', { path })).body.data.path),
    );
    expect(restored.sort()).toEqual(names.map((name) => `/ROOT/HOME/busy/${name}`).sort());
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME/busy', 'details[]': ['uuid'] });
    expect(new Set(body.data.files.map((file: { uuid: string }) => file.uuid)).size).toBe(60);
  });
});

describe('trees built to cause trouble', () => {
  it('are deleted, however deep they are', async () => {
    const name = 'd'.repeat(200);
    let path = '/ROOT/HOME';
    const deep = async (folder: string, levels: number) => {
      path = folder;
      for (let level = 0; level < levels; level += 1) {
        const reply = await api.post('files/createfolder', { path, name });
        expect(reply.status).toBe(200);
        path = reply.body.data.path;
      }
    };
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'bottom' });
    await deep('/ROOT/HOME/bottom', 15);
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'top' });
    await deep('/ROOT/HOME/top', 15);
    expect((await api.post('files/move', { path: '/ROOT/HOME/bottom', moveTo: path })).status).toBe(200);
    expect((await api.post('files/delete', { path: '/ROOT/HOME/top', permanent: 1 })).status).toBe(200);
    await expect.poll(() => readdir(join(household.folder, '.larder', 'trash'))).toEqual([]);
    const { problems, notes } = await household.control('doctor');
    expect(problems).toEqual([]);
    expect(String(notes)).not.toMatch(/belongs to nothing|interrupted|deleted for good/);
  });

  it('keep the version of a file with a hard link elsewhere', async () => {
    await writeFile(join(household.home, 'linked.txt'), 'old');
    await link(join(household.home, 'linked.txt'), join(household.folder, 'elsewhere.txt'));
    expect((await api.put({ path: '/ROOT/HOME/linked.txt' }, 'new')).body.data.version).toBe(2);
    expect(await readFile(join(household.folder, 'elsewhere.txt'), 'utf8')).toBe('old');
  });
});
