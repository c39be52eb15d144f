import { mkdir, readdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

const area = (name: string) => join(household.folder, '.larder', name);

describe('files/createfolder', () => {
  it('creates one folder and returns its path', async () => {
    for (const reply of [
      await api.get('files/createfolder', { path: '/ROOT/HOME', name: 'New folder' }),
      await api.post('files/createfolder', { path: '/ROOT/HOME/New folder/', name: 'Über 日本' }),
    ]) {
      expect(reply.status).toBe(200);
      expect(reply.body.data.uuid).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(await readdir(join(household.home, 'New folder'))).toEqual(['Über 日本']);
  });

  it.each([
    ['a parent that is not there', { path: '/ROOT/HOME/no', name: 'x' }, 404, 'not_found'],
    ['a parent that is a list', { path: '/ROOT', name: 'x' }, 400, 'invalid_path'],
    ['a name that is taken', { path: '/ROOT/HOME', name: 'New folder' }, 409, 'already_exists'],
    ['a name taken but for case', { path: '/ROOT/HOME', name: 'NEW FOLDER' }, 409, 'already_exists'],
    ['a name with a slash', { path: '/ROOT/HOME', name: 'a/b' }, 400, 'invalid_name'],
    ['two dots', { path: '/ROOT/HOME', name: '..' }, 400, 'invalid_name'],
    ['an empty name', { path: '/ROOT/HOME', name: '' }, 400, 'invalid_name'],
    ['no name', { path: '/ROOT/HOME' }, 400, 'missing_parameter'],
  ])('refuses %s', async (_what, form, status, code) => {
    const reply = await api.post('files/createfolder', form);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });
});

describe('files/delete', () => {
  it('moves an item with its contents to the trash', async () => {
    await mkdir(join(household.home, 'old', 'deep'), { recursive: true });
    await writeFile(join(household.home, 'old', 'deep', 'a.txt'), 'kept');
    const reply = await api.post('files/delete', { path: '/ROOT/HOME/old' });
    const id = /^\/TRASH\/([A-Za-z0-9]{16})$/.exec(reply.body.data.trash_path)?.[1] ?? '';
    expect(await readdir(household.home)).not.toContain('old');
    expect(await readFile(join(area('trash'), id, 'deep', 'a.txt'), 'utf8')).toBe('kept');
    expect(await household.control('doctor')).toMatchObject({ ok: true });
  });

  it('treats permanent=0 like the default, and deletes permanently with 1', async () => {
    await api.put({ path: '/ROOT/HOME/kept.txt' }, 'kept');
    const kept = await api.post('files/delete', { path: '/ROOT/HOME/kept.txt', permanent: 0 });
    const trash = async () =>
      (await api.get('files/browse', { path: '/TRASH' })).body.data.files.map(
        ({ filename }: { filename: string }) => filename,
      );
    expect(await trash()).toContain('kept.txt');
    await api.post('files/trash/restore', { path: kept.body.data.trash_path });
    await api.post('files/delete', { path: '/ROOT/HOME/kept.txt', permanent: 1 });
    expect(await trash()).not.toContain('kept.txt');
    expect(await readdir(household.home)).not.toContain('kept.txt');
  });

  it('deletes permanently, with the versions, and never follows a link out of the tree', async () => {
    await writeFile(join(household.folder, 'outside.txt'), 'outside');
    await mkdir(join(household.home, 'gone'));
    await symlink(household.folder, join(household.home, 'gone', 'link'));
    await api.put({ path: '/ROOT/HOME/gone/a.txt' }, 'one');
    await api.put({ path: '/ROOT/HOME/gone/a.txt' }, 'two');
    expect(await readdir(area('versions'))).toHaveLength(1);
    const reply = await api.get('files/delete', { path: '/ROOT/HOME/gone', permanent: 1 });
    expect(reply.body).toEqual({ success: true, error: false, data: {} });
    expect(await readdir(household.home)).not.toContain('gone');
    await expect.poll(() => readdir(area('versions'))).toEqual([]);
    expect(await readFile(join(household.folder, 'outside.txt'), 'utf8')).toBe('outside');
    expect(await household.control('doctor')).toMatchObject({ ok: true });
  });

  it('keeps the history of a file that another program moved out of the folder before', async () => {
    await api.put({ filePath: '/ROOT/HOME/from/doc.txt' }, 'one');
    const { uuid } = (await api.put({ path: '/ROOT/HOME/from/doc.txt' }, 'two')).body.data;
    await mkdir(join(household.home, 'to'));
    await rename(join(household.home, 'from', 'doc.txt'), join(household.home, 'to', 'doc.txt'));
    await api.post('files/delete', { path: '/ROOT/HOME/from', permanent: 1 });
    const { body } = await api.get('files/browse', { path: '/ROOT/HOME/to', 'details[]': ['uuid', 'version'] });
    expect(body.data.files).toMatchObject([{ filename: 'doc.txt', uuid, version: 2 }]);
    await expect.poll(() => readdir(area('trash'))).not.toContain('from');
    const kept = await Promise.all(
      (await readdir(area('versions'))).map((name) => readFile(join(area('versions'), name), 'utf8')),
    );
    expect(kept).toContain('one');
    expect(await household.control('doctor')).toMatchObject({ ok: true });
  });

  it('allows the same name again, for a new item', async () => {
    const first = await api.put({ path: '/ROOT/HOME/phoenix.txt' }, '1');
    await api.post('files/delete', { path: '/ROOT/HOME/phoenix.txt' });
    const second = await api.put({ path: '/ROOT/HOME/phoenix.txt' }, '2');
    expect([second.status, second.body.data.version]).toEqual([201, 1]);
    expect(second.body.data.uuid).not.toBe(first.body.data.uuid);
  });

  it.each([
    ['what is not there', { path: '/ROOT/HOME/nothing' }, 404, 'not_found'],
    ['the home itself', { path: '/ROOT/HOME' }, 400, 'invalid_path'],
    ['a list', { path: '/ROOT' }, 400, 'invalid_path'],
    ['the marker of the home', { path: '/ROOT/HOME/.larder-home', permanent: '1' }, 404, 'not_found'],
    ['with a permanent that is no boolean', { path: '/ROOT/HOME/x', permanent: 'maybe' }, 400, 'invalid_parameter'],
  ])('refuses %s', async (_what, form, status, code) => {
    const reply = await api.post('files/delete', form);
    expect([reply.status, reply.body.code]).toEqual([status, code]);
  });

  it('deletes once when requested many times concurrently', async () => {
    await api.put({ path: '/ROOT/HOME/once.txt' }, 'x');
    const replies = await Promise.all(
      Array.from({ length: 6 }, () => api.post('files/delete', { path: '/ROOT/HOME/once.txt' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 404, 404, 404, 404, 404]);
  });
});
