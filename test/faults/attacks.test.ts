import { pbkdf2 } from 'node:crypto';
import { mkdir, readdir, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { type RequestOptions, request } from 'node:https';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { readZip } from '../support/content/read-zip.ts';
import { treeOf } from '../support/content/tree.ts';
import { describeInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { sendChunk } from '../support/requests/chunks.ts';
import { areaOf, expectAllWell } from './support.ts';

let household: Household;
let api: ApiClient;
let count = 0;
let real = '';
let virtual = '';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  real = join(household.home, `test ${count}`);
  virtual = `/ROOT/HOME/test ${count}`;
  await mkdir(real);
});

/** What this process holds open of the household's folder, but for its database. */
async function openFiles(): Promise<string[]> {
  const targets = (await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => ''));
  return (await Promise.all(targets)).filter((to) => to.startsWith(household.folder) && !to.includes('.sqlite'));
}

/** Begins a request and leaves after so many turns of the event loop, which the server shares, or with the first bytes of the answer. */
function abort(path: string, options: RequestOptions, turns: number | null, body?: Buffer): Promise<void> {
  return new Promise((resolve) => {
    const sent = request(`${api.base}/api.php/${path}`, {
      ca: household.ca,
      agent: false,
      ...options,
      headers: { authorization: `Bearer ${api.token_}`, ...options.headers },
    });
    const leave = () => {
      sent.destroy();
      resolve();
    };
    sent.on('error', () => resolve());
    sent.on('response', (response) => {
      response.on('error', () => undefined);
      if (turns === null) response.once('data', leave).once('end', leave);
      else response.resume().once('end', leave);
    });
    if (turns !== null) void afterTurns(turns).then(leave);
    if (body === undefined) sent.end();
    else sent.write(body);
  });
}

async function afterTurns(count: number): Promise<void> {
  for (let turns = 0; turns < count; turns += 1) await turn();
}

describeInFull('clients that disconnect', () => {
  it('leave no file open, in whatever way and place they disconnect', async () => {
    await mkdir(join(real, 'tree', 'deep'), { recursive: true });
    for (let index = 0; index < 20; index += 1) {
      await writeFile(join(real, 'tree', index % 2 ? 'deep' : '', `${index}`), Buffer.alloc(400_000, index));
    }
    const path = encodeURIComponent(`${virtual}/tree`);
    const file = encodeURIComponent(`${virtual}/tree/0`);
    const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const ways: ((round: number) => Promise<void>)[] = [
      () => abort(`files/download?path=${path}`, {}, null),
      (round) => abort(`files/download?path=${path}`, {}, 4 * (round % 40)),
      () => abort(`files/download?path=${file}`, {}, null),
      () => abort(`files/download?path=${file}`, { headers: { range: 'bytes=0-10,100-399999' } }, null),
      (round) => abort(`files/browse?path=${path}&recursive=1`, {}, 4 * (round % 10)),
      (round) =>
        abort(
          `files/upload?path=${encodeURIComponent(`${virtual}/up ${round % 3}`)}&totalSize=900000&startByte=0`,
          { method: 'PUT', headers: { 'content-length': '900000' } },
          4 * (round % 30),
          Buffer.alloc(300_000),
        ),
      (round) =>
        abort(
          `files/upload?path=${encodeURIComponent(`${virtual}/whole ${round % 3}`)}`,
          { method: 'PUT', headers: { 'content-length': '900000' } },
          4 * (round % 30),
          Buffer.alloc(300_000),
        ),
      (round) =>
        abort('files/copy', form, 4 * (round % 20), Buffer.from(`path=${path}&copyTo=${encodeURIComponent(virtual)}`)),
    ];
    for (let round = 0; round < 40; round += 1) await Promise.all(ways.map((way) => way(round)));
    await expect.poll(openFiles).toEqual([]);
    await expect.poll(async () => (await areaOf(household, 'incoming')).length).toBeLessThanOrEqual(3);
    expect((await readdir(real)).sort()).toEqual(['tree']);
    expect(await household.control('doctor')).toMatchObject({ problems: [] });
  });
});

