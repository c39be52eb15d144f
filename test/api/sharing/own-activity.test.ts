import { afterAll, beforeAll, expect, it } from 'vitest';
import { WebVisitor } from '../../support/browser/web-visitor.ts';
import { MEMBER } from '../../support/households/member.ts';
import { type LinkHousehold, openLinkHousehold, pressDownload } from '../../support/requests/links.ts';

// What people see of the log: what they did, and what others did with their files.

let household: LinkHousehold;
beforeAll(async () => {
  household = await openLinkHousehold();
  await household.put('Private/Garden/plan.txt', 'Private/diary.txt');
  for (const [username, name] of Object.entries({ olga: 'Olga', ben: 'Ben', sam: 'Sam' }))
    await household.control('accounts.update', { username, name });
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';

async function signIn(username: string): Promise<WebVisitor> {
  const visitor = new WebVisitor(household);
  const form = await visitor.get('/account/');
  const fields = { form_token: form.field('form_token'), username, password: MEMBER.password };
  expect((await visitor.post('/account/sign-in', { ...fields, to: form.field('to') })).status).toBe(303);
  return visitor;
}

/** The lines of a person's page, without markup. */
async function linesOf(visitor: WebVisitor, search = ''): Promise<string[]> {
  const { status, text } = await visitor.get(`/account/activity${search}`);
  expect(status, text).toBe(200);
  return [...text.matchAll(/<li><span class="avatar.*?<\/li>(?=<li><span class="avatar|<\/ul><\/section>)/gs)].map(
    ([line]) =>
      line
        .replace(/<svg.*?<\/svg>|<span class="avatar.*?<\/span>|<time.*?<\/time>/gs, '')
        .replace(/<[^>]+>/g, ' ')
        .replace(/[\u2066-\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .trim(),
  );
}

it('people see their own actions and those of others on their files, and no other entries', async () => {
  const { as, ids } = household;
  const id = await household.share(`${HOME}/Private/Garden`, { uid: ids.ben, alter: 1, upload: 1 });
  const shared = `/ROOT/${ids.olga}/${id}`;
  expect((await as('ben').put({ filePath: `${shared}/beans.txt` }, 'beans')).status).toBe(201);
  expect((await as('ben').put({ filePath: `${HOME}/secret of ben.txt` }, 'x')).status).toBe(201);
  expect((await as('olga').put({ filePath: `${HOME}/Private/hers.txt` }, 'x')).status).toBe(201);
  const file = await household.share(`${HOME}/Private/diary.txt`, { uid: ids.ben });
  expect((await as('ben').get('files/download', { path: `/ROOT/${ids.olga}/${file}` })).status).toBe(200);
  const link = await household.link(`${HOME}/Private/Garden/plan.txt`);
  expect((await pressDownload(household.api, link)).status).toBe(200);

  const olga = await signIn('olga');
  const ofOlga = (await linesOf(olga)).join('\n');
  expect(ofOlga).toContain('Ben added Garden/beans.txt');
  expect(ofOlga).toContain('Olga added Private/hers.txt');
  expect(ofOlga).toContain('Olga shared Private/Garden');
  expect(ofOlga).toMatch(/Opened or downloaded: Private\/Garden\/plan\.txt.*via a link/);
  expect(ofOlga).not.toContain('secret of ben');

  const ben = await signIn('ben');
  const ofBen = (await linesOf(ben)).join('\n');
  expect(ofBen).toContain('Ben added beans.txt');
  expect(ofBen).toContain('Ben added secret of ben.txt');
  // What is shared has the name that it has for him.
  expect(ofBen).toContain('Ben opened or downloaded diary.txt');
  expect(ofOlga).toContain('Ben opened or downloaded diary.txt');
  // Where the shared folder lies is hers to know.
  expect(ofBen).not.toMatch(/Private|Garden|olga|hers/i);

  const sam = await signIn('sam');
  expect((await linesOf(sam)).join('\n')).not.toMatch(/olga|ben|Garden|beans/i);

  // What others use is theirs to know.
  expect(await linesOf(olga)).toEqual(
    expect.arrayContaining([
      'Ben added Garden/beans.txt',
      'Olga added Private/hers.txt , via Tests',
      'Olga signed in, from 127.0.0.1',
    ]),
  );
  expect((await linesOf(olga, '?group=sharing')).every((line) => /shared|link/.test(line))).toBe(true);
});

it('an account does not see the activity of an earlier account of the same name', async () => {
  const { as, ids } = household;
  const id = await household.share(`${HOME}/Private/Garden`, { uid: ids.sam, alter: 1, upload: 1 });
  expect((await as('sam').put({ filePath: `/ROOT/${ids.olga}/${id}/earlier.txt` }, 'x')).status).toBe(201);
  household.clock.advance(1_000);
  await household.control('accounts.remove', { ids: [ids.olga], deleteHomeFolder: true });
  await household.control('accounts.add', { username: 'olga', password: MEMBER.password, name: 'Olga' });
  household.clock.advance(1_000);
  const again = await signIn('olga');
  expect((await linesOf(again)).join('\n')).toMatch(/^Olga signed in, from 127\.0\.0\.1$/);
});

it('the log of a group is shown in pages, newest first', async () => {
  const { as } = household;
  for (let number = 0; number < 104; number += 1) {
    // Each in a folder of its own: nothing is grouped.
    expect((await as('gil').put({ filePath: `${HOME}/f${number}/x.txt` }, 'x')).status).toBe(201);
  }
  const gil = await signIn('gil');
  const files: string[] = [];
  for (let search = '?group=files', page = 0; search !== '' && page < 10; page += 1) {
    files.push(...(await linesOf(gil, search)).filter((line) => line.includes('x.txt')));
    const { text } = await gil.get(`/account/activity${search}`);
    const older = /href="[^"]*(\?[^"]*before=[^"]*)"/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    if (older !== '') expect(older).toContain('group=files');
    search = older;
  }
  expect([new Set(files).size, files.length]).toEqual([104, 104]);
  expect((await gil.get('/account/activity?before=x')).status).toBe(400);
});
