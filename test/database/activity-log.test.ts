import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pino from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Activity, createActivity } from '../../dist/server/activity/activity.js';
import type { ActivityDatabase, Database } from '../../dist/server/database/database.js';
import { DAY, HOUR } from '../../dist/server/lib/clock.js';
import { type Actor, createEvents, type Events } from '../../dist/server/lib/events.js';
import { createLog } from '../../dist/server/lib/log/log.js';
import { TestClock } from '../support/households/household.ts';
import { openMigrated } from '../support/households/household-template.ts';
import { eventually } from '../support/system/eventually.ts';

let folder: string;
let database: Database;
let events: Events;
let clock: TestClock;
let logged: string;
let activity: Activity;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'larder-activity-'));
  database = await openMigrated(join(folder, 'larder.sqlite'), join(folder, 'backups'));
  clock = new TestClock();
  logged = '';
  events = createEvents((error) => {
    throw error;
  });
  activity = start(database.activity);
});
afterEach(async () => {
  await activity.close();
  await database.close();
  await rm(folder, { recursive: true, force: true });
});

function start(on: ActivityDatabase, maxRows?: number): Activity {
  const log = createLog('debug', { write: (line) => (logged += line) } as pino.DestinationStream);
  const limit = maxRows === undefined ? {} : { maxRows };
  return createActivity({ database: on, events, clock, log, keepDays: () => 90, ...limit });
}

/** The same log on a database that does as the test says. */
async function startOn(changes: Partial<ActivityDatabase>, maxRows?: number): Promise<void> {
  await activity.close();
  activity = start({ ...database.activity, ...changes }, maxRows);
}

const ANN: Actor = {
  channel: 'app',
  account: { id: 1, username: 'ann' },
  client: { clientId: 'notes', name: 'Notes' },
  address: '192.168.1.12',
};
const upload = (path: string, actor = ANN) =>
  events.emit('file.created', {
    actor,
    homeId: 'home',
    itemId: 1,
    path,
    size: 1,
    version: 1,
    copiedFrom: null,
    restoredFrom: null,
  });
const signIn = () => events.emit('login.succeeded', { actor: ANN });
const uploads = (count: number, first = 0) => {
  for (let index = first; index < first + count; index += 1) upload(`/ROOT/HOME/${index}`);
};
const count = async () => (await database.get<{ count: number }>('SELECT count(*) AS count FROM activity'))?.count;
const subjects = async () =>
  (await database.all<{ subject: string }>('SELECT subject FROM activity ORDER BY id')).map(({ subject }) => subject);
const until = (isSo: () => Promise<boolean>) => eventually(isSo, (seen) => seen);

describe('rows', () => {
  it('of security are written at once, together with waiting ones; those of files soon after', async () => {
    upload('/a');
    signIn();
    await until(async () => (await count()) === 2);
    expect(await subjects()).toEqual(['/a', '']);
    upload('/b');
    upload('/c');
    await until(async () => (await count()) === 4);
    expect(await subjects()).toEqual(['/a', '', '/b', '/c']);
  });

  it('of 10,000 uploads are all written in order, with few statements', async () => {
    let statements = 0;
    await startOn({
      writeOne: (statement) => {
        statements += 1;
        return database.activity.writeOne(statement);
      },
    });
    uploads(10_000);
    await activity.list({ limit: 1 });
    expect(await subjects()).toEqual(Array.from({ length: 10_000 }, (_, index) => `/ROOT/HOME/${index}`));
    expect(statements).toBeLessThanOrEqual(12);
  });

  it('do not invalidate cached accounts, tokens and folders', async () => {
    const unchanged = [database.unchangedSince('accounts'), database.unchangedSince('files')];
    uploads(10);
    signIn();
    await activity.list({ limit: 1 });
    await activity.expire();
    expect(unchanged.map((isUnchanged) => isUnchanged())).toEqual([true, true]);
    expect(await count()).toBe(11);
  });

  it('are all written when the log is closed', async () => {
    uploads(2_500);
    await activity.close();
    expect(await count()).toBe(2_500);
    upload('/late');
    await activity.close();
    expect(await count()).toBe(2_500);
  });

  it('are written once, as soon as the database accepts them again', async () => {
    let isBroken = true;
    await startOn({
      writeOne: (statement) => {
        if (!isBroken) return database.activity.writeOne(statement);
        statement();
        return Promise.reject(new Error('the disk is full'));
      },
    });
    uploads(3);
    signIn();
    await activity.list({ limit: 1 });
    expect(await count()).toBe(0);
    expect(logged).toContain('failed to write the activity log');
    isBroken = false;
    uploads(2, 3);
    await activity.list({ limit: 1 });
    expect(await subjects()).toEqual([
      '/ROOT/HOME/0',
      '/ROOT/HOME/1',
      '/ROOT/HOME/2',
      '',
      '/ROOT/HOME/3',
      '/ROOT/HOME/4',
    ]);
  });

  it('are limited in memory: the oldest ones of files are dropped, with a log line', async () => {
    let goOn = () => {};
    const stalled = new Promise<void>((resolve) => {
      goOn = resolve;
    });
    await startOn({
      writeOne: async (statement) => stalled.then(() => database.activity.writeOne(statement)),
    });
    signIn();
    uploads(30_000);
    signIn();
    expect(logged.match(/dropped the oldest waiting rows/g)).toHaveLength(1);
    goOn();
    const { entries } = await activity.list({ limit: 500, kinds: ['activity.dropped', 'login.succeeded'] });
    expect(entries.map(({ kind }) => kind).sort()).toEqual(['activity.dropped', 'login.succeeded', 'login.succeeded']);
    const dropped = entries.find(({ kind }) => kind === 'activity.dropped');
    expect(dropped).toMatchObject({ group: 'system', channel: 'larder', accountId: null });
    const left = (await subjects()).filter((subject) => subject !== '');
    expect(left.length + Number(dropped?.details.rows)).toBe(30_000);
    expect(left.length).toBeGreaterThan(18_000);
    expect(left.length).toBeLessThanOrEqual(20_000);
    expect(left.at(-1)).toBe('/ROOT/HOME/29999');
  });
});

