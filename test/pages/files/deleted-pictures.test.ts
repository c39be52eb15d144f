import { expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import { launchBrowser } from '../../support/browser/browser.ts';
import { inspect } from '../../support/browser/page.ts';
import { openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, setPermissions, signInAs } from '../../support/households/member.ts';
import { address, enterAt, fillHome, picture, ready, row, toast } from './support.ts';

it('shows pictures in the trash, in a list and in a gallery, to their owner alone', async () => {
  const [browser, household] = await Promise.all([launchBrowser(), openHousehold()]);
  try {
    await addMembersWithHomes(household, { mia: {}, tom: {} });
    await fillHome(homeOf(household, 'mia'), {
      'lake.jpg': await picture(1),
      'broken.jpg': 'no picture',
      'letter.txt': 'a letter',
    });
    const api = await signInAs(household, 'mia');
    for (const name of ['lake.jpg', 'broken.jpg', 'letter.txt'])
      expect((await api.post('files/delete', { path: `/ROOT/HOME/${name}` })).status).toBe(200);

    const { page, complaints, context } = await enterAt({ browser, household }, '/files/?path=/TRASH', {
      username: 'mia',
    });
    const imageOf = (name: string) => row(page, name).locator('img');
    const widthOf = (name: string) => imageOf(name).evaluate((image: HTMLImageElement) => image.naturalWidth);
    await expect.poll(() => widthOf('lake.jpg')).toBeGreaterThan(40);
    const seen = (await imageOf('lake.jpg').getAttribute('src')) ?? '';
    expect(seen).toContain('/files/thumbnail?uuid=');
    // An icon stands for what cannot be read, and for other types.
    await expect.poll(() => widthOf('broken.jpg')).toBeGreaterThan(0);
    expect(await imageOf('letter.txt').getAttribute('src')).toContain('/icons/');
    await inspect(page, 'files-trash-pictures');
    await page.goto(address(household, '/files/?path=/TRASH&view=gallery'));
    await ready(page);
    await expect.poll(() => widthOf('lake.jpg')).toBeGreaterThan(40);
    await inspect(page, 'files-trash-gallery');
    await row(page, 'lake.jpg').locator('.open').click();
    await page.getByRole('menuitem', { name: t('files.actions.restore') }).click();
    await toast(page, t('files.toast.restored', { count: 1 }));

    const other = await enterAt({ browser, household }, '/files/', { username: 'tom' });
    const statusOf = (at: typeof page, path: string) => at.evaluate(async (one) => (await fetch(one)).status, path);
    expect(await statusOf(other.page, seen)).toBe(404);
    // What is back in the files is not in the trash.
    expect(await statusOf(page, seen)).toBe(404);
    expect(await statusOf(page, '/files/thumbnail?uuid=x')).toBe(400);

    await setPermissions(household, { mia: { download: false } });
    await page.goto(address(household, '/files/?path=/TRASH'));
    await ready(page);
    expect(await imageOf('broken.jpg').getAttribute('src')).toContain('/icons/');
    expect(complaints.filter((line) => !/40[04]/.test(line))).toEqual([]);
    await Promise.all([context.close(), other.context.close()]);
  } finally {
    await browser.close();
    await household.close();
  }
});
