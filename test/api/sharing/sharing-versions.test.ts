import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { MINUTE } from '../../../dist/server/lib/clock.js';
import { openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';

const HOME = '/ROOT/HOME';

let household: SharingHousehold;
beforeAll(async () => {
  household = await openSharingHousehold();
});
afterAll(() => household.close());

const olga = () => household.as('olga');
const ben = () => household.as('ben');

/** A file with the contents `1` to `4`; it was shared while it contained `2`. @returns its paths for Olga and Ben */
async function sharedInBetween(form: Record<string, number>): Promise<{ own: string; shared: string }> {
  const box = await household.newBox();
  const own = `${HOME}/${box}/plan.txt`;
  const save = async (content: string) => {
    await olga().put({ path: own }, content);
    household.clock.advance(MINUTE);
  };
  await save('1');
  await save('2');
  const id = await household.share(`${HOME}/${box}`, { uid: household.ids.ben, ...form });
  household.clock.advance(MINUTE);
  await save('3');
  await save('4');
  return { own, shared: `/ROOT/${household.ids.olga}/${id}/plan.txt` };
}

const numbers = async (path: string, api = ben()) =>
  (await api.get('files/versions/list', { path })).body.data.versions.map(
    ({ version }: { version: number }) => version,
  );

describe('the versions of a shared file', () => {
  it('are those since the share began, for every operation', async () => {
    const { own, shared } = await sharedInBetween({ alter: 1, upload: 1, download: 1 });
    expect(await numbers(own, olga())).toEqual([4, 3, 2, 1]);
    expect(await numbers(shared)).toEqual([4, 3, 2]);
    const outcomes = await Promise.all(
      [1, 2, 3].map(async (version) => outcome(await ben().get('files/download', { path: shared, version }))[0]),
    );
    expect(outcomes).toEqual([404, 200, 200]);
    expect(outcome(await ben().post('files/versions/restore', { path: shared, version: 1 }))).toEqual([
      404,
      'not_found',
    ]);
    expect((await ben().post('files/versions/restore', { path: shared, version: 2 })).status).toBe(200);
    expect((await olga().get('files/download', { path: own })).text).toBe('2');
    // The owner still has all of them.
    expect((await olga().get('files/download', { path: own, version: 1 })).text).toBe('1');
  });

  it('begin with the oldest of several shares, and with the recipient’s own share if it is shared further', async () => {
    const { own, shared } = await sharedInBetween({ share: 1, download: 1 });
    const folder = own.slice(0, own.lastIndexOf('/'));
    household.clock.advance(MINUTE);
    await household.share(folder, { uid: household.ids.ben, download: 1, comment: 1 });
    expect(await numbers(shared)).toEqual([4, 3, 2]);
    const further = await ben().post('files/share', {
      path: shared.slice(0, shared.lastIndexOf('/')),
      uid: household.ids.gil,
      download: 1,
    });
    const id = Number(further.body.data.shareid);
    const path = `/ROOT/${household.ids.ben}/${id}/plan.txt`;
    expect(await numbers(path, household.as('gil'))).toEqual([4]);
    household.clock.advance(MINUTE);
    await olga().put({ path: own }, '5');
    expect(await numbers(path, household.as('gil'))).toEqual([5, 4]);
  });

  it('are not shown without the right to download, and changed only with the required rights', async () => {
    const blind = await sharedInBetween({ alter: 1, upload: 1, download: 0 });
    expect(outcome(await ben().get('files/versions/list', { path: blind.shared }))).toEqual([403, 'permission_denied']);
    const looking = await sharedInBetween({ download: 1 });
    expect(await numbers(looking.shared)).toEqual([4, 3, 2]);
    for (const operation of ['restore', 'delete'])
      expect(outcome(await ben().post(`files/versions/${operation}`, { path: looking.shared, version: 3 }))).toEqual([
        403,
        'permission_denied',
      ]);
    expect(await numbers(looking.own, olga())).toEqual([4, 3, 2, 1]);
  });
});
