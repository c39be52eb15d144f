import { mkdir, readFile, rename, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { openFailing } from '../../faults/support.ts';
import { buildZip } from '../../support/content/build-zip.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../../support/households/member.ts';
import { shareHome } from '../../support/households/shared-home.ts';
import { rowsOf } from '../../support/requests/activity.ts';
import { type ApiClient, outcome, type Reply } from '../../support/requests/api-client.ts';
import { sendChunk } from '../../support/requests/chunks.ts';
import { t } from '../../support/server-texts.ts';

let household: Household;
/** The home's owner. */
let mia: ApiClient;
/** Another account with the same home. */
let tom: ApiClient;
/** An account that may see nobody. */
let eve: ApiClient;
/** An administrator of everyone. */
let ada: ApiClient;

let count = 0;
let real = '';
let virtual = '';

beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(household, {
    mia: {},
    tom: {},
    eve: { users_may_see: '' },
    ada: { admin_type: 'simple', admin_users: true, admin_over: '-ALL-' },
  });
  for (const [username, name] of Object.entries({ mia: 'Mia', tom: 'Tom', eve: 'Eve', ada: 'Ada' })) {
    await household.control('accounts.update', { username, name, lastName: name === 'Tom' ? 'Baker' : '' });
  }
  await shareHome(household, 'mia', ['tom', 'eve', 'ada']);
  [mia, tom, eve, ada] = (await Promise.all(['mia', 'tom', 'eve', 'ada'].map((name) => signInAs(household, name)))) as [
    ApiClient,
    ApiClient,
    ApiClient,
    ApiClient,
  ];
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  real = join(homeOf(household, 'mia'), `test ${count}`);
  virtual = `/ROOT/HOME/test ${count}`;
  await mkdir(join(real, 'box', 'in'), { recursive: true });
  await mkdir(join(real, 'other'));
  await tom.put({ path: `${virtual}/a.txt` }, 'first');
  await tom.put({ path: `${virtual}/a.txt` }, 'second');
  await tom.put({ path: `${virtual}/box/in/b.txt` }, 'deep');
});

const at = (name: string) => `${virtual}/${name}`;
const lock = (api: ApiClient, name: string) => api.post('files/lock', { path: at(name) });
const unlock = (api: ApiClient, name: string) => api.post('files/unlock', { path: at(name) });
const isLocked = async (name: string, api = mia) => {
  const folder = name.includes('/') ? name.slice(0, name.lastIndexOf('/')) : '';
  const { body } = await api.get('files/browse', { path: at(folder), 'details[]': ['isLocked'] });
  const last = name.slice(name.lastIndexOf('/') + 1);
  return body.data.files.find(({ filename }: { filename: string }) => filename === last)?.isLocked;
};
const done = async (reply: Promise<Reply>) => {
  const { status, text, body } = await reply;
  expect(status, text).toBeLessThan(300);
  return body.data;
};

