import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { t } from '../../../dist/server/messages/messages.js';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
let box = '';
let folder = '';
let olga: ApiClient;

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
});
afterAll(() => household.close());
beforeEach(async () => {
  box = await household.newBox();
  folder = `/ROOT/HOME/${box}`;
});

/** A file as an app has it. */
const having = (name: string, content: string) => ({
  name,
  size: Buffer.byteLength(content),
  sha256: createHash('sha256').update(content).digest('hex'),
});
type Having = ReturnType<typeof having>;

const missing = async (api: ApiClient, path: string, items: readonly Having[]) => {
  const { status, body } = await api.post('files/known', { path, items: JSON.stringify(items) });
  return status === 200 ? (body.data.missing as Having[]).map(({ name }) => name) : [status, body.code];
};

describe('files/known', () => {
  it('returns the contents that no file below the folder has, whatever the names', async () => {
    await mkdir(household.at(`${box}/deep/er`), { recursive: true });
    await olga.put({ path: `${folder}/one.jpg` }, 'one');
    await olga.put({ path: `${folder}/deep/er/renamed.jpg` }, 'two');
    const [one, two, three] = [having('1.jpg', 'one'), having('2.jpg', 'two'), having('3.jpg', 'three')];
    expect(await missing(olga, folder, [one, two, three])).toEqual(['3.jpg']);
    expect(await missing(olga, `${folder}/deep`, [one, two])).toEqual(['1.jpg']);
    expect(await missing(olga, '/ROOT/HOME', [two, one])).toEqual([]);
    expect(await missing(olga, folder, [{ ...one, size: 4 }])).toEqual(['1.jpg']);
    expect(await missing(olga, folder, [{ ...one, sha256: one.sha256.toUpperCase() }])).toEqual([]);
    const reply = await olga.send('POST', '/api.php/files/known', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: folder, items: [three, one, three] }),
    });
    expect(reply.body.data).toEqual({ missing: [three, three] });
  });

  it('ignores files in the trash, previous contents, and files that are not hashed yet', async () => {
    await olga.put({ path: `${folder}/gone.jpg` }, 'gone');
    await olga.post('files/delete', { path: `${folder}/gone.jpg` });
    await olga.put({ path: `${folder}/changed.jpg` }, 'before');
    await olga.put({ path: `${folder}/changed.jpg` }, 'after');
    await writeFile(household.at(`${box}/unread.jpg`), 'unread');
    const names = ['gone', 'before', 'after', 'unread'];
    const wanted = names.map((name) => having(name, name));
    expect(await missing(olga, folder, wanted)).toEqual(['gone', 'before', 'unread']);
  });

  it('reads files that another program has put there, before they are hashed in the background', async () => {
    await household.control('settings.update', { hashingPaused: true });
    for (const name of ['one', 'two']) await writeFile(household.at(`${box}/${name}.jpg`), name);
    await olga.get('files/browse', { path: folder });
    expect(
      await missing(
        olga,
        folder,
        ['one', 'two', 'six'].map((name) => having(name, name)),
      ),
    ).toEqual(['six']);
  });

  it('reads no files elsewhere', async () => {
    await household.control('settings.update', { hashingPaused: true });
    await olga.post('files/createfolder', { path: folder, name: 'inner' });
    for (const name of ['inner/below', 'above']) await writeFile(household.at(`${box}/${name}.jpg`), 'same size');
    for (const path of [folder, `${folder}/inner`]) await olga.get('files/browse', { path });
    expect(await missing(olga, `${folder}/inner`, [having('a', 'same size'), having('b', 'Same size')])).toEqual(['b']);
    const hashOf = async (path: string) =>
      (await olga.get('files/info', { path, 'details[]': ['sha256'] })).body.data.sha256;
    expect(await hashOf(`${folder}/inner/below.jpg`)).toEqual(expect.any(String));
    expect(await hashOf(`${folder}/above.jpg`)).toBeNull();
  });

  it('finds the one copy below the folder among more copies than are located at once', async () => {
    await olga.post('files/createfolder', { path: folder, name: 'many' });
    await olga.put({ path: `${folder}/many/0.jpg` }, 'copied');
    await olga.post('files/createfolder', { path: folder, name: 'none' });
    await olga.post('files/createfolder', { path: folder, name: 'last' });
    // Twice as many with each.
    for (let copies = 1; copies < 1_024; copies *= 2) {
      await olga.post('files/copy', { path: `${folder}/many`, copyTo: `${folder}/last` });
      await olga.post('files/rename', { path: `${folder}/last/many`, newName: `${copies}` });
      await olga.post('files/move', { path: `${folder}/last/${copies}`, moveTo: `${folder}/many` });
    }
    const { body } = await olga.post('files/search', { path: folder, filename: '0.jpg', limit: 0 });
    expect(body.data.files).toHaveLength(1_024);
    const wanted = [having('c.jpg', 'copied')];
    expect(await missing(olga, `${folder}/none`, wanted)).toEqual(['c.jpg']);
    await olga.put({ path: `${folder}/last/copy.jpg` }, 'copied');
    expect(await missing(olga, `${folder}/last`, wanted)).toEqual([]);
  });

  it.each([
    ['nothing', '', 'api.parameters.records'],
    ['no list', '{}', 'api.parameters.records'],
    ['an empty list', '[]', 'api.parameters.entryCount'],
    ['too many', JSON.stringify(Array.from({ length: 1_001 }, () => having('a', 'a'))), 'api.parameters.entryCount'],
    ['a digest that is none', JSON.stringify([having('a', 'a'), { ...having('b', 'b'), sha256: 'b' }]), 'entry 2'],
    ['a size that is none', JSON.stringify([{ ...having('a', 'a'), size: -1 }]), 'entry 1'],
    ['more than is asked', JSON.stringify([{ ...having('a', 'a'), path: '/x' }]), 'entry 1'],
  ])('refuses %s', async (_, items, key) => {
    const { status, body } = await olga.post('files/known', { path: folder, items });
    const parameter = 'items';
    const texts: Record<string, string> = {
      'api.parameters.records': t('api.parameters.records', { parameter }),
      'api.parameters.entryCount': t('api.parameters.entryCount', { parameter, max: 1_000 }),
      'entry 1': t('api.parameters.recordEntry', { parameter, number: 1 }),
      'entry 2': t('api.parameters.recordEntry', { parameter, number: 2 }),
    };
    expect([status, body.code, body.error]).toEqual([400, 'invalid_parameter', texts[key]]);
  });

  it('accepts only existing folders', async () => {
    await olga.put({ path: `${folder}/a.txt` }, 'a');
    const items = [having('a', 'a')];
    expect(await missing(olga, `${folder}/a.txt`, items)).toEqual([404, 'not_found']);
    expect(await missing(olga, `${folder}/none`, items)).toEqual([404, 'not_found']);
    expect(await missing(olga, '/STARRED', items)).toEqual([400, 'invalid_path']);
  });
});
