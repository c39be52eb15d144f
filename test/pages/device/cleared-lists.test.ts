import https from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { householdConstraints } from '../../../dist/server/tls/household-constraints.js';
import { issueAuthority, issueServer } from '../../../dist/server/tls/issue.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { describeInFull, itInFull, sampled } from '../../support/forms.ts';
import { addMembersWithHomes, MEMBER, setPermissions } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { closeServer } from '../../support/system/close-server.ts';
import { ready, signInAt } from '../files/support.ts';
import { type Device, lastSeen, newDevice, unreachable } from './support.ts';

// When the lists that a device keeps are deleted.

let browser: Browser;
let household: SharingHousehold;
let device: Device;
/** What answers at the address of the household, if not the household. */
let instead = 0;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});
beforeEach(async () => {
  instead = 0;
  device = await newDevice(browser, household, () => instead || household.port);
  await device.say(true);
  await device.see('/ROOT/HOME');
  await device.see('/ROOT/HOME/Holidays');
  return () => device.close();
});

const HOME = '/ROOT/HOME';
const BOTH = [HOME, '/ROOT/HOME/Holidays'];
const DAY = 24 * 60 * 60 * 1_000;

/** What the page without a server shows of the list that was kept. */
async function whileAway(): Promise<boolean> {
  await device.tunnel.cut();
  await device.page.goto(device.at('/files/?path=/ROOT/HOME'));
  await unreachable(device.page).waitFor();
  await device.page.waitForLoadState('networkidle');
  return lastSeen(device.page).isVisible();
}

describe('the lists on a device are deleted', () => {
  itInFull('when the person switches them off', async () => {
    await device.say(false);
    await expect.poll(device.stored).toBe('');
    await device.open(HOME);
    await device.open('/ROOT/HOME/Holidays');
    expect(await device.stored()).toBe('');
    expect(await whileAway()).toBe(false);
  });

  it.each(sampled(['/files/', '/account/'], 1))('when the person signs out at %s', async (where) => {
    await device.page.goto(device.at(where));
    await device.page.locator('form[action$="/sign-out"] button').click();
    await device.page.getByLabel(t('signIn.username')).waitFor();
    await expect.poll(device.stored).toBe('');
    // Not kept again without being asked for.
    await device.signIn();
    await device.open('/ROOT/HOME/Holidays');
    expect(await device.stored()).toBe('');
  });

  itInFull('when a page asks to sign in', async () => {
    await device.context.clearCookies({ name: '__Host-larder-session' });
    await device.page.goto(device.at('/files/?path=/ROOT/HOME'));
    await device.page.getByLabel(t('signIn.username')).waitFor();
    await expect.poll(device.stored).toBe('');
  });

  itInFull('when the request of a script is answered with 401', async () => {
    await device.context.clearCookies({ name: '__Host-larder-session' });
    const status = `fetch('/files/session', { headers: { Accept: 'application/json' } }).then(({ status }) => status)`;
    expect(await device.page.evaluate(status)).toBe(401);
    await expect.poll(device.stored).toBe('');
  });

  itInFull('but not when an action of the account itself is refused', async () => {
    const refused = `fetch('/files/do/rename', { method: 'POST', headers: { Accept: 'application/json' }, body: new URLSearchParams({ path: '/ROOT/HOME/Notes.txt', form_token: 'x' }) }).then(({ status }) => status)`;
    expect(await device.page.evaluate(refused)).toBe(403);
    // The next list is kept beside the others.
    await device.see('/RECENT');
    expect((await device.kept()).sort()).toEqual([...BOTH, '/RECENT'].sort());
  });

  itInFull('when a download is redirected to the sign-in page', async () => {
    await device.context.clearCookies({ name: '__Host-larder-session' });
    await device.page.goto(device.at('/files/download?path=/ROOT/HOME/Notes.txt'));
    await device.page.getByLabel(t('signIn.username')).waitFor();
    await expect.poll(device.stored).toBe('');
  });

  it('when another person signs in', async () => {
    await addMembersWithHomes(household, { [`other${device.id}`]: {} });
    await device.context.clearCookies({ name: '__Host-larder-session' });
    // Not a page that the worker sees.
    await device.page.goto(device.at('/account/'));
    await signInAt(device.page, `other${device.id}`, MEMBER.password);
    await device.page.waitForURL((url) => url.pathname === '/account/');
    await expect.poll(device.stored).toBe('');
    await device.open(HOME);
    await device.open('/RECENT');
    expect(await device.stored()).toBe('');
    expect(await whileAway()).toBe(false);
  });

  itInFull('when the account was deactivated while the device was away', async () => {
    expect(await whileAway()).toBe(true);
    await household.control('accounts.update', { username: device.person, activated: false });
    await device.tunnel.mend();
    await device.page.goto(device.at('/files/?path=/ROOT/HOME'));
    await device.page.getByLabel(t('signIn.username')).waitFor();
    await expect.poll(device.stored).toBe('');
  });

  itInFull('when the permissions of the account change', async () => {
    await device.page.goto(device.at('/account/'));
    await setPermissions(household, { [device.person]: { download: false } });
    await device.open('/ROOT/HOME/Holidays');
    await expect.poll(device.kept).toEqual(['/ROOT/HOME/Holidays']);
  });

  itInFull('after seven days', async () => {
    await device.setClock(6.9 * DAY);
    expect(await whileAway()).toBe(true);
    await device.setClock(7.1 * DAY);
    expect(await whileAway()).toBe(false);
    expect(await device.stored()).toBe('');
  });

  itInFull('when the clock was set back, since their age is unknown', async () => {
    await device.setClock(-60_000);
    expect(await whileAway()).toBe(true);
    await device.setClock(-DAY);
    expect(await whileAway()).toBe(false);
    expect(await device.stored()).toBe('');
  });

  itInFull('when the clock was set ahead, used, and set back again', async () => {
    await device.setClock(5 * DAY);
    expect(await whileAway()).toBe(true);
    await device.setClock(0);
    expect(await whileAway()).toBe(false);
  });

  itInFull('when the owner switches off the worker', async () => {
    await household.control('settings.update', { serviceWorker: false });
    await device.open(HOME);
    await expect.poll(device.stored).toBe('');
    await expect
      .poll(() => device.page.evaluate('navigator.serviceWorker.getRegistrations().then(({ length }) => length)'))
      .toBe(0);
    await device.page.goto(device.at('/account/'));
    expect(await device.page.getByText(t('account.ownDevice.on')).count()).toBe(0);
    await household.control('settings.update', { serviceWorker: true });
  });
});

