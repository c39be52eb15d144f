import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { homeOf } from '../../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { ready, row } from '../files/support.ts';
import { type Device, lastSeen, namesSeen, newDevice, unreachable } from './support.ts';

// What a device keeps after its person has said that it is theirs: the lists that they have seen last.

let browser: Browser;
let household: SharingHousehold;
let device: Device;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openSharingHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});
beforeEach(async () => {
  device = await newDevice(browser, household);
  return () => device.close();
});

const HOME = '/ROOT/HOME';

describe('a device that nobody has called their own', () => {
  it('keeps no lists, and says so when the server is away', async () => {
    await device.open('/ROOT/HOME/Holidays');
    await device.open(HOME);
    expect(await device.page.evaluate('caches.has("larder-lists")')).toBe(false);
    expect((await device.page.request.get(device.at('/files/last-seen?path=/ROOT/HOME'))).status()).toBe(404);
    await device.tunnel.cut();
    await device.page.goto(device.at('/files/?path=/ROOT/HOME'));
    await unreachable(device.page).waitFor();
    await device.page.waitForLoadState('networkidle');
    expect(await lastSeen(device.page).isVisible()).toBe(false);
  });
});

describe('a device that a person has called their own', () => {
  it('shows the last-seen lists read-only while the server is away', async () => {
    const { page } = device;
    await page.goto(device.at('/account/'));
    await page.getByText(t('account.ownDevice.off')).waitFor();
    await inspect(page, 'own-device-off');
    await device.say(true);
    await page.getByText(t('account.ownDevice.on')).waitFor();
    await inspect(page, 'own-device-on');
    await device.see(HOME);
    // In place of the page before.
    await row(page, 'Holidays').locator('.open').click();
    await page.getByRole('heading', { name: 'Holidays' }).waitFor();
    await expect.poll(device.kept).toEqual([HOME, '/ROOT/HOME/Holidays']);
    await device.see('/RECENT');
    const stored = await device.stored();
    expect(stored).toContain('Packing.txt');
    for (const kept of stored.split('\n')) expect(() => JSON.parse(kept)).not.toThrow();
    expect(stored).not.toMatch(/<|token|ticket|Secret content/i);
    expect(stored).not.toMatch(/[\w-]{40,}/);

    await device.tunnel.cut();
    await page.goto(device.at('/files/?path=%2FROOT%2FHOME'));
    await unreachable(page).waitFor();
    await lastSeen(page)
      .getByRole('heading', { name: t('files.myFiles') })
      .waitFor();
    expect(await namesSeen(page)).toEqual(['Holidays', 'Notes.txt']);
    const notes = lastSeen(page).getByRole('listitem').filter({ hasText: 'Notes.txt' });
    expect(await notes.textContent()).toMatch(new RegExp(`${t('sizes.bytes', { count: 14 })} · .*20\\d\\d`));
    await lastSeen(page)
      .getByText(t('install.lastSeen.seen', { when: '' }).trim())
      .first()
      .waitFor();
    expect(await lastSeen(page).locator('button, form, input, img').count()).toBe(0);
    await inspect(page, 'last-seen');

    await lastSeen(page).getByRole('link', { name: 'Holidays' }).first().click();
    await lastSeen(page).getByRole('heading', { name: 'Holidays' }).waitFor();
    expect(await namesSeen(page)).toEqual(['Boats', 'Packing.txt']);
    expect(new URL(page.url()).searchParams.get('path')).toBe('/ROOT/HOME/Holidays');
    await page.goBack();
    await lastSeen(page)
      .getByRole('heading', { name: t('files.myFiles') })
      .waitFor();
    await page.goto(device.at('/files/?path=/ROOT/HOME/Holidays/Boats'));
    await lastSeen(page).getByText(t('install.lastSeen.none')).waitFor();

    await device.tunnel.mend();
    await page.getByRole('link', { name: t('install.unreachable.again') }).click();
    await ready(page);
    expect(visitedComplaints()).toEqual([]);
  });

  it('deletes the list of a missing folder when its page is opened', async () => {
    await device.say(true);
    await device.see('/ROOT/HOME/Holidays');
    await household.control('accounts.update', { username: device.person, name: 'Mia' });
    await row(device.page, 'Boats').waitFor();
    const home = homeOf(household, device.person);
    await rename(join(home, 'Holidays'), join(home, 'Travels'));
    await device.page.goto(device.at('/files/?path=/ROOT/HOME/Holidays'));
    await device.page.getByText(t('files.errors.missing.heading')).first().waitFor();
    await expect.poll(device.kept).toEqual([]);
  });

  itInFull('keeps at most forty lists of three hundred entries each', async () => {
    const home = homeOf(household, device.person);
    await Promise.all(Array.from({ length: 320 }, (_, at) => writeFile(join(home, 'Holidays', `${at}.txt`), '')));
    const names = Array.from({ length: 43 }, (_, at) => `Folder ${at}`);
    await Promise.all(names.map((name) => mkdir(join(home, name))));
    await device.say(true);
    for (const name of names) await device.see(`/ROOT/HOME/${name}`);
    await device.see('/ROOT/HOME/Holidays');
    const kept = await device.kept();
    expect(kept).toHaveLength(40);
    expect(kept).not.toContain('/ROOT/HOME/Folder 0');
    expect(kept).toContain('/ROOT/HOME/Folder 42');
    await device.tunnel.cut();
    await device.page.goto(device.at('/files/?path=/ROOT/HOME/Holidays'));
    await lastSeen(device.page)
      .getByText(t('install.lastSeen.more', { count: 22 }))
      .waitFor();
    expect(await namesSeen(device.page)).toHaveLength(300);
  });
});

const visitedComplaints = () => device.complaints.filter((text) => !/ERR_(?:CONNECTION_REFUSED|FAILED)/.test(text));
