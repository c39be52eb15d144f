import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkStillShared } from '../../dist/server/access/access.js';
import { DAY, HOUR } from '../../dist/server/lib/clock.js';
import { SHARE_FLAGS } from '../../dist/server/shares/share-record.js';
import { namesOf, PeopleOnDisk } from '../support/households/people-on-disk.ts';

let people: PeopleOnDisk;
let [ann, ben, cleo, box, inner] = [0, 0, 0, 0, 0];
beforeEach(async () => {
  people = await PeopleOnDisk.open();
  ann = people.ann;
  ben = await people.add('ben', { homeId: (await people.disk.newHome('ben')).id });
  cleo = await people.add('cleo');
  box = (await people.disk.folder('box')).id;
  inner = (await people.disk.folder('box/inner')).id;
});
afterEach(() => people.close());

const grants = async (id: number) => people.shared.grantsOf(await people.account(id));
const grant = async (id: number, sharer: number | null, share: number) =>
  people.shared.grant(await people.account(id), sharer, share);
/** What an account is allowed in `box`; undefined without access. */
const flagsOfBox = async (id: number) => {
  const all = await grants(id);
  const one = all.find(({ itemId }) => itemId === box);
  return one === undefined ? undefined : namesOf(one.flags);
};

describe('an item shared with an account', () => {
  it('is returned with all its properties', async () => {
    const id = await people.share({ itemId: box, by: ann, to: ben, flags: ['download', 'upload'], alias: 'Our box' });
    const [one, ...others] = await grants(ben);
    expect(others).toEqual([]);
    expect(one).toMatchObject({ id, itemId: box, alias: 'Our box', home: { id: people.disk.home.id } });
    expect(one?.location).toMatchObject({ segments: ['box'], state: 'there' });
    expect([one?.sharer?.id, one?.owner.id, one?.grantors.map((by) => by.id)]).toEqual([ann, ann, [ann]]);
    expect([namesOf(one?.flags), [...(one?.hidden ?? [])]]).toEqual([['upload', 'download'], []]);
    expect([await grants(cleo), await grants(ann)]).toEqual([[], []]);
  });

  it('combines the rights of several shares of one person, with the oldest number', async () => {
    const group = await people.group(ben);
    const first = await people.share({ itemId: box, by: ann, to: ben, flags: ['download'] });
    const second = await people.share({
      itemId: box,
      by: ann,
      toGroup: group,
      flags: ['upload'],
      alias: 'By the group',
    });
    const [one, ...others] = await grants(ben);
    expect(others).toEqual([]);
    expect([one?.id, namesOf(one?.flags), one?.alias]).toEqual([first, ['upload', 'download'], 'By the group']);
    // A request with another number of the same share keeps that number.
    expect((await grant(ben, ann, second))?.id).toBe(second);
    expect(namesOf((await grant(ben, ann, second))?.flags)).toEqual(['upload', 'download']);
  });

  it('is found only by its sharer and its number', async () => {
    const id = await people.share({ itemId: box, by: ann, to: ben });
    expect((await grant(ben, ann, id))?.itemId).toBe(box);
    for (const [sharer, number] of [
      [null, id],
      [cleo, id],
      [ben, id],
      [ann, id + 1],
    ] as const) {
      expect(await grant(ben, sharer, number)).toBeNull();
    }
    expect(await grant(cleo, ann, id)).toBeNull();
  });

  it('hides an anonymous sharer, and is not found by their name', async () => {
    const id = await people.share({ itemId: box, by: ann, to: ben, isAnonymous: true });
    const found = await grant(ben, null, id);
    expect([found?.sharer, found?.owner.id, [...(found?.hidden ?? [])]]).toEqual([null, ann, [ann]]);
    expect(await grant(ben, ann, id)).toBeNull();
  });

  it('is listed separately if one of two shares is anonymous', async () => {
    const group = await people.group(ben);
    const named = await people.share({ itemId: box, by: ann, to: ben, flags: ['download'] });
    const hidden = await people.share({ itemId: box, by: ann, toGroup: group, flags: ['upload'], isAnonymous: true });
    expect((await grants(ben)).map(({ id, flags }) => [id, namesOf(flags)])).toEqual([
      [named, ['download']],
      [hidden, ['upload']],
    ]);
    expect(namesOf((await grant(ben, ann, named))?.flags)).toEqual(['download']);
  });

  it.each([
    ['in the trash', "UPDATE items SET parent_id = (SELECT id FROM items WHERE name = 'trash') WHERE id = ?"],
    ['missing', 'UPDATE items SET missing_since = 1 WHERE id = ?'],
    ['erased', 'DELETE FROM items WHERE id = ?'],
  ])('is not shared while the item is %s', async (_where, sql) => {
    const id = await people.share({ itemId: box, by: ann, to: ben });
    await people.run(sql, box);
    expect([await grants(ben), await grant(ben, ann, id)]).toEqual([[], null]);
  });

  it.each([
    ['deactivated', 'activated = 0'],
    ['expired', 'expires_at = 1'],
    ['without the right to share', `permissions = '{"share":false}'`],
    ['without a home', 'home_id = NULL'],
  ])('is not shared while the sharer is %s', async (_what, change) => {
    const id = await people.share({ itemId: box, by: ann, to: ben });
    await people.run(`UPDATE accounts SET ${change} WHERE id = ?`, ann);
    expect([await grants(ben), await grant(ben, ann, id)]).toEqual([[], null]);
    expect(await people.shared.sharedBy(await people.account(ann))).toEqual([]);
    expect(await people.shared.sharedIn(people.disk.home)).toEqual(new Set());
  });

  it('ends when the sharer’s account expires', async () => {
    await people.run('UPDATE accounts SET expires_at = ? WHERE id = ?', Date.now() + DAY, ann);
    await people.share({ itemId: box, by: ann, to: ben });
    expect(await grants(ben)).toHaveLength(1);
    people.later(DAY + HOUR);
    expect(await grants(ben)).toEqual([]);
  });

  it.each([
    [{ readonly: true }, ['download', 'read_comments', 'comment', 'share']],
    [{ upload: false }, ['download', 'comment', 'read_comments', 'alter', 'share']],
    [{ download: false }, ['upload', 'comment', 'read_comments', 'alter', 'share']],
    [{ write_comments: false }, ['upload', 'download', 'read_comments', 'alter', 'share']],
    [{ read_comments: false }, ['upload', 'download', 'comment', 'alter', 'share']],
    [{}, SHARE_FLAGS],
  ])('is limited by the sharer’s permissions: %j', async (permissions, flags) => {
    await people.share({ itemId: box, by: ann, to: ben });
    await people.permit(ann, permissions);
    expect((await flagsOfBox(ben))?.sort()).toEqual([...flags].sort());
  });

  it('is not listed for the owner of its home', async () => {
    const also = await people.add('also ann', { homeId: people.disk.home.id });
    await people.share({ itemId: box, by: ann, to: also });
    expect(await grants(also)).toEqual([]);
  });

  it('is listed for the sharer and for the home', async () => {
    const inBox = await people.share({ itemId: inner, by: ann, to: ben });
    const id = await people.share({ itemId: box, by: ann, to: ben });
    const mine = await people.shared.sharedBy(await people.account(ann));
    expect(mine.map((one) => one.id)).toEqual([id, inBox]);
    expect(await people.shared.sharedIn(people.disk.home)).toEqual(new Set([box, inner]));
    expect(await people.shared.sharedBy(await people.account(ben))).toEqual([]);
  });
});