describe('files/lock', () => {
  it('locks a file once, for the first request', async () => {
    expect(await done(lock(tom, 'a.txt'))).toEqual({});
    expect(await outcome(lock(tom, 'a.txt'))).toEqual([409, 'already_locked']);
    const { status, body } = await lock(mia, 'a.txt');
    expect([status, body.code, body.details]).toEqual([423, 'locked', { by: 'Tom Baker', path: at('a.txt') }]);
    expect(body.error).toBe('"a.txt" is locked by Tom Baker.');
    expect(await done(unlock(tom, 'a.txt'))).toEqual({});
    expect(await outcome(unlock(tom, 'a.txt'))).toEqual([409, 'not_locked']);
    expect(await outcome(lock(mia, 'a.txt'))).toEqual([200, undefined]);
  });

  it('succeeds for one of many concurrent requests', async () => {
    const codes = (await Promise.all([tom, mia, eve, ada].map((api) => outcome(lock(api, 'a.txt'))))).map(
      ([code]) => code,
    );
    expect(codes.sort()).toEqual([200, 423, 423, 423]);
  });

  it('requires an existing file', async () => {
    for (const work of [lock, unlock]) {
      expect(await outcome(work(tom, 'box'))).toEqual([400, 'invalid_path']);
      expect(await outcome(work(tom, ''))).toEqual([400, 'invalid_path']);
      expect(await outcome(work(tom, 'nothing'))).toEqual([404, 'not_found']);
    }
    const home = { path: '/ROOT/HOME' };
    expect(await outcome(tom.post('files/lock', home))).toEqual([400, 'invalid_path']);
    const { trash_path: path } = await done(tom.post('files/delete', { path: at('a.txt') }));
    expect(await outcome(tom.post('files/lock', { path }))).toEqual([404, 'not_found']);
  });

  it('hides the holder’s name from accounts that may not know it', async () => {
    await done(lock(tom, 'a.txt'));
    for (const reply of [lock(eve, 'a.txt'), unlock(eve, 'a.txt'), eve.post('files/delete', { path: at('a.txt') })]) {
      const { status, body, text } = await reply;
      expect([status, body.code, body.details]).toEqual([423, 'locked', { path: at('a.txt') }]);
      expect(body.error).toBe(t('api.locks.lockedByOther', { name: 'a.txt' }));
      expect(text.toLowerCase()).not.toContain('tom');
    }
  });

  it('can be removed by its holder, the home’s owner, and an administrator of theirs', async () => {
    for (const [holder, others] of [
      [tom, [mia, ada]],
      [ada, [mia]],
      [mia, [ada]],
    ] as const) {
      for (const other of others) {
        await done(lock(holder, 'a.txt'));
        expect(await outcome(unlock(eve, 'a.txt'))).toEqual([423, 'locked']);
        if (holder !== tom) expect(await outcome(unlock(tom, 'a.txt'))).toEqual([423, 'locked']);
        await done(unlock(other, 'a.txt'));
        expect(await isLocked('a.txt')).toBe(false);
      }
    }
  });

  it('logs who unlocked it, and whose lock it was', async () => {
    const rows = await rowsOf(household, async () => {
      await done(lock(tom, 'a.txt'));
      await done(unlock(mia, 'a.txt'));
    });
    expect(rows).toMatchObject([
      { kind: 'file.locked', username: 'tom', subject: at('a.txt'), details: {} },
      { kind: 'file.unlocked', username: 'mia', subject: at('a.txt'), details: { of: 'tom' } },
    ]);
  });
});

