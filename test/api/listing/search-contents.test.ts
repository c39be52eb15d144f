import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../../support/households/member.ts';
import { type ApiClient, outcome } from '../../support/requests/api-client.ts';
import { eventually } from '../../support/system/eventually.ts';

let household: Household;
let api: ApiClient;

const HOME = '/ROOT/HOME';

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());

async function found(contents: string, { path = HOME, by = api, limit = 1_000 } = {}): Promise<string[]> {
  const { body, status } = await by.post('files/search', { path, contents, limit });
  if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`);
  return body.data.files.map((file: { path: string }) => file.path);
}

async function until(contents: string, expected: string[], options: Parameters<typeof found>[1] = {}): Promise<void> {
  const sorted = [...expected].sort();
  const look = async () => (await found(contents, options)).sort();
  expect(await eventually(look, (seen) => JSON.stringify(seen) === JSON.stringify(sorted))).toEqual(sorted);
}

describe('files/search by contents', () => {
  it('finds uploads and files of other programs, by whole words and their beginnings', async () => {
    await api.post('files/createfolder', { path: HOME, name: 'Letters' });
    await api.put({ path: `${HOME}/Letters/rent.txt` }, 'The landlord raises the rent in Zürich by 5 %.');
    await writeFile(join(household.home, 'notes.md'), '# Rental car\n\nPick it up at *noon*.');
    await until('rent', [`${HOME}/Letters/rent.txt`, `${HOME}/notes.md`]);
    expect(await found('rent')).toEqual([`${HOME}/Letters/rent.txt`, `${HOME}/notes.md`]);
    expect(await found('RENT zurich')).toEqual([`${HOME}/Letters/rent.txt`]);
    expect(await found('ent')).toEqual([]);
    expect(await found('rent', { path: `${HOME}/Letters` })).toEqual([`${HOME}/Letters/rent.txt`]);
  });

  it('follows the file: overwritten, renamed, deleted, restored, permanently deleted', async () => {
    const path = `${HOME}/Letters/rent.txt`;
    await api.put({ path }, 'A pomegranate grows in the garden.');
    await until('pomegranate', [path]);
    expect(await found('landlord')).toEqual([]);
    await api.post('files/rename', { path: `${HOME}/Letters`, newName: 'Mail' });
    expect(await found('pomegranate')).toEqual([`${HOME}/Mail/rent.txt`]);
    const { body } = await api.post('files/delete', { path: `${HOME}/Mail` });
    expect(await found('pomegranate')).toEqual([]);
    await api.post('files/trash/restore', { path: body.data.trash_path });
    expect(await found('pomegranate')).toEqual([`${HOME}/Mail/rent.txt`]);
    await api.post('files/delete', { path: `${HOME}/Mail`, permanent: 1 });
    expect(await found('pomegranate')).toEqual([]);
  });

  it.each([
    '"',
    '*',
    'NEAR(rent car)',
    '-',
    'foo OR',
    'rent AND',
    '(',
    'words:rent',
    '^rent',
    '\u0000',
    '%',
    'a'.repeat(10_000),
  ])('treats %j as text, without an error', async (contents) => {
    for (const path of await found(contents)) expect(path).toBe(`${HOME}/notes.md`);
  });

  it('finds nothing of other people, and respects the limit', async () => {
    await addMembersWithHomes(household, { bob: {} });
    const bob = await signInAs(household, 'bob');
    for (const name of ['one', 'two', 'three']) await bob.put({ path: `${HOME}/${name}.txt` }, 'rental of boats');
    await until(
      'rental',
      ['one', 'two', 'three'].map((name) => `${HOME}/${name}.txt`),
      { by: bob },
    );
    expect(await found('rental')).toEqual([`${HOME}/notes.md`]);
    const { body } = await bob.post('files/search', { path: HOME, contents: 'boats', limit: 2 });
    expect([body.data.files.length, body.data.meta.truncated]).toEqual([2, true]);
  });

  it('works without a name query', async () => {
    expect(await outcome(api.post('files/search', { path: HOME, contents: 'a', filename: 'b' }))).toEqual([
      400,
      'invalid_parameter',
    ]);
  });
});