describe('a form that is interrupted', () => {
  it('between the file and its end does not end the server, even with a slow disk', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => uncaught.push(error);
    process.on('uncaughtExceptionMonitor', note);
    const head = '--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\ncontent\r\n--b\r\n';
    const rest = 'Content-Disposition: form-data; name="path"\r\n\r\n/ROOT';
    try {
      for (let round = 0; round < 5; round += 1) {
        // Whoever opens a file has to wait for one of these.
        const busy = Array.from({ length: 8 }, () => promisify(pbkdf2)('x', 'x', 200_000, 32, 'sha256'));
        const reply = await api.send('POST', '/api.php/files/upload', {
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
          body: head + rest,
        });
        expect([reply.status, reply.body.code]).toEqual([400, 'malformed_body']);
        await Promise.all(busy);
      }
    } finally {
      process.off('uncaughtExceptionMonitor', note);
    }
    expect(uncaught).toEqual([]);
  });
});

describeInFull('symbolic links that appear and disappear', () => {
  it('are not followed by copies, archives and listings', async () => {
    const outside = join(household.folder, 'outside');
    await mkdir(join(outside, 'deep'), { recursive: true });
    await writeFile(join(outside, 'secret.txt'), 'secret');
    await writeFile(join(outside, 'deep', 'secret.txt'), 'secret');
    for (let index = 0; index < 10; index += 1) {
      await mkdir(join(real, 'tree', `${index}`, 'deep'), { recursive: true });
      await writeFile(join(real, 'tree', `${index}`, 'deep', 'leaf.txt'), 'leaf');
      await writeFile(join(real, 'tree', `${index}`, 'secret.txt'), 'harmless');
    }
    let isDone = false;
    const swapper = (async () => {
      for (let turn = 0; !isDone; turn += 1) {
        const folder = join(real, 'tree', `${turn % 10}`);
        await rename(folder, `${folder}.real`);
        await symlink(outside, folder);
        await unlink(folder);
        await rename(`${folder}.real`, folder);
        const file = join(folder, 'secret.txt');
        await rename(file, `${file}.real`);
        await symlink(join(outside, 'secret.txt'), file);
        await unlink(file);
        await rename(`${file}.real`, file);
      }
    })();
    try {
      for (let round = 0; round < 15; round += 1) {
        const { body } = await api.get('files/browse', {
          path: `${virtual}/tree`,
          recursive: 1,
          'details[]': ['fileSize'],
        });
        for (const { filename, fileSize } of body.data.files) {
          if (filename === 'secret.txt') expect(fileSize).toBe('harmless'.length);
        }
        const zip = await readZip((await api.get('files/download', { path: `${virtual}/tree` })).bytes);
        for (const [name, { size }] of Object.entries(zip)) {
          if (name.endsWith('secret.txt')) expect(size, name).toBe('harmless'.length);
          expect(name).not.toMatch(/deep\/secret/);
        }
        await mkdir(join(real, `to ${round}`));
        const copied = await api.post('files/copy', { path: `${virtual}/tree`, copyTo: `${virtual}/to ${round}` });
        expect(copied.status).toBe(200);
      }
    } finally {
      isDone = true;
      await swapper;
    }
    const secret = (await treeOf(outside))['secret.txt'];
    const copies = Object.entries(await treeOf(real)).filter(([, hash]) => hash === secret);
    expect(copies).toEqual([]);
  });
});