describe('a file locked by another account', () => {
  const CHANGES: readonly [what: string, call: (api: ApiClient) => Promise<Reply>][] = [
    ['an upload over it', (api) => api.put({ path: at('a.txt') }, 'new')],
    ['a large upload over it', (api) => api.put({ path: at('a.txt') }, Buffer.alloc(100_000))],
    ['pieces over it', (api) => sendChunk(api, at('a.txt'), Buffer.from('new'), 0)],
    ['a rename', (api) => api.post('files/rename', { path: at('a.txt'), newName: 'c.txt' })],
    ['another case', (api) => api.post('files/rename', { path: at('a.txt'), newName: 'A.txt' })],
    ['a move', (api) => api.post('files/move', { path: at('a.txt'), moveTo: at('box') })],
    ['a delete', (api) => api.post('files/delete', { path: at('a.txt') })],
    ['a delete for good', (api) => api.post('files/delete', { path: at('a.txt'), permanent: 1 })],
    ['a restore of a version', (api) => api.post('files/versions/restore', { path: at('a.txt'), version: 1 })],
    ['a copy over it', (api) => api.post('files/copy', { path: at('other/a.txt'), copyTo: at(''), overwrite: 1 })],
    ['a move over it', (api) => api.post('files/move', { path: at('other/a.txt'), moveTo: at(''), overwrite: 1 })],
    ['a rename over it', (api) => api.post('files/rename', { path: at('other.txt'), newName: 'a.txt', overwrite: 1 })],
    ['a delete of its folder', (api) => api.post('files/delete', { path: at('') })],
    ['a delete of its folder for good', (api) => api.post('files/delete', { path: at(''), permanent: 1 })],
    ['a rename of its folder', (api) => api.post('files/rename', { path: at(''), newName: `renamed ${count}` })],
    ['a move of its folder', (api) => api.post('files/move', { path: at(''), moveTo: '/ROOT/HOME/moved' })],
  ];

  beforeEach(async () => {
    await writeFile(join(real, 'other', 'a.txt'), 'other');
    await writeFile(join(real, 'other.txt'), 'other');
    await mkdir(join(real, '..', 'moved'), { recursive: true });
  });

  it.each(CHANGES)('is protected from %s, but not from its holder', async (what, call) => {
    await done(lock(tom, 'a.txt'));
    // The owner of the home can delete it.
    for (const other of what.startsWith('a delete') ? [ada] : [mia, ada]) {
      const { status, body } = await call(other);
      expect([status, body.code, body.details]).toEqual([423, 'locked', { by: 'Tom Baker', path: at('a.txt') }]);
    }
    expect(await readFile(join(real, 'a.txt'), 'utf8')).toBe('second');
    expect(await isLocked('a.txt')).toBe(true);
    await done(call(tom));
  });

  it.each(CHANGES.filter(([what]) => what.startsWith('a delete')))(
    'does not keep the owner of the home from %s, and its lock ends',
    async (_what, call) => {
      await done(lock(tom, 'a.txt'));
      await done(call(mia));
      await done(tom.put({ filePath: at('a.txt') }, 'new'));
      expect(await isLocked('a.txt')).toBe(false);
    },
  );

  it('can be read, copied, listed and zipped, and its siblings can be changed', async () => {
    await done(lock(tom, 'a.txt'));
    expect((await mia.get('files/download', { path: at('a.txt') })).text).toBe('second');
    expect((await mia.get('files/download', { path: at('a.txt'), version: 1 })).text).toBe('first');
    await done(mia.post('files/copy', { path: at('a.txt'), copyTo: at('box') }));
    await done(mia.post('files/zip', { 'paths[]': [at('a.txt')], target: at('box'), archiveName: 'a' }));
    await done(mia.post('files/rename', { path: at('other'), newName: 'another' }));
    await done(mia.post('files/delete', { path: at('box'), permanent: 1 }));
    // A copy is a new file.
    expect(await isLocked('a.txt')).toBe(true);
  });

  it('does not change the error for names that are in use anyway', async () => {
    await done(lock(tom, 'a.txt'));
    const rename = mia.post('files/rename', { path: at('other.txt'), newName: 'a.txt' });
    expect(await outcome(rename)).toEqual([409, 'already_exists']);
    const archive = buildZip([{ name: 'a.txt', content: 'from an archive' }]);
    await writeFile(join(real, 'x.zip'), archive);
    const extracted = mia.post('files/extract', { path: at('x.zip'), extractTo: at('') });
    expect((await done(extracted)).path).toBe(at('a (2).txt'));
    const zipped = mia.post('files/zip', { 'paths[]': [at('other.txt')], target: at(''), archiveName: 'x.zip' });
    expect(await outcome(zipped)).toEqual([409, 'already_exists']);
  });

  it('protects its parent folders, but no folder with a similar name', async () => {
    await mkdir(join(real, 'box', 'i'));
    await done(lock(tom, 'box/in/b.txt'));
    const { body } = await ada.post('files/delete', { path: at('box') });
    expect(body.details).toEqual({ by: 'Tom Baker', path: at('box/in/b.txt') });
    await done(mia.post('files/delete', { path: at('box/i'), permanent: 1 }));
  });

  it('is recognized in either Unicode form of its name', async () => {
    await writeFile(join(real, 'a\u0308.txt'), 'umlaut');
    await done(lock(tom, '\u00e4.txt'));
    expect(await outcome(mia.put({ path: at('\u00e4.txt') }, 'new'))).toEqual([423, 'locked']);
    expect(await outcome(ada.post('files/delete', { path: at('a\u0308.txt') }))).toEqual([423, 'locked']);
    // A name in another case is another file.
    await writeFile(join(real, 'A.TXT'), 'twin');
    await done(lock(tom, 'a.txt'));
    await done(mia.post('files/delete', { path: at('A.TXT'), permanent: 1 }));
  });
});