describe('a reshared item', () => {
  let [first, further] = [0, 0];
  beforeEach(async () => {
    first = await people.share({ itemId: box, by: ann, to: ben, flags: ['download', 'upload', 'share'] });
    further = await people.share({ itemId: box, by: ben, to: cleo, via: first, flags: ['download', 'alter'] });
  });

  it('has the rights that both shares allow, with both sharers as grantors', async () => {
    const one = await grant(cleo, ben, further);
    expect(namesOf(one?.flags)).toEqual(['download']);
    expect([one?.owner.id, one?.grantors.map(({ id }) => id), one?.home.id]).toEqual([
      ann,
      [ben, ann],
      people.disk.home.id,
    ]);
  });

  it('is limited by the permissions of the resharer', async () => {
    await people.permit(ben, { download: false });
    expect(namesOf((await grant(cleo, ben, further))?.flags)).toEqual([]);
  });

  it('can be a part of the shared folder', async () => {
    const part = await people.share({ itemId: inner, by: ben, to: cleo, via: first, flags: ['download'] });
    expect((await grant(cleo, ben, part))?.location.segments).toEqual(['box', 'inner']);
  });

  it('is not shared outside of the original share', async () => {
    await people.run(
      'UPDATE items SET parent_id = (SELECT parent_id FROM items WHERE id = ?) WHERE id = ?',
      box,
      inner,
    );
    const part = await people.share({ itemId: inner, by: ben, to: cleo, via: first });
    expect(await grant(cleo, ben, part)).toBeNull();
  });

  it.each([
    ['may not be shared further any more', (id: number) => people.run('UPDATE shares SET share = 0 WHERE id = ?', id)],
    ['is for somebody else', (id: number) => people.run('UPDATE shares SET uid = ? WHERE id = ?', cleo, id)],
    ['is of nobody who may share', () => people.permit(ann, { share: false })],
  ])('is not shared after the original share %s', async (_what, change) => {
    await change(first);
    expect(await grant(cleo, ben, further)).toBeNull();
  });

  it('hides anonymous sharers in the chain', async () => {
    await people.run('UPDATE shares SET anonymous = 1 WHERE id = ?', first);
    const one = await grant(cleo, ben, further);
    expect([one?.sharer?.id, [...(one?.hidden ?? [])]]).toEqual([ben, [ann]]);
    await people.run('UPDATE shares SET anonymous = 1 WHERE id = ?', further);
    expect([...((await grant(cleo, null, further))?.hidden ?? [])]).toEqual([ben, ann]);
  });
});

