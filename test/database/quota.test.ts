import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { createQuotas, type Quotas } from '../../dist/server/access/quota.js';
import { insertItem, insertRoots, rootId } from '../../dist/server/catalogue/items.js';
import type { Database } from '../../dist/server/database/database.js';
import { openMigrated } from '../support/households/household-template.ts';

const MEGABYTE = 1_048_576;

let folder: string;
let database: Database;
let quotas: Quotas;
let home = { id: '' };
let caller = { account: { homeId: '' as string | null } };
let count = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-database-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  quotas = createQuotas(database);
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  home = { id: `home ${++count}` };
  caller = { account: { homeId: home.id } };
  await database.write(async (tx) => {
    await tx.run('INSERT INTO homes (id, path, created_at) VALUES (?, ?, 0)', [home.id, home.id]);
    await insertRoots(tx, home.id);
  });
  await addAccount('mia', { space_quota_max: 1 });
});

const addAccount = (name: string, permissions: object, type = 'user') =>
  database.write((tx) =>
    tx.run(
      `INSERT INTO accounts (type, username, username_fold, name, registered_at, home_id, permissions)
       VALUES (?1, ?2, ?2, 'Mia', 0, ?3, ?4)`,
      [type, `${name} ${count}`, home.id, JSON.stringify(permissions)],
    ),
  );
const addFile = (name: string, size: number) =>
  database.write(async (tx) =>
    insertItem(tx, home.id, await rootId(tx, home.id, ''), {
      name,
      isDir: false,
      size,
      mtime: 0,
      created: 0,
      touched: 0,
      identity: name,
    }),
  );
const reserve = (bytes: number, uploadId?: string) => quotas.reserve({ caller, home, bytes, uploadId });
const TOO_MUCH = expect.objectContaining({ code: 'quota_exceeded', status: 507 });

it('a reservation counts until it is released, and is released once', async () => {
  const first = await reserve(MEGABYTE);
  await expect(reserve(1)).rejects.toEqual(TOO_MUCH);
  first.release();
  first.release();
  const second = await reserve(MEGABYTE / 2);
  await second.grow(MEGABYTE);
  await second.grow(10);
  await expect(second.grow(MEGABYTE + 1)).rejects.toEqual(TOO_MUCH);
  await expect(quotas.check({ caller, home, bytes: 1 })).rejects.toEqual(TOO_MUCH);
  second.release();
  await quotas.check({ caller, home, bytes: MEGABYTE });
});

it('a reservation being stored is waited for if it decides', async () => {
  const settling = await reserve(0.75 * MEGABYTE);
  let end = () => {};
  const mayEnd = new Promise<void>((resolve) => {
    end = resolve;
  });
  const settled = settling.settle(async () => {
    await addFile('a', 0.25 * MEGABYTE);
    await mayEnd;
  });
  const small = await reserve(0);
  small.release();
  let answered = false;
  const waiting = reserve(0.5 * MEGABYTE).finally(() => {
    answered = true;
  });
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(answered).toBe(false);
  end();
  await settled;
  (await waiting).release();
});