describe('the lists of shares on a device', () => {
  it('are deleted at the first contact after the share has ended, without those of own folders', async () => {
    const box = await household.newBox();
    const share = await household.share(`/ROOT/HOME/${box}`, { uid: device.id });
    const shared = `/ROOT/${household.ids.olga}/${share}`;
    await device.see(shared);
    await device.see(`${shared}/sub`);
    await device.see('/ROOT/SHARED');
    expect(await whileAway()).toBe(true);
    expect(await device.stored()).toContain('b.txt');
    await household.as('olga').post('files/unshare', { path: `/ROOT/HOME/${box}`, uid: device.id });
    await device.tunnel.mend();
    await device.open(HOME);
    await expect.poll(device.kept).toEqual(BOTH);
    expect(await device.stored()).not.toContain('b.txt');
    expect(await device.stored()).not.toContain(box);
  });

  itInFull('are deleted when the account that shares them is deactivated', async () => {
    const box = await household.newBox();
    const share = await household.share(`/ROOT/HOME/${box}`, { uid: device.id });
    await device.see(`/ROOT/${household.ids.olga}/${share}`);
    await household.control('accounts.update', { username: 'olga', activated: false });
    await device.open(HOME);
    await expect.poll(device.kept).toEqual(BOTH);
    await household.control('accounts.update', { username: 'olga', activated: true });
    await household.signInAgain('olga');
  });
});

describeInFull('the lists after a reply of another server at the same address', () => {
  const statuses = [
    [502, BOTH],
    [200, []],
    [404, []],
  ] as const;
  it.each(sampled(statuses, 1))('are kept or deleted by its status %i', async (status, kept) => {
    const now = Date.now();
    const authority = await issueAuthority({
      commonName: 'Everyone',
      constraints: householdConstraints('localhost', []),
      now,
    });
    const { certificate: cert, key } = await issueServer({ names: ['localhost'], authority, now });
    const server = https.createServer({ cert, key }, (_request, response) => {
      response.writeHead(status, { 'Content-Type': 'text/html', Connection: 'close' }).end('<h1>Elsewhere</h1>');
    });
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    try {
      await device.tunnel.cut();
      instead = (server.address() as AddressInfo).port;
      await device.tunnel.mend();
      await device.page.goto(device.at('/files/?path=/ROOT/HOME'));
      await device.page.getByRole('heading', { name: 'Elsewhere' }).waitFor();
      await device.page.goto(device.at('/files/?path=/RECENT'));
      await expect.poll(device.kept).toEqual(kept);
    } finally {
      server.closeAllConnections();
      await closeServer(server);
    }
    await device.tunnel.cut();
    instead = 0;
    await device.tunnel.mend();
    await device.page.goto(device.at('/files/?path=/ROOT/HOME'));
    await ready(device.page);
  });
});
