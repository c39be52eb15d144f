import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Connection } from '../../dist/server/database/connection.js';
import { DAY, MINUTE } from '../../dist/server/lib/clock.js';
import { t } from '../../dist/server/messages/messages.js';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { signInAs } from '../support/households/member.ts';
import { eventually } from '../support/system/eventually.ts';
import { type MailServer, openMailServer } from '../support/system/mail-server.ts';

let household: Household;
let server: MailServer;
/** What the server answers to recipients. */
let refusal: { code: number; text: string } | null = null;

beforeAll(async () => {
  [household, server] = await Promise.all([
    openHousehold(),
    openMailServer({
      onRcptTo(_address, _session, done) {
        done(refusal === null ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
      },
    }),
  ]);
  await household.control('settings.update', {
    smtpHost: '127.0.0.1',
    smtpPort: server.port,
    smtpSecurity: 'none',
    mailFrom: 'larder@orchard.example',
    householdName: 'Orchard House',
    baseUrl: 'https://orchard.example:8443',
  });
});
afterAll(async () => {
  await household?.close();
  await server?.close();
});

/** Somebody with 1 MB, who wants to be told things. */
async function addPerson(username: string, more: object = {}) {
  await household.control('accounts.add', {
    username,
    name: 'Mia <b>&</b>',
    password: 'correct horse battery',
    email: `${username}@orchard.example`,
    receiveNotifications: true,
    createHomeFolder: true,
    permissions: { space_quota_max: 1 },
    ...more,
  });
  return signInAs(household, username);
}

const upload = async (by: Awaited<ReturnType<typeof addPerson>>, name: string, kilobytes: number) =>
  (await by.put({ path: `/ROOT/HOME/${name}` }, Buffer.alloc(kilobytes * 1024, 'x'))).status;
const mailsTo = (username: string) => server.mails.filter(({ to }) => to[0]?.startsWith(username));
const later = (milliseconds: number) => household.clock.advance(milliseconds);

let witnesses = 0;
/** Somebody else's home gets full: when they are told, everything before it has been looked at, and sent if it was due. */
async function everythingBefore(): Promise<void> {
  const username = `witness${++witnesses}`;
  expect(await upload(await addPerson(username), 'a', 1_000)).toBe(201);
  await eventually(
    () => mailsTo(username),
    (mails) => mails.length === 1,
  );
}

/** How many homes are noted as nearly full. */
async function warned(): Promise<number> {
  const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
  try {
    const [row] = await database.all<{ count: number }>('SELECT count(*) AS count FROM homes WHERE full_warned = 1');
    return row?.count ?? 0;
  } finally {
    await database.close();
  }
}

describe('the warning that a home is nearly full', () => {
  it('is sent once at 90 %, and again after usage was lower', async () => {
    const mia = await addPerson('mia');
    expect(await upload(mia, 'a', 900)).toBe(201);
    await everythingBefore();
    expect(mailsTo('mia')).toEqual([]);
    expect(await upload(mia, 'b', 30)).toBe(201);
    const [mail] = await eventually(
      () => mailsTo('mia'),
      (mails) => mails.length === 1,
    );
    expect(mail?.headers).toMatch(
      new RegExp(`^Subject: ${t('mail.quota.subject', { household: 'Orchard House' })}$`, 'm'),
    );
    expect(mail?.parts['text/plain']).toContain(
      t('mail.quota.used', { name: 'Mia <b>&</b>', household: 'Orchard House', used: '930 KB', quota: '1.0 MB' }),
    );
    expect(mail?.parts['text/plain']).toContain('https://orchard.example:8443/account/');
    expect(mail?.parts['text/html']).toContain('Mia &lt;b&gt;&amp;&lt;/b&gt;');
    expect(await upload(mia, 'c', 10)).toBe(201);
    await everythingBefore();
    expect(mailsTo('mia').length).toBe(1);
    await mia.post('files/delete', { path: '/ROOT/HOME/a', permanent: 1 });
    await everythingBefore();
    expect(await upload(mia, 'd', 940)).toBe(201);
    await eventually(
      () => mailsTo('mia'),
      (mails) => mails.length === 2,
    );
    expect(mailsTo('mia').length).toBe(2);
  });

  itInFull('is not sent to accounts without a quota, or that do not want it', async () => {
    for (const [username, more] of [
      ['bob', { receiveNotifications: false }],
      ['eve', { permissions: { space_quota_max: 0 } }],
    ] as const) {
      expect(await upload(await addPerson(username, more), 'a', 1_000)).toBe(201);
    }
    await everythingBefore();
    expect([mailsTo('bob'), mailsTo('eve')]).toEqual([[], []]);
  });
});

describe('a mail that cannot be sent', () => {
  it('stays in the queue, across restarts, and is tried again later', async () => {
    refusal = { code: 451, text: 'Try again later' };
    const kim = await addPerson('kim');
    await upload(kim, 'a', 1_000);
    await eventually(
      () => household.logged(),
      (log) => log.includes('failed to send a mail'),
    );
    const { attention } = await household.control('status');
    expect(String(attention)).toContain(
      t('api.reports.mailWaiting', { count: 1, problem: t('mail.problems.rejected', { reason: '' }) }),
    );
    await household.restart();
    refusal = null;
    await everythingBefore();
    expect(mailsTo('kim')).toEqual([]);
    later(2 * MINUTE);
    await eventually(
      () => mailsTo('kim'),
      (mails) => mails.length === 1,
    );
    expect(mailsTo('kim').length).toBe(1);
    await household.restart();
    later(2 * MINUTE);
    await everythingBefore();
    expect(mailsTo('kim').length).toBe(1);
  });

  it('is dropped when the server rejects it permanently, or after three days', async () => {
    refusal = { code: 550, text: 'No such mailbox' };
    await upload(await addPerson('lea'), 'a', 1_000);
    const before = household.logged().length;
    await eventually(
      () => household.logged().slice(before),
      (log) => log.includes('No such mailbox'),
    );
    refusal = { code: 451, text: 'Busy' };
    await upload(await addPerson('tom'), 'a', 1_000);
    await eventually(
      () => household.logged().slice(before),
      (log) => log.includes('Busy'),
    );
    later(4 * DAY);
    await eventually(
      () => household.logged(),
      (log) => log.includes('gave up mails'),
    );
    refusal = null;
    later(4 * DAY);
    await everythingBefore();
    expect([mailsTo('lea'), mailsTo('tom')]).toEqual([[], []]);
  });
});

describe('without a mail server', () => {
  it('nothing fails, and nothing is queued', async () => {
    const sent = server.mails.length;
    await household.control('settings.update', { smtpHost: '' });
    const before = await warned();
    expect(await upload(await addPerson('ida'), 'a', 1_000)).toBe(201);
    await expect.poll(warned).toBe(before + 1);
    await household.control('settings.update', { smtpHost: '127.0.0.1' });
    await everythingBefore();
    expect([server.mails.length, mailsTo('ida')]).toEqual([sent + 1, []]);
  });
});
