import { describe, expect, it } from 'vitest';
import { like } from '../../support/server-texts.ts';
import { api, examine, expectHealthy, patients, put, repair, sql } from './doctor-support.ts';

patients();

describe('the count of the items of a home', () => {
  it('is right after every kind of change', async () => {
    await put('a.txt', 'one');
    await put('a.txt', 'three');
    await put('b.txt', 'b');
    await api.post('files/createfolder', { path: '/ROOT/HOME', name: 'folder' });
    await api.post('files/move', { path: '/ROOT/HOME/b.txt', moveTo: '/ROOT/HOME/folder' });
    await api.post('files/copy', { path: '/ROOT/HOME/a.txt', copyTo: '/ROOT/HOME/folder' });
    await api.post('files/delete', { path: '/ROOT/HOME/folder' });
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expectHealthy();
  });

  it.each([
    ['too high', 'UPDATE homes SET used = used + 100'],
    ['too low', 'UPDATE homes SET used = 0'],
  ])('is reported when it is %s, and repaired', async (_how, statement) => {
    await put('a.txt', 'one');
    await put('a.txt', 'three');
    await sql(statement);
    const { ok, problems } = await examine();
    expect([ok, problems]).toEqual([false, [expect.stringMatching(like('api.doctor.countWrong', { counted: 8 }))]]);
    expect(await repair()).toEqual([expect.stringMatching(like('api.doctor.countFixed'))]);
    await expectHealthy();
  });
});
