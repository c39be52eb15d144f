import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { setPermissions } from '../support/households/member.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type Form, type SharingApp, sharingAppOf } from './sharing-support.ts';

/*
 * Certain, from published sources of clients: the parameters, the lists in the reply and beside `exact`, `label` and `value`.
 * Assumed: that apps accept the number of a group where other servers send its name.
 */

let household: SharingHousehold;
let olga: SharingApp;

beforeAll(async () => {
  household = await openSharingHousehold();
  for (const [username, name] of [
    ['ben', 'Benjamin'],
    ['gil', 'Gilbert'],
    ['sam', 'Ben'],
  ]) {
    await household.control('accounts.update', { username, name });
  }
  olga = await sharingAppOf(household, 'olga');
});
afterAll(() => household?.close());

const search = (query: Form = {}, app = olga) => app.get('/sharees', { itemType: 'file', ...query });

interface Entry {
  readonly label: string;
  readonly value: { readonly shareWith: string };
}
/** Who is found: exact matches, and the others. */
async function found(query: Form, app = olga) {
  const { data } = await search(query, app);
  const ids = (entries: Entry[]) => entries.map(({ value }) => value.shareWith).sort();
  return {
    exact: [...ids(data.exact.users), ...ids(data.exact.groups)],
    others: [...ids(data.users), ...ids(data.groups)],
  };
}

describe('a search for people and groups', () => {
  it('returns the lists that apps read', async () => {
    const { status, data } = await search({ search: 'ben', page: 1, perPage: 50, lookup: 'false' });
    const empty = { remotes: [], remote_groups: [], emails: [], circles: [], rooms: [], groups: [] };
    const sharee = (id: string, label: string) => ({
      ...{ label, subline: '', icon: 'icon-user', shareWithDisplayNameUnique: id },
      value: { shareType: 0, shareWith: id },
    });
    expect(status).toBe(200);
    expect(data).toEqual({
      ...{ ...empty, lookup: [], lookupEnabled: false, users: [] },
      exact: { ...empty, users: expect.arrayContaining([sharee('sam', 'Ben'), sharee('ben', 'Benjamin')]) },
    });
    const { text } = await olga.xml('/sharees?itemType=file&search=fam');
    expect(text).toContain(`<groups><element><label>Family</label>`);
    expect(text).toContain(`<value><shareType>1</shareType><shareWith>${household.family}</shareWith></value>`);
  });

  it('finds names and user names regardless of case, and full matches as exact', async () => {
    expect(await found({ search: 'BENJ' })).toEqual({ exact: [], others: ['ben'] });
    expect(await found({ search: 'gilbert' })).toEqual({ exact: ['gil'], others: [] });
    expect(await found({ search: 'family' })).toEqual({ exact: [String(household.family)], others: [] });
    expect(await found({ search: 'nobody' })).toEqual({ exact: [], others: [] });
    // The number of a group is no name.
    expect(await found({ search: String(household.family) })).toEqual({ exact: [], others: [] });
    const everybody = await found({ search: '' });
    expect(everybody.others).toEqual(expect.arrayContaining(['ben', 'gil', 'sam', String(household.family)]));
    expect(everybody.others).not.toContain('olga');
  });

  it('returns results in pages', async () => {
    const pages = [];
    for (const page of [1, 2, 3, 4]) pages.push((await search({ page, perPage: 2 })).data.users);
    const names = pages.flat().map(({ value }: Entry) => value.shareWith);
    expect(new Set(names).size).toBe(names.length);
    expect([...names].sort()).toEqual(['ann', 'ben', 'gil', 'sam']);
    expect(pages[0]).toHaveLength(2);
  });

  it.each([
    ['no kind of item', { itemType: undefined }],
    ['page 0', { page: 0 }],
    ['no page', { page: 'x' }],
    ['nothing per page', { perPage: 0 }],
    ['less than nothing per page', { perPage: -1 }],
  ])('is refused with %s', async (_what, query) => {
    const { itemType, ...rest } = { itemType: 'file', ...query };
    const form = { ...rest, ...(itemType === undefined ? {} : { itemType }) } as Form;
    expect(await olga.get('/sharees', form)).toMatchObject({ status: 400, code: 400 });
  });

  it('does not find people hidden from the caller, who cannot be recipients either', async () => {
    const box = await household.newBox();
    await setPermissions(household, { olga: { users_may_see: `u${household.ids.ben}` } });
    for (const text of ['', 'gil', 'gilbert', 'sam', 'family', 'ann']) {
      const { exact, others } = await found({ search: text });
      expect([text, exact, others]).toEqual([text, [], text === '' ? ['ben'] : []]);
    }
    const unknown = await olga.post({ path: `/${box}`, shareType: 0, shareWith: 'nobody' });
    expect(await olga.post({ path: `/${box}`, shareType: 0, shareWith: 'gil' })).toEqual(unknown);
    const noGroup = await olga.post({ path: `/${box}`, shareType: 1, shareWith: '4711' });
    for (const shareWith of [household.family, 'Family']) {
      expect(await olga.post({ path: `/${box}`, shareType: 1, shareWith })).toEqual(noGroup);
    }
    expect(unknown.status).toBe(404);
    await setPermissions(household, { olga: {} });
  });

  it('does not find guests, and does not name hidden recipients', async () => {
    const box = await household.newBox();
    await household.share(`/ROOT/HOME/${box}`, { name: 'Gran', email: 'gran@example.org' });
    expect(await found({ search: 'gran' })).toEqual({ exact: [], others: [] });
    await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.gil });
    await setPermissions(household, { olga: { users_may_see: `u${household.ids.ben}` } });
    const { data } = await olga.get('/shares', { path: `/${box}` });
    expect(data).toContainEqual(expect.objectContaining({ share_with: '', share_with_displayname: 'Somebody' }));
    expect(data).toContainEqual(expect.objectContaining({ share_with_displayname: 'Gran' }));
    expect(JSON.stringify(data)).not.toContain('gil');
    await setPermissions(household, { olga: {} });
  });
});

it('the last recipients are recommended, except those hidden from the caller', async () => {
  const box = await household.newBox();
  const sam = await sharingAppOf(household, 'sam');
  const recommended = async () => {
    const { data } = await sam.get('/sharees_recommended', { itemType: 'file' });
    return [...data.users, ...data.groups].map(({ value }: Entry) => value.shareWith);
  };
  expect(await recommended()).toEqual([]);
  await sam.dav.put(`/${box}.txt`, 'x');
  for (const form of [
    { shareType: 0, shareWith: 'gil' },
    { shareType: 1, shareWith: household.family },
  ]) {
    expect((await sam.post({ path: `/${box}.txt`, ...form })).status).toBe(200);
  }
  expect(await recommended()).toEqual(['gil', String(household.family)]);
  await setPermissions(household, { sam: { users_may_see: '' } });
  expect(await recommended()).toEqual([]);
  expect((await sam.get('/sharees_recommended')).status).toBe(400);
});
