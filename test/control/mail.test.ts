import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { t } from '../../dist/server/messages/messages.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { type MailServer, openMailServer } from '../support/system/mail-server.ts';

let household: Household;
let server: MailServer;

beforeAll(async () => {
  [household, server] = await Promise.all([
    openHousehold(),
    openMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username, password }, _session, done) {
        if (username === 'larder' && password === 's3cret-of-mail') done(null, { user: username });
        else done(new Error('Invalid username or password'));
      },
      onRcptTo({ address }, _session, done) {
        done(address.startsWith('nobody') ? new Error('No such mailbox') : null);
      },
    }),
  ]);
});
afterAll(async () => {
  await household?.close();
  await server?.close();
});

const test = (to = 'ann@orchard.example') => household.control('mail.test', { to });
const settings = (changes: object) => household.control('settings.update', changes);

describe('mail.test', () => {
  it('reports that no server is configured, or what is wrong with it', async () => {
    await expect(test()).rejects.toThrow(t('mail.problems.notSetUp'));
    const right = { smtpHost: '127.0.0.1', smtpPort: server.port, mailFrom: 'larder@orchard.example' };
    await settings({ ...right, smtpPort: 1, smtpSecurity: 'none' });
    await expect(test()).rejects.toThrow(t('mail.problems.noAnswer', { reason: '' }));
    // The server of the test offers no STARTTLS: then nothing is sent readable.
    await settings({ ...right, smtpSecurity: 'starttls' });
    await expect(test()).rejects.toThrow(t('mail.problems.notSecure', { reason: '' }));
    await settings({ smtpSecurity: 'tls' });
    await expect(test()).rejects.toThrow(
      new RegExp(`${t('mail.problems.noAnswer', { reason: '' })}|${t('mail.problems.notSecure', { reason: '' })}`),
    );
    await settings({ smtpSecurity: 'none', smtpUsername: 'larder', smtpPassword: 'wrong' });
    await expect(test()).rejects.toThrow(t('mail.problems.credentials'));
    await settings({ smtpPassword: 's3cret-of-mail' });
    await expect(test('nobody@orchard.example')).rejects.toThrow(/No such mailbox/);
    expect(server.mails).toEqual([]);
    expect(await test()).toEqual({ to: 'ann@orchard.example' });
    expect((await server.received(1)).parts['text/plain']).toContain(t('mail.test.body', { household: 'Larder' }));
  });

  it('never returns the password', async () => {
    expect(await household.control('settings.get')).toMatchObject({ smtpUsername: 'larder', smtpPasswordSet: true });
    for (const told of [await household.control('settings.get'), await settings({ smtpUsername: 'larder' })]) {
      expect(JSON.stringify(told)).not.toContain('s3cret-of-mail');
    }
    expect(household.logged()).not.toContain('s3cret-of-mail');
  });

  it('refuses invalid settings', async () => {
    for (const changes of [
      { smtpHost: 'a b' },
      { smtpHost: 'x\r\ny' },
      { smtpPort: 0 },
      { smtpPort: 65_536 },
      { smtpSecurity: 'ssl' },
      { mailFrom: 'Ann <ann@orchard.example>' },
      { mailFrom: 'ann@orchard.example\r\nBcc: all@orchard.example' },
    ]) {
      await expect(settings(changes), JSON.stringify(changes)).rejects.toThrow();
    }
  });
});