describe('a guest', () => {
  let guest = 0;
  beforeEach(async () => {
    guest = await people.add('gran', { guestOf: ann });
  });

  it('has access to shares of the inviting person while that person may share with guests', async () => {
    const id = await people.share({ itemId: box, by: ann, to: guest });
    expect((await grant(guest, ann, id))?.itemId).toBe(box);
    await people.permit(ann, { share_guests: false });
    expect([await grant(guest, ann, id), await grants(guest)]).toEqual([null, []]);
  });

  it('has access through a group by the same rule', async () => {
    const group = await people.group(guest, cleo);
    const id = await people.share({ itemId: box, by: ann, toGroup: group });
    expect((await grant(guest, ann, id))?.itemId).toBe(box);
    await people.permit(ann, { share_guests: false });
    expect([await grant(guest, ann, id), (await grant(cleo, ann, id))?.itemId]).toEqual([null, box]);
  });

  it('has no access to shares of others', async () => {
    const other = await people.add('other', { guestOf: ben });
    const id = await people.share({ itemId: box, by: ann, to: other });
    expect([await grant(other, ann, id), await grants(other)]).toEqual([null, []]);
  });

  it('has access to reshared items while everyone in the chain may share with guests', async () => {
    const first = await people.share({ itemId: box, by: ann, to: ben });
    const theirs = await people.add('guest of ben', { guestOf: ben });
    const further = await people.share({ itemId: box, by: ben, to: theirs, via: first });
    expect((await grant(theirs, ben, further))?.itemId).toBe(box);
    await people.permit(ann, { share_guests: false });
    expect(await grant(theirs, ben, further)).toBeNull();
    // Nor is it listed as shared.
    expect(await people.shared.sharedBy(await people.account(ben))).toEqual([]);
    await people.permit(ann, {});
    await people.permit(ben, { share_guests: false });
    expect(await grant(theirs, ben, further)).toBeNull();
  });
});

describe('whether a grant is unchanged', () => {
  const held = async (id: number) => {
    const share = await grant(ben, ann, id);
    if (share === null) throw new Error('nothing is shared');
    return { share };
  };
  const gone = { code: 'not_found' };

  it('is true while nothing has changed, or more is allowed', async () => {
    const id = await people.share({ itemId: box, by: ann, to: ben, flags: ['download'] });
    const target = await held(id);
    await checkStillShared(target, { share: null });
    await people.run('UPDATE shares SET upload = 1 WHERE id = ?', id);
    await checkStillShared(target);
  });

  it.each([
    ['it is taken back', (id: number) => people.unshare(id)],
    ['it lets do less', (id: number) => people.run('UPDATE shares SET download = 0 WHERE id = ?', id)],
    ['the item is elsewhere', () => people.run("UPDATE items SET name = 'renamed' WHERE id = ?", box)],
    ['the item is missing', () => people.run('UPDATE items SET missing_since = 1 WHERE id = ?', box)],
    ['the owner is deactivated', () => people.run('UPDATE accounts SET activated = 0 WHERE id = ?', ann)],
    ['the owner may do less', () => people.permit(ann, { download: false })],
  ])('is false if %s', async (_what, change) => {
    const id = await people.share({ itemId: box, by: ann, to: ben, flags: ['download'] });
    const target = await held(id);
    await change(id);
    await expect(checkStillShared({ share: null }, target)).rejects.toMatchObject(gone);
  });

  it('is false in another home', async () => {
    const id = await people.share({ itemId: box, by: ann, to: ben });
    const target = await held(id);
    const other = await people.disk.newHome('elsewhere');
    await people.run('UPDATE accounts SET home_id = ? WHERE id = ?', other.id, ann);
    const root = "(SELECT id FROM items WHERE parent_id IS NULL AND name = '' AND home_id = ?1)";
    await people.run(`UPDATE items SET home_id = ?1, parent_id = ${root} WHERE id = ?2`, other.id, box);
    // A move to another home ends the share: it is created again with the same number.
    await people.share({ itemId: box, by: ann, to: ben });
    await people.run('UPDATE shares SET id = ?', id);
    expect((await grant(ben, ann, id))?.location.segments).toEqual(['box']);
    await expect(checkStillShared(target)).rejects.toMatchObject(gone);
  });

  it('is true for an anonymous share, too', async () => {
    const id = await people.share({ itemId: box, by: ann, to: ben, isAnonymous: true });
    const share = await grant(ben, null, id);
    if (share === null) throw new Error('nothing is shared');
    await checkStillShared({ share });
    await people.unshare(id);
    await expect(checkStillShared({ share })).rejects.toMatchObject(gone);
  });
});