describe('wrong app passwords', () => {
  const TOM = { id: 2, username: 'tom' };
  const fail = (address: string | null, account: Actor['account'] = TOM) =>
    events.emit('login.failed', {
      actor: { channel: 'webdav', client: null, account, address },
      reason: 'wrong_app_password',
    });
  /** Account, address and number of what is logged. */
  const logged = async () =>
    (await activity.list({ limit: 500, kinds: ['login.failed'] })).entries
      .map(({ username, address, details }) => [username, address, details.attempts ?? 1])
      .reverse();
  let statements = 0;
  beforeEach(async () => {
    statements = 0;
    await startOn({
      writeOne: (statement) => {
        statements += 1;
        return database.activity.writeOne(statement);
      },
    });
  });

  it('are written once per account and address, and counted for an hour', async () => {
    for (let nth = 0; nth < 500; nth += 1) fail('192.0.2.7');
    await until(async () => (await count()) === 1);
    for (let nth = 0; nth < 500; nth += 1) fail('192.0.2.7');
    expect(statements).toBe(1);
    expect(await logged()).toEqual([
      ['tom', '192.0.2.7', 1],
      ['tom', '192.0.2.7', 999],
    ]);
    expect(statements).toBe(2);
    // Nothing new: nothing more is written.
    await logged();
    expect(statements).toBe(2);
  });

  it('are counted per account and address, and written again after an hour with the last count', async () => {
    for (let nth = 0; nth < 3; nth += 1) {
      fail('192.0.2.7');
      fail('192.0.2.8');
      fail('192.0.2.7', null);
      // One network of a provider is one address.
      fail(`2001:db8::${nth + 1}`);
    }
    await until(async () => (await count()) === 4);
    clock.advance(HOUR - 1);
    fail('192.0.2.7');
    clock.advance(1);
    fail('192.0.2.7');
    await until(async () => (await count()) === 9);
    expect(await logged()).toEqual([
      ['tom', '192.0.2.7', 1],
      ['tom', '192.0.2.8', 1],
      [null, '192.0.2.7', 1],
      ['tom', '2001:db8::1', 1],
      ['tom', '192.0.2.7', 3],
      ['tom', '192.0.2.8', 2],
      [null, '192.0.2.7', 2],
      ['tom', '2001:db8::3', 2],
      ['tom', '192.0.2.7', 1],
    ]);
  });

  it('are counted when the log is closed, and with the hourly maintenance', async () => {
    for (let nth = 0; nth < 4; nth += 1) fail('192.0.2.7');
    await activity.expire();
    await until(async () => (await count()) === 2);
    for (let nth = 0; nth < 4; nth += 1) fail('192.0.2.7');
    await activity.close();
    const rows = await database.all<{ details: string }>('SELECT details FROM activity ORDER BY id');
    expect(rows.map(({ details }) => JSON.parse(details).attempts ?? 1)).toEqual([1, 3, 4]);
  });

  it('use limited memory: from very many addresses, those of an account are counted together', async () => {
    for (let nth = 0; nth < 3_000; nth += 1) fail(`10.0.${nth >> 8}.${nth & 255}`);
    const rows = await logged();
    expect(await count()).toBe(1_002);
    expect(rows.at(-1)).toEqual(['tom', null, 1_999]);
  });

  it('do not hide other failed sign-ins, each of which is written', async () => {
    for (let nth = 0; nth < 5; nth += 1) {
      events.emit('login.failed', { actor: { ...ANN, address: '192.0.2.7' }, reason: 'wrong_password' });
    }
    expect(await logged()).toHaveLength(5);
  });
});

