import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { TLSSocket } from 'node:tls';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { expectAllWell, type Failing, openFailing } from '../../faults/support.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { beginPatch, createUpload, head, newUpload, offsetOf, patch, terminate } from '../../support/requests/tus.ts';

let household: Household;
let api: ApiClient;
let count = 0;
let folder = '';
let path = '';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  folder = join(household.home, `folder ${count}`);
  path = `/ROOT/HOME/folder ${count}`;
  await mkdir(folder);
});
afterEach(() => expectAllWell(household));

const said = ({ status, body }: Reply) => [status, body.code];
const begin = (address: string, offset: number, announced: number) =>
  beginPatch({ port: household.port, ca: household.ca, token: api.token_ }, address, { offset, announced });
const write = (socket: TLSSocket, bytes: Buffer) => new Promise((resolve) => socket.write(bytes, resolve));
/** As much as the server writes at once. */
const PART = 1024 * 1024;
/** Waits until the only unfinished upload is so long in the work area. */
const arrived = (bytes: number) =>
  expect
    .poll(async () => {
      const incoming = join(household.folder, '.larder', 'incoming');
      return Promise.all((await readdir(incoming)).map(async (name) => (await stat(join(incoming, name))).size));
    })
    .toEqual([bytes]);
/** Content is refused or its connection is closed while it is sent: both end it. */
const ended = (reply: Promise<Reply>) => reply.then(said, () => [0, 'closed']);

describe('two PATCH requests at the same offset', () => {
  it('never mix: one of many concurrent requests appends its content', async () => {
    for (let round = 0; round < 5; round += 1) {
      const address = await newUpload(api, 900_000, { filename: `${round}.bin`, path });
      const contents = Array.from({ length: 6 }, (_, index) => Buffer.alloc(600_000, 65 + index));
      const replies = await Promise.all(contents.map((bytes) => ended(patch(api, address, 0, bytes))));
      const offset = Number(await offsetOf(api, address));
      const added = replies.filter(([status]) => status === 204).length;
      // Newer content ends the receipt of older content, whose beginning may stay.
      expect(added, JSON.stringify(replies)).toBeLessThanOrEqual(1);
      if (added === 1) expect(offset).toBe(600_000);
      const rest = Buffer.alloc(900_000 - offset, 122);
      expect((await patch(api, address, offset, rest)).status).toBe(204);
      const stored = await readFile(join(folder, `${round}.bin`));
      const begun = stored.subarray(0, offset);
      expect(begun.every((byte) => byte === begun[0])).toBe(true);
      expect(stored.subarray(offset).equals(rest)).toBe(true);
    }
  });

  it('a second one aborts the first, keeps its bytes, and gets a conflict because the offset has changed', async () => {
    const content = randomBytes(2 * PART);
    const address = await newUpload(api, content.length, { filename: 'film.bin', path });
    const first = begin(address, 0, content.length);
    const closed = once(first, 'close');
    await write(first, content.subarray(0, PART));
    await arrived(PART);
    const reply = await patch(api, address, 0, Buffer.alloc(content.length));
    expect(said(reply)).toEqual([409, 'conflict']);
    await closed;
    const offset = Number(await offsetOf(api, address));
    expect([offset, reply.body.details.offset]).toEqual([PART, PART]);
    expect((await patch(api, address, offset, content.subarray(offset))).status).toBe(204);
    expect((await readFile(join(folder, 'film.bin'))).equals(content)).toBe(true);
  });

  it('publish one version if both contain the whole content', async () => {
    const address = await newUpload(api, 100_000, { filename: 'once.bin', path });
    const content = Buffer.alloc(100_000, 'x');
    const replies = await Promise.all(Array.from({ length: 8 }, () => ended(patch(api, address, 0, content))));
    expect(replies.filter(([status]) => status === 204).length).toBeLessThanOrEqual(1);
    const offset = Number(await offsetOf(api, address));
    if (offset < content.length) await patch(api, address, offset, content.subarray(offset));
    const { versions } = (await api.get('files/versions/list', { path: `${path}/once.bin` })).body.data;
    expect(versions).toHaveLength(1);
  });
});

