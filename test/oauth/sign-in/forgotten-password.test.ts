import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Connection } from '../../../dist/server/database/connection.js';
import { HOUR, MINUTE, SECOND } from '../../../dist/server/lib/clock.js';
import { t } from '../../../dist/server/messages/messages.js';
import { type PageReply, WebVisitor } from '../../support/browser/web-visitor.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { type MailServer, openMailServer } from '../../support/system/mail-server.ts';
import { appOf, expectFailure } from '../support.ts';

let household: Household;
let server: MailServer;
let visitor: WebVisitor;

const EMAIL = 'ann@orchard.example';
const BASE = 'https://orchard.example:8443';

beforeAll(async () => {
  [household, server] = await Promise.all([openHousehold(), openMailServer()]);
});
afterAll(async () => {
  await household?.close();
  await server?.close();
});
beforeEach(() => {
  visitor = new WebVisitor(household);
});

async function form(page: string, to: string, fields: Record<string, string>, there = visitor): Promise<PageReply> {
  const shown = await there.get(page);
  const carried = { form_token: shown.field('form_token'), next: shown.field('next'), reset: shown.field('reset') };
  return there.post(to, { ...carried, ...fields });
}

const ask = (who: string) => form('/account/forgotten', '/account/forgotten', { who });
const linkIn = (text = '') => /https:\/\/\S+\/account\/reset\?code=[\w-]{43}/.exec(text)?.[0] ?? '';
const pathOf = (link: string) => link.slice(BASE.length);

describe('without a mail server', () => {
  it('refers to the owner, sends nothing, and the sign-in page says who helps', async () => {
    expect((await visitor.get('/account/sign-in')).text).toContain(t('signIn.askOwner', { owner: 'ann' }));
    expect((await visitor.get('/account/forgotten')).text).toContain(t('forgotten.askOwner', { owner: 'ann' }));
  });
});

