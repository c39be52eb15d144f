import { once } from 'node:events';
import type { Socket } from 'node:net';
import { afterAll, describe, expect, it } from 'vitest';
import { open } from '../wire/wire.ts';
import { type Attacked, attacked, crowd, MEGABYTE, post, SILENT, send, unread } from './slow-clients.ts';

const servers: Attacked[] = [];
afterAll(() => Promise.all(servers.map(({ installation }) => installation.remove())));

async function serve(handles?: number): Promise<Attacked> {
  const at = await attacked(handles);
  servers.push(at);
  return at;
}

const isLinux = process.platform === 'linux';

describe.runIf(isLinux)('clients that are slow', () => {
  it('do not delay others with 200 silent connections, and leave nothing behind', async () => {
    const seen = await crowd(await serve(), 200);
    expect(seen.complaints).toEqual([]);
    expect(seen.answered).toBeGreaterThan(10);
    expect(seen.slowest).toBeLessThan(5_000);
    expect(seen.handles.most).toBeGreaterThan(seen.handles.before + 190);
    expect(seen.handles.after).toBeLessThanOrEqual(seen.handles.before + 4);
    expect(seen.memory.most - seen.memory.before).toBeLessThan(100 * MEGABYTE);
  });

  it('leave an unread large download on the disk, not in memory', async () => {
    const { grown, slowest } = await unread(servers[0] as Attacked, 10);
    expect(grown).toBeLessThan(100 * MEGABYTE);
    expect(slowest).toBeLessThan(5_000);
  });
});

describe.runIf(isLinux)('a server limited to 256 open files and connections', () => {
  const held: Socket[] = [];
  let at: Attacked;

  it('continues for others during 400 silent connections, with uploads and downloads', async () => {
    at = await serve(256);
    const kinds = Object.values(SILENT);
    for (let round = 0; round < 400 / kinds.length; round += 1) {
      const opened = await Promise.all(kinds.map((kind) => kind(at).catch(() => null)));
      held.push(...opened.filter((socket) => socket !== null));
    }
    for (let n = 0; n < 10; n += 1) {
      const path = `/ROOT/HOME/file ${n}.txt`;
      const put = await at.api.put({ path }, `content ${n}`);
      expect(put.status, put.text).toBe(201);
      expect((await at.api.get('files/download', { path })).text).toBe(`content ${n}`);
      expect((await at.api.post('files/rename', { path, newName: `renamed ${n}.txt` })).status).toBe(200);
    }
  });

  it('accepts and completes new requests if each connection has an unfinished one', async () => {
    for (const socket of held.splice(0)) socket.destroy();
    const form = 'grant_type=password';
    const asking = async () => send(await open(at.wire), `${post('/oauth2/token/', form.length)}${form.slice(0, 5)}`);
    // One after the other: each is under way before the next one comes.
    const busy: Socket[] = [];
    for (let n = 0; n < 100; n += 1) {
      const socket = await asking().catch(() => null);
      if (socket !== null) busy.push(socket);
    }
    await expect.poll(() => busy.filter(({ destroyed }) => !destroyed).length).toBeLessThanOrEqual(64);
    const alive = busy.filter(({ destroyed }) => !destroyed);
    expect(alive.length).toBeGreaterThan(50);
    // Those that are under way come to their end.
    for (const socket of alive.slice(-10)) {
      const answer = once(socket, 'data');
      send(socket, form.slice(5));
      expect(String((await answer)[0])).toMatch(/^HTTP\/1\.1 40[01] /);
    }
    expect((await at.api.get('account/info')).status).toBe(200);
    for (const socket of busy) socket.destroy();
  });

  it('has no problems afterwards', async () => {
    const { body } = await at.api.get('files/browse', { path: '/ROOT/HOME' });
    expect(body.data.files).toHaveLength(10);
    expect((await at.installation.doctor()).problems).toEqual([]);
  });
});
