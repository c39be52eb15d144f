import { afterEach, beforeEach, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { type Household, openHousehold } from '../support/households/household.ts';
import { apiMover, backupWhileMoving, diskMover, FOLDERS, fillFolders, timesIn } from './moving.ts';

let household: Household;
let names: string[];

beforeEach(async () => {
  household = await openHousehold();
  names = await fillFolders(household.home);
  const api = await household.signIn();
  for (const path of ['/ROOT/HOME', ...Array.from({ length: FOLDERS }, (_, index) => `/ROOT/HOME/f${index}`)])
    expect((await api.get('files/browse', { path })).status).toBe(200);
});
afterEach(() => household.close());

it('contains every file that existed all the time, even if the API moved it during the backup', async () => {
  const mover = apiMover(await household.signIn(), names);
  for (let round = 0; round < 2; round += 1) {
    const made = await backupWhileMoving(household, mover);
    const times = await timesIn(made, names);
    expect([...times].filter(([, count]) => count === 0).map(([name]) => name)).toEqual([]);
    expect(await household.control('backup.verify', { name: made.name })).toMatchObject({ ok: true });
    expect(made.files).toMatchObject({ absent: 0, leftOut: 0 });
  }
});

itInFull('contains every file that existed all the time, even if another program moved it on the disk', async () => {
  const mover = diskMover(household.home, names);
  for (let round = 0; round < 2; round += 1) {
    const made = await backupWhileMoving(household, mover);
    const times = await timesIn(made, names);
    expect([...times].filter(([, count]) => count === 0).map(([name]) => name)).toEqual([]);
    expect(await household.control('backup.verify', { name: made.name })).toMatchObject({ ok: true });
  }
});
