import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  grantPath,
  homePathOf,
  type ItemTarget,
  isTop,
  shownName,
  virtualPathOf,
} from '../../dist/server/access/access.js';
import {
  type AccountCaller,
  knowsPeopleAs,
  type LinkVisitor,
  responsibleId,
  rightsOf,
} from '../../dist/server/access/caller.js';
import { PeopleOnDisk } from '../support/households/people-on-disk.ts';

let people: PeopleOnDisk;
let [ann, ben, box, share] = [0, 0, 0, 0];
beforeEach(async () => {
  people = await PeopleOnDisk.open();
  ann = people.ann;
  ben = await people.add('ben', { homeId: (await people.disk.newHome('ben')).id });
  box = (await people.disk.folder('box')).id;
  share = await people.share({ itemId: box, by: ann, to: ben, flags: ['download'], alias: 'Our box' });
});
afterEach(() => people.close());

const resolve = async (path: string, id = ben) =>
  people.access.resolve(await people.caller(id), path.split('/').slice(1));
const resolveItem = async (path: string, action: Parameters<typeof people.access.resolveItem>[2], id = ben) =>
  people.access.resolveItem(await people.caller(id), path.split('/').slice(1), action);

async function itemAt(path: string, id = ben): Promise<ItemTarget> {
  const target = await resolve(path, id);
  if (target.kind !== 'item') throw new Error(`${path} is no item`);
  return target.item;
}

const NOT_FOUND = { code: 'not_found' };

describe('a path', () => {
  it.each([
    ['/ROOT', 'top'],
    ['/ROOT/TRASH', 'trash'],
    ['/TRASH', 'trash'],
    ['/ROOT/SHARED', 'shared'],
    ['/SHARES', 'shares'],
    ['/ROOT/SHARES', 'shares'],
    ['/LINKS', 'links'],
    ['/ROOT/LINKS', 'links'],
    ['/RECENT', 'list'],
    ['/STARRED', 'list'],
    ['/ROOT/PHOTOS', 'list'],
    ['/MUSIC', 'list'],
  ])('%s resolves to: %s', async (path, kind) => {
    expect((await resolve(path)).kind).toBe(kind);
  });

  it('resolves to the top level without a name', async () => {
    expect(await people.access.resolve(await people.caller(ben), [])).toEqual({ kind: 'top' });
  });

  it('resolves to a list, or to the home of a trash', async () => {
    expect(await resolve('/STARRED')).toEqual({ kind: 'list', list: 'STARRED' });
    expect(await resolve('/TRASH')).toMatchObject({ home: { id: (await people.account(ben)).homeId } });
  });

  it.each([
    '/HOME',
    '/SHARED',
    '/1',
    '/elsewhere',
    '/ROOT/elsewhere',
    '/TRASH/a',
    '/SHARES/a',
    '/LINKS/a',
    '/STARRED/a',
    '/ROOT/SHARED/a',
    '/ROOT/1x',
    '/ROOT/x1',
    '/ROOT/1234567890123456',
  ])('does not resolve: %s', async (path) => {
    await expect(resolve(path)).rejects.toMatchObject(NOT_FOUND);
  });

  it.each([
    ['..'],
    ['..', 'secret'],
    ['..', '..', '..'],
    ['.', 'a'],
    ['a', '..', '..', 'secret'],
    ['a/../../secret'],
    ['', 'a'],
    ['a\0'],
  ])('is refused through %j', async (...below) => {
    for (const base of [
      ['ROOT', 'HOME'],
      ['ROOT', `${ann}`, `${share}`],
    ]) {
      await expect(people.access.resolve(await people.caller(ben), [...base, ...below])).rejects.toMatchObject(
        NOT_FOUND,
      );
    }
  });

  it('resolves into the home of the caller', async () => {
    const item = await itemAt('/ROOT/HOME/a/b.txt');
    expect(item).toMatchObject({ segments: ['a', 'b.txt'], base: '/ROOT/HOME', top: 0, share: null });
    expect(item.home.id).toBe((await people.account(ben)).homeId);
    expect([isTop(item), isTop(await itemAt('/ROOT/HOME'))]).toEqual([false, true]);
    expect([virtualPathOf(item), virtualPathOf(item, ['c'])]).toEqual(['/ROOT/HOME/a/b.txt', '/ROOT/HOME/c']);
    expect([shownName(item, 'b.txt'), shownName(item, '')]).toEqual(['b.txt', 'My Files']);
    expect(homePathOf(['a', 'b'])).toBe('/ROOT/HOME/a/b');
  });

  it('is not found for an account without a home', async () => {
    const homeless = await people.add('homeless');
    for (const path of ['/ROOT/HOME/a', '/TRASH'])
      await expect(resolve(path, homeless)).rejects.toMatchObject(NOT_FOUND);
    await people.run('UPDATE accounts SET home_id = NULL WHERE id = ?', ben);
    await expect(people.access.homeOf(await people.caller(ben))).rejects.toMatchObject(NOT_FOUND);
  });

  it('resolves into a shared item, and not above it', async () => {
    const path = `/ROOT/${ann}/${share}`;
    const [top, below] = [await itemAt(path), await itemAt(`${path}/a.txt`)];
    expect(below).toMatchObject({ segments: ['box', 'a.txt'], base: path, top: 1, share: { id: share } });
    expect([below.home.id, below.home.homeRoot.exact]).toEqual([people.disk.home.id, 1]);
    expect([isTop(top), isTop(below)]).toEqual([true, false]);
    expect([virtualPathOf(top), virtualPathOf(below)]).toEqual([path, `${path}/a.txt`]);
    expect([shownName(top, 'box'), shownName(below, 'a.txt')]).toEqual(['Our box', 'a.txt']);
    await people.run("UPDATE shares SET alias = ''");
    expect(shownName(await itemAt(path), 'box')).toBe('box');
  });

  it('to a person lists their shares, and exists only if they have any', async () => {
    const target = await resolve(`/ROOT/${ann}`);
    expect(target).toMatchObject({ kind: 'sharer', sharer: { id: ann }, grants: [{ id: share }] });
    for (const path of [`/ROOT/${ben}`, '/ROOT/0', '/ROOT/99']) {
      await expect(resolve(path)).rejects.toMatchObject(NOT_FOUND);
    }
    await people.run('UPDATE shares SET anonymous = 1');
    for (const path of [`/ROOT/${ann}`, '/ROOT/0', `/ROOT/${ann}/${share}`]) {
      await expect(resolve(path)).rejects.toMatchObject(NOT_FOUND);
    }
    expect((await itemAt(`/ROOT/0/${share}`)).base).toBe(`/ROOT/0/${share}`);
  });

  it.each(['0', '01', 'x', '1x', 'x1', '1234567890123456', ''])('to a share requires a number, not %j', async (id) => {
    await people.run('UPDATE shares SET id = 1');
    expect((await itemAt(`/ROOT/${ann}/1`)).segments).toEqual(['box']);
    await expect(resolve(`/ROOT/${ann}/${id}`)).rejects.toMatchObject(NOT_FOUND);
  });

  it('to anonymous shares uses zero', () => {
    expect(grantPath({ id: 7, sharer: null })).toBe('/ROOT/0/7');
  });
});