describe('with a mail server', () => {
  beforeAll(async () => {
    await household.control('settings.update', {
      smtpHost: '127.0.0.1',
      smtpPort: server.port,
      smtpSecurity: 'none',
      mailFrom: 'larder@orchard.example',
      baseUrl: BASE,
      householdName: 'Orchard House',
    });
    visitor = new WebVisitor(household);
    const page = await visitor.get('/account/sign-in');
    await visitor.post('/account/sign-in', { form_token: page.field('form_token'), next: '', ...OWNER });
    await form('/account/profile', '/account/profile', { name: 'Ann', email: EMAIL, password: OWNER.password });
  });

  let link = '';

  it('sends a link in a mail of two parts, with the address of the household for any Host', async () => {
    const reply = await ask('ANN');
    expect(reply.text).toContain(t('forgotten.sent.heading'));
    const mail = await server.received(1);
    expect([mail.from, mail.to]).toEqual(['larder@orchard.example', [EMAIL]]);
    expect(mail.headers).toMatch(/^From: "?Orchard House"? <larder@orchard\.example>$/m);
    expect(mail.headers).toMatch(
      new RegExp(`^Subject: ${t('mail.passwordReset.subject', { household: 'Orchard House' })}$`, 'm'),
    );
    link = linkIn(mail.parts['text/plain']);
    expect(link).toMatch(/^https:\/\/orchard\.example:8443\//);
    expect(mail.parts['text/html']).toContain(link);
    expect(mail.parts['text/html']).not.toMatch(/src="(?!cid:)|<script/);
    expect(mail.parts['text/plain']).toContain(t('mail.passwordReset.lifetime'));
  });

  it('gives the same reply for an unknown name, and for an e-mail address', async () => {
    const [known, unknown] = [await ask('ann'), await ask('nobody')];
    const plain = (reply: PageReply) => [reply.status, reply.text.replace(/127\.0\.0\.1:\d+/, '')];
    expect(plain(unknown)).toEqual(plain(known));
    expect(linkIn((await server.received(2)).raw)).not.toBe(link);
  });

  it('the link shows a form, which sets a password once, by the same rules', async () => {
    const path = pathOf(link);
    const shown = await visitor.get(path);
    expect([shown.status, shown.text.includes(t('newPassword.heading'))]).toEqual([200, true]);
    // Looking at it spends nothing: programs for mail look at links too.
    for (const [password, repeat, problem] of [
      ['a rather good one', 'a rather good two', t('newPassword.differ')],
      ['short', 'short', t('api.passwords.tooShort', { min: 10 })],
    ] as const) {
      const reply = await form(path, '/account/reset', { new_password: password, repeat });
      expect([reply.status, reply.text.includes(problem)]).toEqual([422, true]);
    }
    const api = await household.signIn();
    const fields = { new_password: 'a rather good one', repeat: 'a rather good one' };
    const done = await form(path, '/account/reset', fields);
    expect(done.text).toContain(t('forgotten.done.heading'));
    expect((await api.get('account/info')).status).toBe(401);
    expectFailure(await appOf(household).password(), 400, 'invalid_grant');
    expect((await appOf(household).password({ password: 'a rather good one' })).status).toBe(200);
    const again = await visitor.get(path);
    expect([again.status, again.text.includes(t('forgotten.ended.heading'))]).toEqual([410, true]);
    // The other link that was under way is spent with it.
    expect(
      (await visitor.get(pathOf(linkIn(server.mails[1]?.raw.replace(/=\r\n/g, '').replaceAll('=3D', '='))))).status,
    ).toBe(410);
  });

  it('limits links to one hour, and to three per hour', async () => {
    const before = server.mails.length;
    for (let tries = 0; tries < 5; tries += 1) await ask(EMAIL.toUpperCase());
    await server.received(before + 3);
    const path = pathOf(linkIn(server.mails[before]?.parts['text/plain']));
    expect((await visitor.get(path)).status).toBe(200);
    household.clock.advance(HOUR);
    expect((await visitor.get(path)).status).toBe(410);
    await ask(EMAIL);
    await server.received(before + 4);
    expect(server.mails).toHaveLength(before + 4);
  });

  it('ends all app passwords, and says so: another reader of the mail must not keep one', async () => {
    const password = 'a rather good one';
    const ann = new WebVisitor(household);
    await form('/account/sign-in', '/account/sign-in', { ...OWNER, password }, ann);
    await form('/account/programs', '/account/programs/create', { label: 'Laptop', password }, ann);
    const left = async () => {
      const { appPasswords } = await household.control('appPasswords.list', { accountId: 1 });
      return (appPasswords as { id: number }[]).map(({ id }) => id);
    };
    const [id] = await left();
    expect(id).toBeGreaterThan(0);
    household.clock.advance(HOUR);
    const before = server.mails.length;
    await ask('ann');
    const path = pathOf(linkIn((await server.received(before + 1)).parts['text/plain']));
    expect((await visitor.get(path)).text).toContain(t('programs.keep.all'));
    const kept = { [`keep_app_password_${id}`]: '1' };
    await form(path, '/account/reset', { new_password: 'another good one', repeat: 'another good one', ...kept });
    expect(await left()).toEqual([]);
    await ask('ann');
    const second = pathOf(linkIn((await server.received(before + 2)).parts['text/plain']));
    expect((await visitor.get(second)).text).not.toContain(t('programs.keep.all'));
    await form(second, '/account/reset', { new_password: password, repeat: password });
  });

  it('activates an account that wrong passwords had deactivated', async () => {
    const app = appOf(household);
    for (let tries = 0; tries < 5; tries += 1) {
      await app.password({ password: 'wrong password' });
      household.clock.advance(HOUR + SECOND);
    }
    // More than an hour after the last one only the block of the owner's account could keep it waiting; begin it anew.
    for (let tries = 0; tries < 5; tries += 1) {
      await app.password({ password: 'wrong password' });
      household.clock.advance(2 * MINUTE);
    }
    expect((await app.password({ password: 'a rather good one' })).status).toBe(429);
    const before = server.mails.length;
    await ask('ann');
    const path = pathOf(linkIn((await server.received(before + 1)).parts['text/plain']));
    await form(path, '/account/reset', { new_password: OWNER.password, repeat: OWNER.password });
    expect((await app.password()).status).toBe(200);
  });

  it('logs a link that cannot be stored, and continues', async () => {
    const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
    const refusal = "CREATE TRIGGER refusing BEFORE INSERT ON password_resets BEGIN SELECT RAISE(ABORT, 'full'); END";
    await database.exec(refusal);
    household.clock.advance(HOUR);
    expect((await ask('ann')).text).toContain(t('forgotten.sent.heading'));
    await expect.poll(() => household.logged()).toContain('failed to create a link for a new password');
    await database.exec('DROP TRIGGER refusing');
    await database.close();
    const before = server.mails.length;
    await ask('ann');
    await server.received(before + 1);
  });

  it('a link appears in no log, and only as a hash in the database', async () => {
    const codes = server.mails.map((mail) => /code=([\w-]{43})/.exec(mail.parts['text/plain'] ?? '')?.[1] ?? '');
    const files = ['larder.sqlite', 'larder.sqlite-wal'].map((name) => join(household.folder, '.larder', name));
    const stored = Buffer.concat(await Promise.all(files.map((file) => readFile(file)))).toString('latin1');
    expect(stored).toContain('password_resets');
    for (const code of codes) {
      expect(code).toHaveLength(43);
      expect(household.logged()).not.toContain(code);
      expect(stored).not.toContain(code);
    }
  });
});
