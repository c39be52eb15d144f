import { afterAll, beforeAll, expect, it } from 'vitest';
import { rowsOf } from '../../support/requests/activity.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
  await household.put('Garden/plan.txt');
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
const path = `${HOME}/Garden`;
const rows = async (work: () => Promise<unknown>) =>
  (await rowsOf(household, work)).map(({ kind, group, username, subject, details }) => ({
    ...{ kind, group, username, subject, details },
  }));
const olga = (operation: string, form: Record<string, string | number>) =>
  household.as('olga').post(operation, { path, ...form });

it('the log of shares contains sharer, recipient and rights', async () => {
  const by = { group: 'sharing', username: 'olga', subject: path };
  expect(await rows(() => olga('files/share', { uid: household.ids.ben, alter: 1 }))).toEqual([
    {
      ...{ kind: 'share.created', ...by },
      details: { to: 'Mia', recipient: 'user', rights: ['download', 'comment', 'read_comments', 'alter'] },
    },
  ]);
  expect(await rows(() => olga('files/share', { uid: household.ids.ben, anonymous: 1, comment: 0 }))).toEqual([
    {
      ...{ kind: 'share.changed', ...by },
      details: { to: 'Mia', recipient: 'user', rights: ['anonymous', 'download', 'read_comments', 'alter'] },
    },
  ]);
  expect(await rows(() => olga('files/unshare', { uid: household.ids.ben }))).toEqual([
    { kind: 'share.removed', ...by, details: { to: 'Mia', recipient: 'user' } },
  ]);
  expect(await rows(() => olga('files/share', { gid: household.family }))).toEqual([
    expect.objectContaining({ details: expect.objectContaining({ to: 'Family', recipient: 'group' }) }),
  ]);
  expect(await rows(() => olga('files/unshare', { uid: household.ids.ben }))).toEqual([]);
});

it('the log contains the creation and deletion of guests and of their links, without the link itself', async () => {
  let link = '';
  const made = await rows(async () => {
    link = (await olga('files/share', { name: 'Gran', email: 'gran@example.net' })).body.data.guest.link;
  });
  expect(made.map(({ kind, subject }) => [kind, subject])).toEqual([
    ['account.created', expect.stringMatching(/^guest-/)],
    ['guest-link.made', 'Gran'],
    ['share.created', path],
  ]);
  expect(made[2]?.details).toMatchObject({ to: 'Gran', recipient: 'guest' });
  expect(JSON.stringify(made)).not.toContain(link.split('id=')[1]);
  const { accounts } = (await household.control('accounts.list')) as { accounts: { id: number; type: string }[] };
  const uid = accounts.find(({ type }) => type === 'guest')?.id ?? 0;
  const ended = await rows(() => olga('files/unshare', { uid }));
  expect(ended.map(({ kind }) => kind)).toEqual(['share.removed', 'account.deactivated']);
});

it('the log of further shares names the owner', async () => {
  const id = await household.share(path, { uid: household.ids.ben, share: 1 });
  const shared = { path: `/ROOT/${household.ids.olga}/${id}`, uid: household.ids.sam };
  const [row] = await rows(() => household.as('ben').post('files/share', shared));
  expect(row).toMatchObject({ username: 'ben', subject: shared.path, details: { of: 'olga' } });
});