describe('a lock', () => {
  it('moves with its file, also within a folder', async () => {
    await done(lock(tom, 'a.txt'));
    await done(tom.post('files/rename', { path: at('a.txt'), newName: 'c.txt' }));
    await done(tom.post('files/move', { path: at('c.txt'), moveTo: at('box') }));
    await done(tom.post('files/rename', { path: at('box'), newName: 'case' }));
    expect(await isLocked('case/c.txt')).toBe(true);
    expect(await outcome(mia.put({ path: at('case/c.txt') }, 'x'))).toEqual([423, 'locked']);
    await done(mia.put({ path: at('a.txt') }, 'another file'));
  });

  it.each([
    ['versions', 20],
    ['the trash', 0],
  ])('stays when its holder overwrites the file, and the old content goes to %s', async (_where, versionsKept) => {
    await household.control('settings.update', { versionsKept });
    await done(lock(tom, 'a.txt'));
    await done(tom.put({ path: at('a.txt') }, 'third'));
    expect(await outcome(mia.put({ path: at('a.txt') }, 'x'))).toEqual([423, 'locked']);
    await writeFile(join(real, 'box', 'a.txt'), 'fourth');
    await done(tom.post('files/move', { path: at('box/a.txt'), moveTo: at(''), overwrite: 1 }));
    expect(await outcome(mia.put({ path: at('a.txt') }, 'x'))).toEqual([423, 'locked']);
    await household.control('settings.update', { versionsKept: 20 });
  });

  it('ends in the trash, also within a folder, and stays ended', async () => {
    for (const [locked, deleted] of [
      ['a.txt', 'a.txt'],
      ['box/in/b.txt', 'box'],
    ] as const) {
      await done(lock(tom, locked));
      const { trash_path: path } = await done(tom.post('files/delete', { path: at(deleted) }));
      const { body } = await mia.get('files/browse', { path: '/TRASH', 'details[]': ['isLocked'] });
      expect(new Set(body.data.files.map((file: { isLocked: boolean }) => file.isLocked))).toEqual(new Set([false]));
      await done(mia.post('files/trash/restore', { path }));
      expect(await isLocked(locked)).toBe(false);
      await done(mia.put({ path: at(locked) }, 'new'));
    }
  });

  it('ends with its file, and does not apply to a new one', async () => {
    await done(lock(tom, 'a.txt'));
    await done(tom.post('files/delete', { path: at('a.txt'), permanent: 1 }));
    await done(mia.put({ path: at('a.txt') }, 'new'));
    expect(await isLocked('a.txt')).toBe(false);
  });

  it('survives moves and rewrites by other programs', async () => {
    await done(lock(tom, 'a.txt'));
    await rename(join(real, 'a.txt'), join(real, 'box', 'moved.txt'));
    expect(await isLocked('a.txt')).toBeUndefined();
    expect(await isLocked('box/moved.txt')).toBe(true);
    // Programs save by replacing the old file with a new one.
    await writeFile(join(real, 'box', 'new'), 'saved');
    await rename(join(real, 'box', 'new'), join(real, 'box', 'moved.txt'));
    expect(await outcome(mia.put({ path: at('box/moved.txt') }, 'x'))).toEqual([423, 'locked']);
  });

  it('does not block a name after another program removed the file', async () => {
    await done(lock(tom, 'box/in/b.txt'));
    await unlink(join(real, 'box', 'in', 'b.txt'));
    await isLocked('box/in');
    await rm(join(real, 'box'), { recursive: true });
    await writeFile(join(real, 'box'), 'a file now');
    await done(mia.get('files/browse', { path: virtual }));
    await done(mia.post('files/delete', { path: at('box') }));
  });

  it('survives a restart, and ends with its holder’s account', async () => {
    const ira = await (async () => {
      await addMembersWithHomes(household, { ira: {} });
      await shareHome(household, 'mia', ['ira']);
      [mia, tom, eve, ada] = (await Promise.all(
        ['mia', 'tom', 'eve', 'ada'].map((name) => signInAs(household, name)),
      )) as [ApiClient, ApiClient, ApiClient, ApiClient];
      return signInAs(household, 'ira');
    })();
    await done(lock(ira, 'a.txt'));
    expect(await outcome(tom.put({ path: at('a.txt') }, 'x'))).toEqual([423, 'locked']);
    const { body } = await (await household.signIn()).post('admin-users/info', { uname: 'ira' });
    await household.control('accounts.remove', { ids: [Number(body.data.id)] });
    await done(tom.put({ path: at('a.txt') }, 'x'));
  });
});