describe('an operation on an item', () => {
  it('is allowed without missing permissions', async () => {
    expect((await resolveItem('/ROOT/HOME/a', 'files/delete')).segments).toEqual(['a']);
    expect((await resolveItem(`/ROOT/${ann}/${share}/a`, 'files/download')).segments).toEqual(['box', 'a']);
  });

  it('is refused in a share that does not allow it, or if the sharer is not allowed to', async () => {
    const path = `/ROOT/${ann}/${share}/a`;
    await expect(resolveItem(path, 'files/delete')).rejects.toMatchObject({
      code: 'permission_denied',
      details: { permission: 'alter' },
    });
    await people.permit(ann, { download_folders: false });
    await expect(resolveItem(path, 'files/download:folder')).rejects.toMatchObject({ code: 'permission_denied' });
  });

  it('is refused for the account before any lookup', async () => {
    await people.permit(ben, { readonly: true });
    const denied = { code: 'permission_denied', details: { permission: 'readonly' } };
    await expect(resolveItem('/ROOT/99/99', 'files/delete')).rejects.toMatchObject(denied);
    await expect(resolveItem('/ROOT/99/99', 'files/download')).rejects.toMatchObject(NOT_FOUND);
  });

  it('can depend on the item, and then account and share are checked', async () => {
    const path = `/ROOT/${ann}/${share}/a`;
    const action = ({ share: through }: ItemTarget) => (through === null ? 'files/download' : 'files/delete');
    expect((await resolveItem('/ROOT/HOME/a', action)).segments).toEqual(['a']);
    await expect(resolveItem(path, action)).rejects.toMatchObject({ details: { permission: 'alter' } });
    await people.permit(ben, { download: false });
    await expect(resolveItem('/ROOT/HOME/a', action)).rejects.toMatchObject({ details: { permission: 'download' } });
  });

  it('requires an item, not a list', async () => {
    for (const path of ['/ROOT', '/TRASH', '/STARRED', `/ROOT/${ann}`]) {
      await expect(resolveItem(path, 'files/download')).rejects.toMatchObject({ code: 'invalid_path' });
    }
  });
});

describe('a visitor of a web link', () => {
  async function visitor(): Promise<LinkVisitor> {
    const grant = await people.shared.grant(await people.account(ben), ann, share);
    if (grant === null) throw new Error('nothing is shared');
    const itemAt = async (segments: readonly string[]) => ({ asked: segments }) as never;
    return {
      channel: 'link',
      client: null,
      address: null,
      visitor: { link: 1, name: 'Vera', signedInAs: null, reach: { grant, itemAt } },
    };
  }

  it('reaches only the item of the link, with any path', async () => {
    const target = await people.access.resolve(await visitor(), ['ROOT', 'HOME']);
    expect(target).toEqual({ kind: 'item', item: { asked: ['ROOT', 'HOME'] } });
  });

  it('acts with the rights and in the name of the link’s creator', async () => {
    const [guest, account] = [await visitor(), await people.account(ann)];
    expect(rightsOf(guest).permissions).toEqual(account.permissions);
    expect([responsibleId(guest), knowsPeopleAs(guest).id]).toEqual([ann, ann]);
    const caller: AccountCaller = await people.caller(ben);
    expect([rightsOf(caller).permissions, responsibleId(caller), knowsPeopleAs(caller).id]).toEqual([
      caller.account.permissions,
      ben,
      ben,
    ]);
  });

  it('has no rights without the link’s creator', async () => {
    const guest = await visitor();
    const { reach } = guest.visitor;
    const nobodys = {
      ...guest,
      visitor: { ...guest.visitor, reach: { ...reach, grant: { ...reach.grant, grantors: [] } } },
    };
    expect(() => rightsOf(nobodys)).toThrow(/at least one grantor/);
  });
});
