import { readdir, writeFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { SHARE_FLAGS, type ShareFlag } from '../../../dist/server/shares/share-record.js';
import { buildZip } from '../../support/content/build-zip.ts';
import { DRAWING } from '../../support/content/drawing.ts';
import { homeOf } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';
import { openSharingHousehold, outcome, type SharingHousehold, signInAsGuest } from '../../support/requests/sharing.ts';
import { ANYBODYS, HOME, ROWS, type Row, twice } from './sharing-rows.ts';

let household: SharingHousehold;
let guestLink: string;
let gran: ApiClient;
beforeAll(async () => {
  household = await openSharingHousehold();
  await addField(household);
  await household.put('first/');
  const guest = { path: `${HOME}/first`, name: 'Gran', email: 'gran@example.net' };
  guestLink = (await household.as('olga').post('files/share', guest)).body.data.guest.link;
  gran = await signInAsGuest(household, guestLink);
  for (const name of ['ben', 'gil'] as const)
    await household.as(name).post('files/createfolder', { path: HOME, name: 'to' });
});
afterAll(() => household.close());

const packed = buildZip([{ name: 'packed.txt', content: 'packed' }]);
let count = 0;

/** A folder of Olga's with something of everything in it. */
async function newBox(before: Row['before']): Promise<string> {
  count += 1;
  const box = `box${count}`;
  await household.put(`${box}/a.txt`, `${box}/sub/b.txt`);
  await writeFile(household.at(`${box}/packed.zip`), packed);
  await writeFile(household.at(`${box}/drawing.svg`), DRAWING);
  const at = (name: string) => [HOME, box, name].filter((part) => part !== '').join('/');
  await before?.(household.as('olga'), at);
  return box;
}

type Recipient = 'ben' | 'gil' | 'gran';
const api = (person: Recipient) => (person === 'gran' ? gran : household.as(person));

async function tryIt(row: Row, person: Recipient, flags: readonly ShareFlag[]): Promise<{ reply: Reply; box: string }> {
  const box = await newBox(row.before);
  const to = {
    ben: { uid: household.ids.ben },
    gil: { gid: household.family },
    gran: { name: 'Gran', email: 'gran@example.net' },
  }[person];
  const given = Object.fromEntries(SHARE_FLAGS.map((flag) => [flag, flags.includes(flag) ? 1 : 0]));
  const id = await household.share(`${HOME}/${box}`, { ...to, ...given });
  const base = `/ROOT/${household.ids.olga}/${id}`;
  return { reply: await row.call(api(person), (name) => (name === '' ? base : `${base}/${name}`)), box };
}

/** What is needed and no more; all but one that is needed, each; all where nothing is enough; and none. */
function combinations(needs: Row['needs']): (readonly ShareFlag[])[] {
  if (needs === 'owner') return [SHARE_FLAGS, []];
  return [needs, ...needs.map((flag) => SHARE_FLAGS.filter((one) => one !== flag)), []];
}

const NAMED = ROWS.map((row) => [row.of, row.what, row] as const);

it('the table contains exactly the declared operations on files', async () => {
  const { body } = await household.api.send('GET', '/api.php/openapi.json');
  const declared = Object.keys(body.paths).filter((name) => /^\/(?:files|albums|imports)\//.test(name));
  expect([...new Set([...ROWS.map(({ of }) => of), ...ANYBODYS])].map((name) => `/${name}`).sort()).toEqual(
    declared.sort(),
  );
});

describe.each(NAMED)('%s, %s', (_of, _what, row) => {
  const { needs } = row;

  async function expectFor(person: Recipient, flags: readonly ShareFlag[]): Promise<void> {
    const { reply, box } = await tryIt(row, person, flags);
    const isAllowed = needs !== 'owner' && needs.every((flag) => flags.includes(flag));
    const label = `${person} with ${flags.join(' ') || 'nothing'}: ${reply.text.slice(0, 200)}`;
    if (person === 'gran' && row.notForGuests) return expect(reply.status, label).toBe(403);
    if (person === 'gran' && row.takesHome) {
      expect([403, 404], label).toContain(reply.status);
      return;
    }
    if (isAllowed) return expect(reply.status, label).toBeLessThan(300);
    expect(outcome(reply), label).toEqual([403, 'permission_denied']);
    const missing = needs === 'owner' ? ['owner'] : needs.filter((flag) => !flags.includes(flag));
    expect(missing, label).toContain(reply.body.details.permission);
    // Nothing happened.
    const there = ['a.txt', 'drawing.svg', 'packed.zip', 'sub', ...(row.before === twice ? ['old.txt'] : [])];
    expect((await readdir(household.at(box))).sort(), label).toEqual(there.sort());
  }

  it('a recipient: with the required rights and without each of them', async () => {
    for (const flags of combinations(needs)) await expectFor('ben', flags);
  });

  it('a member of a group, and a guest', async () => {
    for (const person of ['gil', 'gran'] as const) {
      for (const flags of [SHARE_FLAGS, []]) await expectFor(person, flags);
    }
  });

  it('the owner always; others never', async () => {
    const box = await newBox(row.before);
    const id = await household.share(`${HOME}/${box}`, {
      uid: household.ids.ben,
      ...Object.fromEntries(SHARE_FLAGS.map((flag) => [flag, 1])),
    });
    const base = `/ROOT/${household.ids.olga}/${id}`;
    const sam = await row.call(household.as('sam'), (name) => (name === '' ? base : `${base}/${name}`));
    expect(outcome(sam)).toEqual([404, 'not_found']);
    await household.as('olga').post('files/createfolder', { path: HOME, name: 'to' });
    const own = await row.call(household.as('olga'), (name) =>
      [HOME, box, name].filter((part) => part !== '').join('/'),
    );
    expect(own.status, own.text).toBeLessThan(300);
  });
});

it('no operation changes the homes of others', async () => {
  expect(
    (await readdir(homeOf(household, 'sam'))).filter((name) => !name.startsWith('.') && name !== 'own.txt'),
  ).toEqual([]);
});