describe('the detail isLocked', () => {
  it('is present for own and other locks, also in subfolders, and for no other file', async () => {
    await done(lock(tom, 'box/in/b.txt'));
    await done(lock(mia, 'a.txt'));
    for (const api of [mia, tom]) {
      const { body } = await api.get('files/browse', { path: virtual, recursive: 1, 'details[]': ['isLocked'] });
      const found = body.data.files.map((file: { path: string; isLocked: boolean }) => [
        file.path.slice(virtual.length + 1),
        file.isLocked,
      ]);
      expect(found).toEqual([
        ['box', false],
        ['box/in', false],
        ['box/in/b.txt', true],
        ['other', false],
        ['a.txt', true],
      ]);
    }
  });

  it('is current, whatever was listed before', async () => {
    for (let round = 0; round < 3; round += 1) {
      expect(await isLocked('a.txt')).toBe(false);
      await done(lock(tom, 'a.txt'));
      expect(await isLocked('a.txt')).toBe(true);
      await done(unlock(tom, 'a.txt'));
    }
  });

  it('is absent unless requested', async () => {
    await done(lock(tom, 'a.txt'));
    const { body } = await mia.get('files/browse', { path: virtual, 'details[]': ['uuid'] });
    expect(body.data.files.some((file: object) => 'isLocked' in file)).toBe(false);
  });
});

describe('a concurrent lock and change', () => {
  const both = async (point: string, change: (api: ApiClient) => Promise<Reply>) => {
    const failing = await openFailing(`${point}=pause`);
    try {
      await writeFile(join(failing.household.home, 'a.txt'), 'one');
      const { api } = failing;
      let locking: Promise<Reply> | undefined;
      const changed = await failing.whilePausedAt(point, change(api), async () => {
        let isOver = false;
        locking = api.post('files/lock', { path: '/ROOT/HOME/a.txt' }).finally(() => (isOver = true));
        // It waits while the path is locked: many later requests are answered before it.
        for (let other = 0; other < 20; other += 1) expect((await api.get('account/info')).status).toBe(200);
        expect(isOver).toBe(false);
      });
      return { changed: changed.status, locked: (await locking)?.status };
    } finally {
      await failing.close();
    }
  };

  it('happen one after the other: deleted items are not locked, and new ones are', async () => {
    const deleted = await both('storage.take-out', (api) => api.post('files/delete', { path: '/ROOT/HOME/a.txt' }));
    expect(deleted).toMatchObject({ changed: 200, locked: 404 });
    const written = await both('storage.publish.kept-old', (api) => api.put({ path: '/ROOT/HOME/a.txt' }, 'two'));
    expect(written).toMatchObject({ changed: 200, locked: 200 });
  });

  it('never change a locked file', async () => {
    for (let round = 0; round < 12; round += 1) {
      const name = `race ${round}.txt`;
      await done(mia.put({ path: at(name) }, 'content'));
      const [locked, deleted] = await Promise.all([
        lock(tom, name),
        ada.post('files/delete', { path: at(name), ...(round % 2 ? { permanent: 1 } : {}) }),
      ]);
      expect([
        [200, 423],
        [404, 200],
      ]).toContainEqual([locked.status, deleted.status]);
      expect(await isLocked(name)).toBe(locked.status === 200 ? true : undefined);
    }
  });
});
