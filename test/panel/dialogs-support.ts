import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { make, PASSPHRASE } from '../backup/support.ts';
import { homeOf } from '../support/households/member.ts';
import { type LinkHousehold, openLinkHousehold } from '../support/requests/links.ts';

/** A household with something of every kind that a dialog is about. */
export interface DialogHousehold extends LinkHousehold {
  /** The name of its backup. */
  readonly backup: string;
}

export async function openDialogHousehold(): Promise<DialogHousehold> {
  const household = await openLinkHousehold();
  const add = async (method: string, input: object) => Number((await household.control(method, input)).id);
  const roleId = await add('roles.add', { name: 'Child' });
  const gran = { username: 'gran', name: 'Gran', lastName: 'Fern', groups: ['Family'], roleId };
  await add('accounts.add', { ...gran, password: PASSPHRASE, createHomeFolder: true });
  await add('accounts.add', { username: 'theo', name: 'Theo' });
  await household.control('clients.add', { name: 'Notes', redirectUris: ['https://notes.example/callback'] });
  const setId = await add('metadata.sets.add', { name: 'Warranty' });
  await add('metadata.fields.add', { setId, name: 'Place', kind: 'choice', options: ['Drawer', 'Box'] });
  await add('metadata.types.add', { name: 'Bill', extensions: ['pdf'], setIds: [setId] });

  await household.put('Summer/one.jpg', 'Recipes.pdf', 'Holidays/plan.txt', 'Old list.txt');
  for (const name of ['Summer', 'Recipes.pdf']) await household.link(`/ROOT/HOME/${name}`);
  for (const name of ['Holidays', 'Old list.txt']) {
    await household.share(`/ROOT/HOME/${name}`, { gid: household.family, download: 1 });
  }
  await household.control('backup.setPassphrase', { passphrase: PASSPHRASE });
  const { name: backup } = await make(household, { files: true });

  // Homes of former accounts: one that stays, one that is in the trash, one whose disk is away.
  const former = ['una', 'zoe', 'otto'];
  for (const username of former) {
    const id = await add('accounts.add', { username, name: username, createHomeFolder: true });
    await writeFile(join(homeOf(household, username), 'diary.txt'), 'dear diary');
    await household.control('accounts.remove', { ids: [id] });
  }
  const { homes } = (await household.control('homes.list')) as { homes: { id: string; path: string }[] };
  const trashed = homes.find(({ path }) => path === homeOf(household, 'zoe'));
  await household.control('homes.trash.add', { id: trashed?.id });
  await rename(homeOf(household, 'otto'), `${homeOf(household, 'otto')} away`);
  // The doctor can create it again.
  await rm(join(household.folder, '.larder', 'logs'), { recursive: true });
  return Object.assign(Object.create(household) as LinkHousehold, { backup });
}