describe('while content is received', () => {
  it('HEAD aborts the transfer, and returns the final offset', async () => {
    const content = randomBytes(2 * PART);
    const address = await newUpload(api, content.length, { filename: 'film.bin', path });
    const stalled = begin(address, 0, content.length);
    const closed = once(stalled, 'close');
    await write(stalled, content.subarray(0, PART));
    await arrived(PART);
    const offset = Number(await offsetOf(api, address));
    expect(offset).toBe(PART);
    stalled.write(Buffer.alloc(50_000, 'late'));
    await closed;
    expect(await offsetOf(api, address)).toBe(offset);
    expect((await patch(api, address, offset, content.subarray(offset))).status).toBe(204);
    expect((await readFile(join(folder, 'film.bin'))).equals(content)).toBe(true);
  });

  it('DELETE aborts the transfer, and leaves no data', async () => {
    const address = await newUpload(api, 2 * PART, { filename: 'film.bin', path });
    const socket = begin(address, 0, 2 * PART);
    const closed = once(socket, 'close');
    await write(socket, Buffer.alloc(PART));
    await arrived(PART);
    expect((await terminate(api, address)).status).toBe(204);
    socket.write(Buffer.alloc(PART));
    await closed;
    expect((await head(api, address)).status).toBe(404);
    expect(await readdir(folder)).toEqual([]);
  });

  it('many concurrent DELETE and PATCH requests leave either the file or nothing', async () => {
    for (let round = 0; round < 10; round += 1) {
      const name = `${round}.bin`;
      const address = await newUpload(api, 50_000, { filename: name, path });
      const [removed, added] = await Promise.all([
        terminate(api, address).then(said),
        ended(patch(api, address, 0, Buffer.alloc(50_000))),
      ]);
      const isStored = (await readdir(folder)).includes(name);
      expect(added?.[0] === 204, JSON.stringify([removed, added])).toBe(isStored);
      expect(removed).toEqual(isStored ? [409, 'conflict'] : [204, undefined]);
    }
  });

  it('a broken connection keeps the bytes received, but none of content with a checksum', async () => {
    const address = await newUpload(api, 4 * PART, { filename: 'cut.bin', path });
    const cut = async (offset: number, more: string) => {
      const { port, ca } = household;
      const at = { offset, announced: 2 * PART, more };
      const socket = beginPatch({ port, ca, token: api.token_ }, address, at);
      await write(socket, Buffer.alloc(PART));
      await arrived(offset + PART);
      socket.destroy();
      return offsetOf(api, address);
    };
    expect(await cut(0, '')).toBe(PART);
    expect(await cut(PART, 'Upload-Checksum: md5 1B2M2Y8AsgTpgAmY7PhCfg==\r\n')).toBe(PART);
    expect((await terminate(api, address)).status).toBe(204);
  });

  it('a broken connection at creation leaves no upload, because its client has no address', async () => {
    const { connect } = await import('node:tls');
    const socket = connect({ port: household.port, host: '127.0.0.1', ca: household.ca });
    socket.write(
      `POST /tus/ HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${api.token_}\r\nTus-Resumable: 1.0.0\r\n` +
        'Upload-Length: 50000\r\nUpload-Metadata: filename YQ==\r\nContent-Type: application/offset+octet-stream\r\n' +
        'Content-Length: 50000\r\n\r\n',
    );
    await write(socket, Buffer.alloc(30_000));
    const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));
    await expect.poll(incoming).toHaveLength(1);
    socket.destroy();
    await expect.poll(incoming).toEqual([]);
  });
});

describe('a creation that fails in the middle', () => {
  it('leaves no upload, and no record that counts for the account', async () => {
    const other = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
    try {
      await other.exec("CREATE TRIGGER refused BEFORE INSERT ON uploads BEGIN SELECT RAISE(ABORT, 'refused'); END");
      expect((await createUpload(api, 10, { filename: 'a.bin', path })).status).toBe(500);
      expect(await other.all('SELECT id FROM tus_uploads WHERE item_uuid IS NULL')).toEqual([]);
      await other.exec('DROP TRIGGER refused');
      expect((await createUpload(api, 10, { filename: 'a.bin', path })).status).toBe(201);
    } finally {
      await other.exec('DROP TRIGGER IF EXISTS refused; DELETE FROM tus_uploads; DELETE FROM uploads');
      await other.close();
    }
  });
});