it('a reservation stays if storing its rows fails', async () => {
  const settling = await reserve(MEGABYTE);
  await expect(settling.settle(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  (await reserve(MEGABYTE)).release();
});

it('counts the chunks of an upload once, reserved or stored', async () => {
  await database.write((tx) =>
    tx.run(
      `INSERT INTO uploads (id, upload_key, account_id, home_id, path, client, total_size, received, position, is_named, updated_at)
       VALUES (?1, ?1, (SELECT max(id) FROM accounts), ?2, 'a', 'app', ?3, ?3, ?3, 0, 0)`,
      [`upload ${count}`, home.id, MEGABYTE],
    ),
  );
  await expect(reserve(1)).rejects.toEqual(TOO_MUCH);
  const piece = await reserve(MEGABYTE, `upload ${count}`);
  await expect(reserve(1)).rejects.toEqual(TOO_MUCH);
  piece.release();
  await expect(reserve(1)).rejects.toEqual(TOO_MUCH);
});

it('counts the reservation of an upload once for concurrent chunks', async () => {
  const [one, other] = [await reserve(MEGABYTE, 'an upload'), await reserve(MEGABYTE, 'an upload')];
  await expect(reserve(MEGABYTE, 'another upload')).rejects.toEqual(TOO_MUCH);
  one.release();
  await expect(reserve(1)).rejects.toEqual(TOO_MUCH);
  other.release();
  (await reserve(MEGABYTE, 'another upload')).release();
});

it('accepts what needs no space, also if there is none', async () => {
  await addFile('too much', 2 * MEGABYTE);
  (await reserve(0)).release();
  await expect(reserve(1)).rejects.toEqual(TOO_MUCH);
});

it('accepts what just fits once earlier reservations are stored', async () => {
  const settling = await reserve(0.5 * MEGABYTE);
  let end = () => {};
  const settled = settling.settle(() => new Promise<void>((resolve) => (end = resolve)));
  let answered = false;
  const waiting = reserve(MEGABYTE).finally(() => {
    answered = true;
  });
  for (let turns = 0; turns < 50; turns += 1) await turn();
  expect(answered).toBe(false);
  end();
  await settled;
  (await waiting).release();
});

it('never accepts more than fits, with any number of concurrent requests', async () => {
  const asked = await Promise.allSettled(Array.from({ length: 200 }, () => reserve(MEGABYTE / 64)));
  expect(asked.filter(({ status }) => status === 'fulfilled')).toHaveLength(64);
});

/** Quotas whose next reads of the rows return when `open` is called, and not before. */
function heldQuotas() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const reading = { now: 0, all: 0 };
  const held = createQuotas({
    all: (sql, params) => database.all(sql, params),
    unchangedSince: (subject) => database.unchangedSince(subject),
    async get<Row>(sql: string, params?: Parameters<Database['get']>[1]) {
      reading.all += 1;
      const row = await database.get<Row>(sql, params);
      reading.now += 1;
      await opened;
      return row;
    },
  });
  return { held, open, reading };
}

async function turns(until: () => boolean): Promise<void> {
  while (!until()) await turn();
}

it('reads the rows for one request after the other, so that two cannot use the same space', async () => {
  const { held, open, reading } = heldQuotas();
  const demand = { caller, home, bytes: 0.75 * MEGABYTE };
  // The limit is known from here on: whoever asks reads the rows at once.
  expect(await held.isLimited(home)).toBe(true);
  const asked = [held.reserve(demand), held.reserve(demand)];
  for (let count = 0; count < 10; count += 1) await turn();
  await turns(() => reading.now === reading.all);
  open();
  const results = await Promise.allSettled(asked);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

it('extends reservations one after the other, too', async () => {
  const { held, open, reading } = heldQuotas();
  const demand = { caller, home, bytes: 0 };
  const [one, other] = [await held.reserve(demand), await held.reserve(demand)];
  const asked = [one.grow(0.75 * MEGABYTE), other.grow(0.75 * MEGABYTE)];
  for (let count = 0; count < 10; count += 1) await turn();
  await turns(() => reading.now === reading.all);
  open();
  const results = await Promise.allSettled(asked);
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
});

it('repeats the count if something was released meanwhile, because the rows may be older', async () => {
  const { held, open, reading } = heldQuotas();
  const coming = await held.reserve({ caller, home, bytes: 0 });
  const asked = held.check({ caller, home, bytes: MEGABYTE });
  const answer = expect(asked).rejects.toEqual(TOO_MUCH);
  await turns(() => reading.now === 1);
  await coming.settle(async () => void (await addFile('came meanwhile', MEGABYTE)));
  open();
  await answer;
  expect(reading.all).toBe(2);
});

it('applies the present quota of the account that owns the home', async () => {
  expect(await quotas.isLimited(home)).toBe(true);
  await expect(reserve(2 * MEGABYTE)).rejects.toEqual(TOO_MUCH);
  await addAccount('tom', { space_quota_max: 3 });
  (await reserve(2 * MEGABYTE)).release();
  await addAccount('ann', { space_quota_max: 1 }, 'superuser');
  expect(await quotas.isLimited(home)).toBe(false);
  (await reserve(100 * MEGABYTE)).release();
});

it('reveals to nobody else how full a home is', async () => {
  await expect(reserve(2 * MEGABYTE)).rejects.toMatchObject({
    details: { quota: MEGABYTE, used: 0, needed: 2 * MEGABYTE },
  });
  caller = { account: { homeId: 'another' } };
  const refusal = await reserve(2 * MEGABYTE).catch((error) => error);
  expect([refusal.code, refusal.details]).toEqual(['quota_exceeded', undefined]);
  expect(refusal.message).not.toMatch(/\d/);
});