describe('texts', () => {
  it.each([
    ['a control character', '/ROOT/HOME/a\nb\u001b[31mc\u007f\u0000', '/ROOT/HOME/a␊b␛[31mc␡␀'],
    ['one without a picture', '/a\u0085b\u2028c\u009b', '/a\ufffdb\ufffdc\ufffd'],
    ['text that turns around', '/exe\u202efdp.\u2066', '/exe\ufffdfdp.\ufffd'],
    ['half a character', '/a\ud83d', '/a\ufffd'],
    ['other letters', '/Übung/日本 😀.txt', '/Übung/日本 😀.txt'],
    ['a quote', `/'"\\;--`, `/'"\\;--`],
    ['the longest', `/${'x'.repeat(999)}`, `/${'x'.repeat(999)}`],
    ['more than that', `/${'x'.repeat(4_000)}/a.txt`, `/${'x'.repeat(499)}…${'x'.repeat(493)}/a.txt`],
    [
      'a cut through a character',
      `/${'x'.repeat(498)}😀${'y'.repeat(2_000)}`,
      `/${'x'.repeat(498)}\ufffd…${'y'.repeat(499)}`,
    ],
  ])('with %s are stored in a safe form', async (_name, path, expected) => {
    upload(path);
    const { entries } = await activity.list({ limit: 1 });
    expect(entries[0]?.subject).toBe(expected);
  });

  it('in the details are limited in the same way, and in number', async () => {
    const values = Object.fromEntries(Array.from({ length: 80 }, (_, index) => [`key${index}`, '\n'.repeat(2_000)]));
    events.emit('settings.changed', { actor: ANN, keys: Object.keys(values), values });
    const [entry] = (await activity.list({ limit: 1 })).entries;
    expect(Object.values(entry?.details ?? {})).toEqual(Array(50).fill(`${'␊'.repeat(500)}…${'␊'.repeat(499)}`));
    expect(entry?.subject.length).toBeLessThanOrEqual(1_000);
  });

  it.each([
    ['::ffff:192.168.1.12', '192.168.1.12'],
    ['fd00::1', 'fd00::1'],
    [null, null],
  ])('of the address %s have its usual form', async (address, expected) => {
    upload('/a', { ...ANN, address });
    expect((await activity.list({ limit: 1 })).entries[0]?.address).toBe(expected);
  });
});

describe('the log', () => {
  it('deletes rows by age in batches, and above the maximum number the oldest', async () => {
    await startOn({}, 8_000);
    uploads(7_000);
    await activity.list({ limit: 1 });
    clock.advance(91 * DAY);
    uploads(1_000, 7_000);
    await activity.list({ limit: 1 });
    expect(await activity.expire()).toBe(7_000);
    expect((await subjects())[0]).toBe('/ROOT/HOME/7000');
    uploads(8_000, 8_000);
    await activity.list({ limit: 1 });
    expect(await activity.expire()).toBe(1_000);
    expect((await subjects())[0]).toBe('/ROOT/HOME/8000');
    expect(await activity.expire()).toBe(0);
  });

  it('keeps the maximum number also between its hourly runs', async () => {
    await startOn({}, 500);
    uploads(11_000);
    await activity.list({ limit: 1 });
    await activity.close();
    expect(await count()).toBeLessThanOrEqual(1_500);
    expect((await subjects()).at(-1)).toBe('/ROOT/HOME/10999');
  });

  it('deletes rows by age only if told to, since the clock may be wrong', async () => {
    uploads(10);
    await activity.list({ limit: 1 });
    clock.advance(400 * DAY);
    uploads(11_000, 10);
    await activity.list({ limit: 1 });
    await activity.close();
    expect(await count()).toBe(11_010);
  });

  it('never uses an id twice, so that pages continue correctly', async () => {
    signIn();
    const { entries } = await activity.list({ limit: 1 });
    clock.advance(91 * DAY);
    await activity.expire();
    signIn();
    expect((await activity.list({ limit: 1 })).entries[0]?.id).toBe((entries[0]?.id ?? 0) + 1);
  });

  it('finds old rows, beyond the number that one statement reads', async () => {
    upload('/needle 1');
    upload('/NEEDLE 2');
    await activity.list({ limit: 1 });
    await database.write((tx) =>
      tx.run(`WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 120000)
        INSERT INTO activity (at, kind, kind_group, channel, subject) SELECT n, 'file.created', 'files', 'app', '/hay' FROM many`),
    );
    const first = await activity.list({ limit: 1, text: 'needle' });
    expect(first.entries.map(({ subject }) => subject)).toEqual(['/NEEDLE 2']);
    const second = await activity.list({ limit: 1, text: 'needle', before: first.next ?? 0 });
    expect(second.entries.map(({ subject }) => subject)).toEqual(['/needle 1']);
    expect(second.next).toBeNull();
    expect((await activity.list({ limit: 10, accountId: 1 })).entries).toHaveLength(2);
  });
});