describe('the folder of an upload', () => {
  it('if renamed before the end, is not created again, and the upload can be completed later', async () => {
    const address = await newUpload(api, 10, { filename: 'a.bin', path });
    await patch(api, address, 0, Buffer.from('12345'));
    await api.post('files/rename', { path, newName: `renamed ${count}` });
    const reply = await patch(api, address, 5, Buffer.from('67890'));
    expect([...said(reply), reply.body.details]).toEqual([404, 'not_found', { folder: path }]);
    expect(await readdir(household.home)).not.toContain(`folder ${count}`);
    await api.post('files/rename', { path: `/ROOT/HOME/renamed ${count}`, newName: `folder ${count}` });
    expect(await offsetOf(api, address)).toBe(5);
    expect((await patch(api, address, 5, Buffer.from('67890'))).status).toBe(204);
    expect(String(await readFile(join(folder, 'a.bin')))).toBe('1234567890');
  });

  itInFull('if renamed while uploads complete, contains each file, or its upload can be continued', async () => {
    const addresses = await Promise.all(
      Array.from({ length: 12 }, (_, index) => newUpload(api, 10, { filename: `${index}.bin`, path })),
    );
    const renamed = `moved ${count}`;
    const content = Buffer.from('1234567890');
    const [, ...replies] = await Promise.all([
      api.post('files/rename', { path, newName: renamed }),
      ...addresses.map((address) => patch(api, address, 0, content)),
    ]);
    const stored = await readdir(join(household.home, renamed));
    expect(await readdir(household.home)).not.toContain(`folder ${count}`);
    for (const [index, reply] of replies.entries()) {
      const address = addresses[index] ?? '';
      expect(stored.includes(`${index}.bin`)).toBe(reply.status === 204);
      if (reply.status === 204) expect(await offsetOf(api, address)).toBe(10);
      else {
        expect(said(reply)).toEqual([404, 'not_found']);
        expect(await offsetOf(api, address)).toBeLessThan(10);
        await terminate(api, address);
      }
    }
  });
});

describe('an upload that is being published', () => {
  let failing: Failing;
  afterEach(() => failing.close());

  it('cannot be removed, and HEAD waits for its end', async () => {
    failing = await openFailing('files.upload.complete=pause');
    const client = failing.api;
    const address = await newUpload(client, 10, { filename: 'a.bin' });
    const reply = await failing.whilePausedAt(
      'files.upload.complete',
      Promise.all([patch(client, address, 0, Buffer.from('1234567890')), late(client, address)]),
      async () => {},
    );
    expect(reply[0].status).toBe(204);
    expect(reply[1]).toEqual([10, [409, 'conflict']]);
    expect(String(await readFile(join(failing.household.home, 'a.bin')))).toBe('1234567890');
  });

  it('is not complete after a failure, and its last byte completes it', async () => {
    failing = await openFailing('files.upload.complete=enospc');
    const address = await newUpload(failing.api, 10, { filename: 'a.bin' });
    expect((await patch(failing.api, address, 0, Buffer.from('1234567890'))).status).toBeGreaterThanOrEqual(500);
    expect(await offsetOf(failing.api, address)).toBe(9);
    expect(said(await createUpload(failing.api, 3, { filename: 'b.bin' }, Buffer.from('abc')))[0]).toBeGreaterThan(499);
    await failing.heal();
    const { household: healed } = failing;
    const client = healed.api.with(failing.api.token_ ?? '');
    expect(await offsetOf(client, address)).toBe(9);
    expect((await patch(client, address, 9, Buffer.from('0'))).status).toBe(204);
    expect(await readdir(healed.home)).not.toContain('b.bin');
    expect(String(await readFile(join(healed.home, 'a.bin')))).toBe('1234567890');
    await expectAllWell(healed);
  });

  async function late(client: ApiClient, address: string) {
    await expect.poll(() => failing.hasReached('files.upload.complete')).toBe(true);
    return Promise.all([offsetOf(client, address), terminate(client, address).then(said)]);
  }
});
