import { createHash } from 'node:crypto';
import { mkdtemp, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { insertItem, insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import { Connection } from '../../dist/server/database/connection.js';
import { openDatabase, type Transaction } from '../../dist/server/database/database.js';
import { checksumsOf, rememberChecksum } from '../../dist/server/webdav/stated-checksums.js';
import { allProven, TaggedFiles } from '../catalogue/tagged-files.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

/** Checksums of contents that other programs have changed, with the size and time that they had. */

const files = new TaggedFiles();
let dav: DavClient;
let next = 0;

const TIME = 1_500_000_000;
const hash = (algorithm: string, content: string) => createHash(algorithm).update(content).digest('hex');
const OLD = 'the old content';
const NEW = 'the new content';
const STATED = `MD5:${hash('md5', OLD)}`;
const OF_OLD = `${STATED} SHA256:${hash('sha256', OLD)}`;
const OF_NEW = `SHA256:${hash('sha256', NEW)}`;
const ASKED = '<propfind xmlns="DAV:"><prop><checksums xmlns="http://owncloud.org/ns"/></prop></propfind>';

beforeAll(async () => {
  await files.open();
  dav = await davClient(files.api);
});
afterAll(() => files.household?.close());
beforeEach(async () => {
  next += 1;
  files.name = `box ${next}/a.txt`;
  expect((await dav.send('MKCOL', `/My%20files/box%20${next}`)).status).toBe(201);
  const { status } = await dav.put(addressOf('/a.txt'), OLD, { 'oc-checksum': STATED, 'x-oc-mtime': String(TIME) });
  expect(status).toBe(201);
});

const addressOf = (name = '') => `/My%20files/box%20${next}${name}`;
const checksumsIn = (text: string) =>
  [...parsed(text)]
    .filter(([href]) => href.endsWith('/a.txt'))
    .map(([, { found }]) => found.get('checksums')?.replace(/<[^>]*>/g, '') ?? null)[0];
/** Everything that tells the checksum: the file itself, its folder, and the header of its content. */
async function told() {
  const own = await dav.propfind(addressOf('/a.txt'), '0', ASKED);
  const folder = await dav.propfind(addressOf(), '1', ASKED);
  const { headers, text } = await dav.send('GET', addressOf('/a.txt'));
  return { own: checksumsIn(own.text), folder: checksumsIn(folder.text), header: headers['oc-checksum'], text };
}

/** Nothing, or that of the present content, is right. */
async function tellsNothingOld(): Promise<void> {
  const { own, folder, header, text } = await told();
  expect(text).toBe(NEW);
  for (const one of [own, folder]) expect([null, OF_NEW]).toContain(one);
  expect([undefined, OF_NEW]).toContain(header);
}

async function tellsNew(): Promise<void> {
  await expect.poll(told).toEqual({ own: OF_NEW, folder: OF_NEW, header: OF_NEW, text: NEW });
}

const change = async (time = TIME) => {
  await writeFile(files.at(), NEW);
  await utimes(files.at(), time, time);
};

describe('a checksum from an app', () => {
  it('is returned with the content everywhere', async () => {
    expect(await told()).toEqual({ own: OF_OLD, folder: OF_OLD, header: STATED, text: OLD });
  });

  it('is not returned for other content of the same size and time, before and after it was read', async () => {
    await told();
    await change();
    await tellsNothingOld();
    await tellsNew();
  });

  it('is not returned for content that gets its size and time back after it had another time', async () => {
    const { identity } = await rowOf();
    await change(TIME + 100);
    await tellsNothingOld();
    await utimes(files.at(), TIME, TIME);
    await tellsNothingOld();
    expect((await rowOf()).identity).toBe(identity);
  });

  it('stays with the content through changes of permissions and names', async () => {
    await utimes(files.at(), TIME, TIME);
    await expect.poll(told).toEqual({ own: OF_OLD, folder: OF_OLD, header: STATED, text: OLD });
    await dav.transfer('MOVE', addressOf('/a.txt'), addressOf('/b.txt'));
    await dav.transfer('MOVE', addressOf('/b.txt'), addressOf('/a.txt'));
    expect((await told()).own).toBe(OF_OLD);
  });

  it('is not returned in a list whose rows cannot be updated', async () => {
    await told();
    const database = await Connection.open(join(files.household.folder, '.larder', 'larder.sqlite'));
    try {
      await database.exec('BEGIN IMMEDIATE');
      await change();
      const { status, text } = await dav.propfind(addressOf(), '1', ASKED);
      expect([status, checksumsIn(text)]).toEqual([207, null]);
      await database.exec('ROLLBACK');
    } finally {
      await database.close();
    }
    await tellsNew();
  });
});

it('the header of a touched file is returned after it was read for the request', async () => {
  await allProven(files.household);
  await utimes(files.at(), TIME, TIME);
  expect((await dav.send('GET', addressOf('/a.txt'))).headers['oc-checksum']).toBe(STATED);
});

async function rowOf(): Promise<{ identity: string }> {
  const { ino, birthtimeNs, size, mtimeNs } = await stat(files.at(), { bigint: true });
  return { identity: `${ino}.${birthtimeNs}.${size}.${mtimeNs}` };
}

it('a checksum is stored only for the content that it came with', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'larder-checksums-'));
  const database = await openDatabase(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  try {
    const write = <T>(work: (tx: Transaction) => Promise<T>) => database.write(work);
    const identity = 'f1.1.1.1';
    const { id, uuid, tag } = await write(async (tx) => {
      await tx.run("INSERT INTO homes (id, path, created_at) VALUES ('home', 'homes/ann', 1)");
      await insertRoots(tx, 'home');
      const entry = { name: 'a.txt', isDir: false, size: 1, mtime: 1, created: 1, identity, touched: 1 };
      return insertItem(tx, 'home', await rootId(tx, 'home', ''), entry);
    });
    const stated = { algorithm: 'MD5', value: 'aa' } as const;
    // Another upload has replaced it before this one is done.
    await rememberChecksum(database.files, { uuid, etag: '"of another content"' }, stated);
    expect(await checksumsOf(database.files, id, identity)).toBeNull();
    await rememberChecksum(database.files, { uuid, etag: `"${tag}"` }, stated);
    expect(await checksumsOf(database.files, id, identity)).toBe('MD5:aa');
    await write((tx) => tx.run("UPDATE items SET tag = 'another' WHERE id = ?", [id]));
    expect(await checksumsOf(database.files, id, identity)).toBeNull();
  } finally {
    await database.close();
    await rm(folder, { recursive: true, force: true });
  }
});
