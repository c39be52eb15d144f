import { copyFile, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { humanSize } from '../../../dist/server/listing/human.js';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { itInFull } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../../support/households/member.ts';
import { address, enterAt, fillHome, names, picture, ready, row, sampleHome } from './support.ts';

// What the rows of a list say of files and folders.

let browser: Browser;
let household: Household;

beforeAll(async () => {
  [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  await household.control('settings.update', { householdName: 'Orchard House' });
  await addMembersWithHomes(household, { mia: { space_quota_max: 100 }, tom: {} });
  const home = homeOf(household, 'mia');
  await sampleHome(home);
  await fillHome(home, {
    'Garden/a.txt': 'a',
    'Garden/b.txt': 'b',
    'Garden/deep/c.txt': 'c',
    'Garden/.DS_Store': 'settings',
    'Lake.jpg': await picture(2),
    'Tower.jpg': await picture(4, 300, 900),
  });
  await mkdir(join(home, 'Empty'));
  await copyFile('test/fixtures/video/h264.mp4', join(home, 'Sailing.mp4'));
});
afterAll(async () => {
  await browser?.close();
  await household?.close();
});

/** The size of a folder on the page, once its folders were read in the background. @param bytes that it has then */
async function sizeOf(page: Page, name: string, bytes: number): Promise<string> {
  await expect
    .poll(async () => {
      const [answer] = await Promise.all([page.waitForResponse(/\/files\/sizes/), page.reload()]);
      return (await answer.json()).data.sizes[name];
    })
    .toBe(bytes);
  return (await row(page, name).locator('.bytes .total').textContent()) ?? '';
}

async function enter(username: string) {
  return enterAt({ browser, household }, '/files/', { username });
}

itInFull(
  'rows show thumbnails of photos and films and the contents of folders; the sidebar shows the space used',
  async () => {
    const { page, context, complaints } = await enter('mia');
    const lake = row(page, 'Lake.jpg').locator('img.thumb');
    await lake.scrollIntoViewIfNeeded();
    await expect.poll(() => lake.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(200);
    expect(await lake.boundingBox()).toMatchObject({ width: 40, height: 40 });
    // Without a program that reads films, there is an icon.
    const film = row(page, 'Sailing.mp4');
    expect(await film.locator('.play').count()).toBe(await film.locator('.thumb').count());
    expect(await row(page, 'Lake.jpg').locator('.play').count()).toBe(0);
    const inside = async (name: string) => (await row(page, name).locator('.bytes').innerText()).split('\n')[0];
    // Folders are read in the background. Hidden files do not count.
    await expect
      .poll(async () => {
        await page.reload();
        return Promise.all(['Garden', 'Empty'].map(inside));
      })
      .toEqual([3, 0].map((count) => t('files.count.items', { count })));
    await ready(page);
    // Everything below a folder counts, once all of it has been read.
    await (await signInAs(household, 'mia')).get('files/browse', { path: '/ROOT/HOME/Garden/deep' });
    const bytes = 'abcsettings'.length;
    expect(await sizeOf(page, 'Garden', bytes)).toBe(humanSize(bytes));
    expect(await row(page, 'Empty').locator('.bytes .total').count()).toBe(0);
    expect(await row(page, 'Garden').locator('.sub').textContent()).toMatch(/^11 bytes · /);
    const storage = page.locator('.file-nav .storage');
    const used = /^Storage\s+[\d.]+ MB of 100 MB/;
    expect((await storage.innerText()).replaceAll(/\s+/g, ' ')).toMatch(used);
    await inspect(page, 'files-rows');
    await storage.click();
    await page.waitForURL('**/account/#storage');
    expect(complaints).toEqual([]);
    await context.close();
  },
);

itInFull('the gallery shows the duration of films, once they have been read', async () => {
  const { page, context } = await enter('mia');
  await expect
    .poll(async () => {
      await page.goto(address(household, '/files/?path=/ROOT/HOME&view=gallery'));
      return row(page, 'Sailing.mp4').locator('.length').count();
    })
    .toBe(1);
  expect(await row(page, 'Sailing.mp4').locator('.length').innerText()).toMatch(/^\d+:\d\d$/);
  await ready(page);
  await inspect(page, 'files-rows-gallery');
  await context.close();
});

itInFull('films are among the photos of the page, but not in the list of the API', async () => {
  const { page, context } = await enter('mia');
  await expect
    .poll(async () => {
      await page.goto(address(household, '/files/?path=/PHOTOS'));
      await ready(page);
      return names(page);
    })
    .toEqual(expect.arrayContaining(['Lake.jpg', 'Sailing.mp4', 'Tower.jpg']));
  await inspect(page, 'files-photos');
  await row(page, 'Sailing.mp4').locator('.open').click();
  await page.locator('dialog video').waitFor();
  await context.close();
  const { body } = await (await signInAs(household, 'mia')).get('files/browse', { path: '/PHOTOS' });
  const listed = body.data.files.map(({ filename }: { filename: string }) => filename);
  expect(listed).toContain('Lake.jpg');
  expect(listed).not.toContain('Sailing.mp4');
});

itInFull('a long name is shortened in the middle, so that its ending stays visible', async () => {
  const { page, context } = await enter('mia');
  await page.setViewportSize({ width: 320, height: 800 });
  const name = page.locator('.items .name').filter({ hasText: /^Rindfleisch/ });
  const [start, end] = [name.locator('.cut > :first-child'), name.locator('.cut > :last-child')];
  expect(await start.evaluate((part) => part.scrollWidth > part.clientWidth)).toBe(true);
  expect(await end.innerText()).toBe('sung.odt');
  const [whole, ending] = await Promise.all([name.boundingBox(), end.boundingBox()]);
  expect(ending?.height).toBeLessThan(24);
  expect((ending?.x ?? 0) + (ending?.width ?? 0)).toBeLessThanOrEqual((whole?.x ?? 0) + (whole?.width ?? 0) + 1);
  await context.close();
});

itInFull('the space used by a home without a quota is shown as a number only', async () => {
  await fillHome(homeOf(household, 'tom'), { 'a.txt': 'text' });
  const { page, context } = await enter('tom');
  const storage = page.locator('.file-nav .storage');
  await expect
    .poll(async () => {
      await page.reload();
      return storage.innerText();
    })
    .toContain(t('files.storage.used', { size: '4 bytes' }));
  expect(await storage.locator('svg').count()).toBe(0);
  await context.close();
});

itInFull('keys open the help for keys, and create a folder', async () => {
  const { page, context, complaints } = await enter('mia');
  await page.locator('body').press('?');
  const dialog = page.getByRole('dialog', { name: t('files.keys.heading') });
  await dialog.getByText(t('files.keys.does.selectAll')).waitFor();
  await inspect(page, 'files-keys');
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  await row(page, 'Garden').locator('.open').focus();
  await page.keyboard.press('Shift+N');
  await page.getByRole('dialog', { name: t('files.actions.createFolder') }).waitFor();
  await page.getByLabel(t('files.forms.name')).pressSequentially('New N');
  await page.keyboard.press('Enter');
  await row(page, 'New N').waitFor();
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the view chosen for a folder also applies to the folders in it, on every device', async () => {
  const { page, context } = await enter('mia');
  await page.goto(address(household, '/files/?path=/ROOT/HOME/Photos'));
  await ready(page);
  await page.getByRole('link', { name: t('files.view.gallery') }).click();
  await page.locator('.table.gallery').waitFor();
  // The choice is not part of the address.
  expect(new URL(page.url()).search).toBe('?path=/ROOT/HOME/Photos');
  await context.close();
  const other = await enter('mia');
  await other.page.goto(address(household, '/files/?path=/ROOT/HOME/Photos/Summer at the lake'));
  await other.page.locator('.table.gallery').waitFor();
  await other.page.goto(address(household, '/files/?path=/ROOT/HOME'));
  await other.page.locator('.table.list').waitFor();
  await other.page.goto(address(household, '/files/?path=/ROOT/HOME/Photos/Summer at the lake'));
  await ready(other.page);
  await other.page.getByRole('link', { name: t('files.view.list') }).click();
  await other.page.locator('.table.list').waitFor();
  await other.page.getByRole('link', { name: t('files.sort.columns.size') }).click();
  await expect.poll(() => other.page.locator('.heads .bytes').innerText()).toContain(t('files.sort.descending'));
  await other.page.goto(address(household, '/files/?path=/ROOT/HOME/Photos'));
  await other.page.locator('.table.gallery').waitFor();
  await other.context.close();
});

it('galleries, starred items and search results show sizes of folders to those who may see all of a folder', async () => {
  await fillHome(homeOf(household, 'mia'), {
    'Attic/Trunk/letters.bin': Buffer.alloc(6_000),
    'Cellar/Trunk/jars.bin': Buffer.alloc(9_000),
  });
  const mia = await signInAs(household, 'mia');
  for (const path of ['Attic', 'Attic/Trunk', 'Cellar', 'Cellar/Trunk'])
    await mia.get('files/browse', { path: `/ROOT/HOME/${path}` });
  for (const path of ['Attic/Trunk', 'Cellar'])
    expect((await mia.post('files/star', { path: `/ROOT/HOME/${path}` })).body.success).toBe(true);
  const { page, context, complaints } = await enter('mia');
  /** The sizes of the folders on a page, once everything in them was read in the background. */
  const sizesOn = async (path: string) => {
    await Promise.all([page.waitForResponse(/\/files\/sizes/), page.goto(address(household, path))]);
    return (await page.locator('.items .dir .bytes .total').allTextContents()).toSorted();
  };
  const both = [humanSize(6_000), humanSize(9_000)].toSorted();
  await expect.poll(() => sizesOn('/files/?path=/STARRED')).toEqual(both);
  await expect.poll(() => sizesOn('/files/search?q=trunk')).toEqual(both);
  await page.goto(address(household, '/files/?path=/ROOT/HOME&view=gallery'));
  const tile = row(page, 'Cellar').locator('.sub');
  await expect
    .poll(() => tile.innerText())
    .toMatch(new RegExp(`^${humanSize(9_000)} · ${t('files.count.items', { count: 1 })}`));
  await inspect(page, 'files-gallery-sizes');
  await page.goto(address(household, '/files/?path=/ROOT/HOME&view=list'));
  await context.close();
  // Nothing of what they may not see.
  const tom = await enter('tom');
  const reply = await tom.page.evaluate<string>(
    `fetch('/files/sizes?folder=/ROOT/HOME/Cellar&folder=/ROOT/1/1', { headers: { accept: 'application/json' } }).then((reply) => reply.text())`,
  );
  expect(JSON.parse(reply).data.sizes).toEqual({});
  expect(complaints).toEqual([]);
  await tom.context.close();
});

itInFull('shows the sizes of all folders of a long list from different places', async () => {
  const names = Array.from({ length: 40 }, (_, index) => `Box ${index + 11}`);
  await fillHome(
    homeOf(household, 'tom'),
    Object.fromEntries(names.map((name) => [`${name}/jar.bin`, Buffer.alloc(7_000)])),
  );
  const tom = await signInAs(household, 'tom');
  for (const name of names) {
    const path = `/ROOT/HOME/${name}`;
    await tom.get('files/browse', { path });
    expect((await tom.post('files/star', { path })).body.success).toBe(true);
  }
  const { page, context, complaints } = await enter('tom');
  await page.goto(address(household, '/files/?path=/STARRED'));
  await ready(page);
  const missing = () => page.locator('.items .dir:not(:has(.bytes .total))').count();
  await expect.poll(missing).toBe(0);
  await page.locator('.items .open').first().focus();
  await page.keyboard.press('End');
  await row(page, 'Box 50').waitFor();
  await expect.poll(missing).toBe(0);
  expect(await row(page, 'Box 50').locator('.bytes .total').textContent()).toBe(humanSize(7_000));
  expect(complaints).toEqual([]);
  await context.close();
});

itInFull('the size of a folder includes everything in it, and in a share only items of the share', async () => {
  const [mia, tom] = await Promise.all([signInAs(household, 'mia'), signInAs(household, 'tom')]);
  const { accounts } = (await household.control('accounts.list', { limit: 100 })) as {
    accounts: { id: number; username: string }[];
  };
  const idOf = (name: string) => accounts.find(({ username }) => username === name)?.id ?? 0;
  await fillHome(homeOf(household, 'mia'), {
    'Given/Sub/x.bin': Buffer.alloc(3_000),
    'Given/Sub/Deep/y.bin': Buffer.alloc(2_000),
    'Kept/z.bin': Buffer.alloc(50_000),
  });
  const { body } = await mia.post('files/share', { path: '/ROOT/HOME/Given', uid: idOf('tom') });
  expect(body).toMatchObject({ success: true });
  const listed = await tom.get('files/browse', { path: `/ROOT/${idOf('mia')}` });
  const [shared] = listed.body.data.files;
  const { page, context } = await enter('tom');
  await page.goto(address(household, `/files/?path=${shared.path}`));
  await ready(page);
  expect(await sizeOf(page, 'Sub', 5_000)).toBe(humanSize(5_000));
  const ask = (path: string) =>
    page.evaluate<{ isOk: boolean; text: string }>(
      `fetch('/files/sizes?path=' + ${JSON.stringify(path)}, { headers: { accept: 'application/json' } })
        .then(async (reply) => ({ isOk: reply.ok, text: await reply.text() }))`,
    );
  expect(JSON.parse((await ask(shared.path)).text)).toMatchObject({ data: { sizes: { Sub: 5_000 } } });
  for (const path of [`/ROOT/${idOf('mia')}/999`, `${shared.path}/..`, '/ROOT/HOME/Kept', `${shared.path}/None`]) {
    const { isOk, text } = await ask(path);
    expect(isOk, path).toBe(false);
    expect(text).not.toContain('50000');
  }
  await context.close();
});