describeInFull('concurrent changes of the same files', () => {
  it('leave distinct version numbers, and each content in its recorded place', async () => {
    const codes = new Set<unknown>();
    const note = (reply: Reply | null) => codes.add(`${reply?.status ?? 'ended'} ${reply?.body.code ?? ''}`);
    const path = `${virtual}/doc.txt`;
    const { length: others } = await areaOf(household, 'incoming');
    await api.put({ path }, 'first');
    const lane = async (lane: number) => {
      for (let turn = 0; turn < 15; turn += 1) {
        const other = `${virtual}/other ${lane}.txt`;
        const ways = [
          () => api.put({ path }, `content ${lane} ${turn}`),
          () => api.post('files/versions/restore', { path, version: 1 + (turn % 5) }),
          () => api.post('files/versions/delete', { path, version: 1 + (turn % 7) }),
          async () => {
            await api.put({ path: other }, 'other');
            return api.post('files/rename', { path: other, newName: 'doc.txt', overwrite: 1 });
          },
          // A newer one ends it, and its connection.
          () => sendChunk(api, path, Buffer.alloc(1_000, lane), 0).catch(() => null),
          async () => {
            await household.control('settings.update', { versionsKept: turn % 4 });
            return api.post('files/copy', { path, copyTo: virtual, overwrite: 1 });
          },
          async () => {
            const { body } = await api.post('files/delete', { path });
            return body.data === undefined
              ? api.put({ path }, 'again')
              : api.post('files/trash/restore', { path: body.data.trash_path });
          },
        ];
        note(await (ways[(turn + lane) % ways.length] ?? (() => api.put({ path }, 'x')))());
      }
    };
    await Promise.all([...Array(6).keys()].map(lane));
    await household.control('settings.update', { versionsKept: 20 });
    // Nothing but what a client can be told.
    expect(
      [...codes].filter(
        (code) =>
          !/^(?:20[01] |ended|404 not_found|409 (?:conflict|already_exists)|400 invalid_parameter)/.test(String(code)),
      ),
    ).toEqual([]);
    for (const { path: each } of (await api.get('files/browse', { path: virtual })).body.data.files) {
      const { body } = await api.get('files/versions/list', { path: each });
      const numbers = body.data.versions.map(({ version }: { version: number }) => version);
      expect(numbers).toEqual([...new Set<number>(numbers)].sort((a, b) => b - a));
      for (const version of numbers)
        expect((await api.get('files/download', { path: each, version })).status).toBe(200);
    }
    // What was begun in pieces and ended by another ends well now.
    expect((await sendChunk(api, path, Buffer.alloc(1_000), 0)).status).toBeLessThan(300);
    await expectAllWell(household, others);
    await rm(real, { recursive: true });
  });
});

describe('a malicious request', () => {
  it('gets a proper reply that reveals nothing of the host', async () => {
    await api.put({ path: `${virtual}/a.txt` }, 'a');
    const ids = [
      "' OR 1=1 --",
      '"; DROP TABLE trash; --',
      '%',
      '_',
      '..',
      '.',
      '../versions',
      '\\..\\x',
      'x'.repeat(300),
      '\u0000',
      '💥',
      '*',
      '[0]',
      '$',
      '{"a":1}',
    ];
    const replies: Reply[] = [];
    for (const id of ids) {
      for (const path of [`/TRASH/${id}`, `${virtual}/${id}`, `/ROOT/${id}`, id]) {
        replies.push(await api.post('files/trash/restore', { path }), await api.post('files/trash/delete', { path }));
        replies.push(await api.post('files/versions/delete', { path, version: 1 }));
        replies.push(await api.post('files/copy', { path, copyTo: virtual }));
        replies.push(await api.get('files/download', { path, version: 1 }));
        replies.push(await api.put({ path, getOffset: 1 }, null));
      }
      replies.push(await api.post('files/copy', { path: `${virtual}/a.txt`, copyTo: virtual, overwrite: id }));
      replies.push(await api.post('files/versions/restore', { path: `${virtual}/a.txt`, version: id }));
      replies.push(await api.put({ path: `${virtual}/a.txt`, totalSize: id, startByte: id }, 'x'));
    }
    for (const reply of replies) {
      expect(reply.status, reply.text).not.toBe(500);
      expect(reply.text).not.toContain(household.folder);
      expect(reply.text).not.toMatch(/\/proc\/|SQLITE|ENOENT|EACCES/);
    }
    await expectAllWell(household, (await areaOf(household, 'incoming')).length);
    expect((await api.get('files/download', { path: `${virtual}/a.txt` })).status).toBe(200);
  });
});
