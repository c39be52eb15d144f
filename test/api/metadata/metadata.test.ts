import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { rowsOf } from '../../support/requests/activity.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';
import { openSharingHousehold, outcome, PEOPLE, type SharingHousehold } from '../../support/requests/sharing.ts';

let household: SharingHousehold;
let fields: Record<'text' | 'longtext' | 'number' | 'date' | 'choice' | 'choices' | 'stars', number>;
beforeAll(async () => {
  household = await openSharingHousehold();
  const rooms = ['Kitchen', 'Attic', 'Cellar'];
  fields = {
    text: await addField(household, { name: 'Where it is', kind: 'text' }),
    longtext: await addField(household, { name: 'Notes', kind: 'longtext' }),
    number: await addField(household, { name: 'Price', kind: 'number' }),
    date: await addField(household, { name: 'Bought', kind: 'date' }),
    choice: await addField(household, { name: 'Room', kind: 'choice', options: rooms }),
    choices: await addField(household, { name: 'Rooms', kind: 'choices', options: rooms }),
    stars: await addField(household, { name: 'Taste', kind: 'stars' }),
  };
});
afterAll(() => household.close());

const HOME = '/ROOT/HOME';
let box: string;
let file: string;
beforeEach(async () => {
  box = `${HOME}/${await household.newBox()}`;
  file = `${box}/a.txt`;
});

const olga = () => household.as('olga');
const done = async (operation: string, form: Record<string, string | number | readonly string[]>, api = olga()) => {
  const { status, text, body } = await api.post(operation, form as Record<string, string>);
  expect(status, text).toBe(200);
  return body.data;
};
const known = (path = file, api?: ApiClient) => done('files/metadata', { path }, api);
const set = (id: number, value: string | readonly string[], path = file) =>
  done('files/metadata/set', { path, [`fields[${id}]${Array.isArray(value) ? '[]' : ''}`]: value });
/** What the file has in a field. */
const has = async (id: number, path = file) =>
  (await known(path)).fieldsets
    .flatMap((one: { fields: { id: number; values: string[] }[] }) => one.fields)
    .find((one: { id: number }) => one.id === id)?.values;
const refused = async (operation: string, form: Record<string, string | number | readonly string[]>) => {
  const { status, body } = await olga().post(operation, { path: file, ...form } as Record<string, string>);
  return [status, body.code, body.details?.parameter];
};

describe('files/metadata', () => {
  it('returns the metadata of a file', async () => {
    const before = await known();
    expect(before).toEqual({
      path: file,
      filename: 'a.txt',
      uuid: expect.stringMatching(/^[0-9a-f-]{36}$/),
      size: expect.any(Number),
      mdate: expect.stringMatching(/Z$/),
      cdate: expect.stringMatching(/Z$/),
      type: 'text',
      mime: 'text/plain',
      fieldsets: [{ id: expect.any(Number), name: 'Ours', fields: expect.any(Array) }],
      tags: [],
      rating: null,
      label: null,
      etag: expect.stringMatching(/^"[0-9a-z-]+"$/),
      sha256: null,
    });
    expect(before.fieldsets[0].fields[0]).toEqual({ id: fields.text, name: 'Where it is', type: 'text', values: [] });
    await set(fields.text, ' Box 3 ');
    await done('files/label', { path: file, label: 'Urgent|#D33' });
    await done('files/rating', { path: file, rating: 4 });
    await done('files/tags/add', { path: file, 'tags[]': ['garden|#3a3', 'Plums'] });
    const after = await known();
    expect(after).toMatchObject({ rating: 4, label: 'Urgent|#d33' });
    expect(after.tags).toEqual([
      { text: 'garden', color: '#3a3' },
      { text: 'Plums', color: null },
    ]);
    expect(await has(fields.text)).toEqual(['Box 3']);
    await household.restart();
    for (const person of PEOPLE) await household.signInAgain(person);
    expect(await known()).toEqual(after);
  });

  it('returns those of a folder, too, and of a share under its alias', async () => {
    expect(await known(box)).toMatchObject({ type: 'folder', size: null, mime: null, path: box });
    const id = await household.share(box, { uid: household.ids.ben, alias: 'Theirs' });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    await done('files/tags/add', { path: box, 'tags[]': 'ours' });
    expect(await known(path, household.as('ben'))).toMatchObject({
      filename: 'Theirs',
      path,
      tags: [{ text: 'ours' }],
    });
  });

  it('refuses missing items, lists and homes', async () => {
    const ask = async (path: string, api = olga()) => outcome(await api.post('files/metadata', { path }));
    expect(await ask(`${box}/none.txt`)).toEqual([404, 'not_found']);
    expect(await ask('/STARRED')).toEqual([400, 'invalid_path']);
    expect(await ask(HOME)).toEqual([400, 'invalid_path']);
    expect(await ask(file, household.as('sam'))).toEqual([404, 'not_found']);
  });
});

describe('files/metadata/fields', () => {
  it('returns the types, sets and fields, and which of them are embedded', async () => {
    const { types, sets } = await done('files/metadata/fields', {});
    expect(types.map(({ name }: { name: string }) => name)).toEqual([
      'Everything',
      'Image',
      'Video',
      'Audio',
      'Document',
    ]);
    expect(sets.map(({ name }: { name: string }) => name)).toEqual(['Image', 'Video', 'Audio', 'Document', 'Ours']);
    const all = sets.flatMap((one: { fields: object[] }) => one.fields);
    expect(all).toContainEqual({ id: expect.any(Number), name: 'Camera', type: 'text', options: [], readonly: true });
    expect(all).toContainEqual({
      ...{ id: fields.choice, name: 'Room', type: 'choice', readonly: false },
      options: ['Kitchen', 'Attic', 'Cellar'],
    });
    // Tags and the like have operations of their own.
    expect(JSON.stringify(all)).not.toContain('Tags');
    expect(types[0].sets).toEqual([sets.at(-1).id]);
  });
});

describe('files/metadata/set', () => {
  it.each([
    ['text', 'Kürbis "x" <b>', 'Kürbis "x" <b>'],
    ['longtext', 'One\r\ntwo', 'One\ntwo'],
    ['number', '007.50', '7.5'],
    ['number', '-0', '0'],
    ['number', '+12', '12'],
    ['date', '2026-02-28', '2026-02-28'],
    ['date', '2026-02-28 18:00', '2026-02-28T18:00:00'],
    ['date', '2026-02-28T18:00:01+02:00', '2026-02-28T18:00:01+02:00'],
    ['choice', 'Attic', 'Attic'],
    ['stars', '5', '5'],
  ] as const)('accepts a %s: %j', async (kind, given, kept) => {
    await set(fields[kind], given);
    expect(await has(fields[kind])).toEqual([kept]);
    await set(fields[kind], '');
    expect(await has(fields[kind])).toEqual([]);
  });

  it('accepts several values of a multiple choice, in order, and replaces them', async () => {
    await set(fields.choices, ['Cellar', 'Attic', 'Cellar']);
    expect(await has(fields.choices)).toEqual(['Cellar', 'Attic']);
    await set(fields.choices, 'Kitchen');
    expect(await has(fields.choices)).toEqual(['Kitchen']);
    await set(fields.choices, '');
    expect(await has(fields.choices)).toEqual([]);
  });

  it.each([
    ['text', 'a\nb'],
    ['text', 'a\0b'],
    ['text', 'x'.repeat(501)],
    ['longtext', 'x'.repeat(10_001)],
    ['longtext', 'a\u0007b'],
    ['number', 'one'],
    ['number', '1e5'],
    ['number', '1,5'],
    ['number', '9'.repeat(16)],
    ['date', '2026-02-29'],
    ['date', '28.02.2026'],
    ['date', '2026-02-28T25:00'],
    ['choice', 'attic'],
    ['choice', 'Garage'],
    ['choices', 'Garage'],
    ['stars', '6'],
    ['stars', '-1'],
    ['stars', '2.5'],
  ] as const)('refuses a %s: %j', async (kind, given) => {
    const parameter = `fields[${fields[kind]}]`;
    expect(await refused('files/metadata/set', { [parameter]: given })).toEqual([400, 'invalid_parameter', parameter]);
    expect(await has(fields[kind])).toEqual([]);
  });

  it('changes nothing when one value is invalid', async () => {
    const form = { [`fields[${fields.text}]`]: 'Box 3', [`fields[${fields.number}]`]: 'many' };
    expect(await refused('files/metadata/set', form)).toEqual([400, 'invalid_parameter', `fields[${fields.number}]`]);
    expect(await has(fields.text)).toEqual([]);
  });

  it('refuses unknown and embedded fields, and several values for one', async () => {
    const { sets } = await done('files/metadata/fields', {});
    const camera = sets[0].fields.find(({ name }: { name: string }) => name === 'Camera').id;
    for (const key of ['999999', 'tag', '-', '0', String(camera)]) {
      expect(await refused('files/metadata/set', { [`fields[${key}]`]: 'x' }), key).toEqual([
        ...[400, 'invalid_parameter', `fields[${key}]`],
      ]);
    }
    const two = { [`fields[${fields.text}][]`]: ['a', 'b'] };
    expect(await refused('files/metadata/set', two)).toEqual([400, 'invalid_parameter', `fields[${fields.text}]`]);
    expect(await refused('files/metadata/set', {})).toEqual([400, 'missing_parameter', 'fields']);
    expect(await refused('files/metadata/set', { fields: 'x' })).toEqual([400, 'invalid_parameter', 'fields']);
  });

  it('accepts fields of a type only for files of that type', async () => {
    const { id: setId } = await household.control('metadata.sets.add', { name: 'Recipe' });
    const added = await household.control('metadata.fields.add', { setId, name: 'Serves', kind: 'number' });
    const serves = added.id as number;
    await household.control('metadata.types.add', { name: 'Recipes', extensions: ['.RCP'], setIds: [setId] });
    await household.put(`${box.slice(HOME.length + 1)}/cake.rcp`);
    const cake = `${box}/cake.rcp`;
    await set(serves, '4', cake);
    expect(await has(serves, cake)).toEqual(['4']);
    expect(await has(serves)).toBeUndefined();
    const name = `fields[${serves}]`;
    expect(await refused('files/metadata/set', { [name]: '4' })).toEqual([400, 'invalid_parameter', name]);
    // Under another name it is of another type, and still has it.
    await done('files/rename', { path: cake, newName: 'cake.txt' });
    expect(await has(serves, `${box}/cake.txt`)).toEqual(['4']);
    await set(serves, '', `${box}/cake.txt`);
    expect(await has(serves, `${box}/cake.txt`)).toBeUndefined();
  });
});

describe('marks', () => {
  it('set and remove a label', async () => {
    await done('files/label', { path: file, label: ' Später ' });
    expect((await known()).label).toBe('Später');
    await done('files/label', { path: file, label: 'Urgent|#dd3300' });
    expect((await known()).label).toBe('Urgent|#dd3300');
    await done('files/label', { path: file, label: '' });
    expect((await known()).label).toBeNull();
  });

  it('set and remove a rating; zero stars differ from no rating', async () => {
    await done('files/rating', { path: file, rating: 0 });
    expect((await known()).rating).toBe(0);
    await done('files/rating', { path: file, rating: '' });
    expect((await known()).rating).toBeNull();
  });

  it('add tags once, ignoring case, and remove them', async () => {
    await done('files/tags/add', { path: file, 'tags[]': ['Plums', 'garden'] });
    await done('files/tags/add', { path: file, 'tags[]': ['PLUMS|#123456', 'Garden', 'jam'] });
    expect((await known()).tags).toEqual([
      { text: 'Plums', color: '#123456' },
      { text: 'garden', color: null },
      { text: 'jam', color: null },
    ]);
    await done('files/tags/remove', { path: file, 'tags[]': ['plums', 'unheard of'] });
    await done('files/tags/remove', { path: file, tags: 'JAM' });
    expect((await known()).tags).toEqual([{ text: 'garden', color: null }]);
  });

  it('keep tags that are added concurrently', async () => {
    const names = Array.from({ length: 20 }, (_, index) => `tag ${index}`);
    await Promise.all(names.map((name) => done('files/tags/add', { path: file, 'tags[]': name })));
    const { tags } = await known();
    expect(tags.map(({ text }: { text: string }) => text).sort()).toEqual(names.sort());
  });

  it.each([
    ['files/label', { label: '|#d33' }, 'label'],
    ['files/label', { label: 'a|red' }, 'label'],
    ['files/label', { label: 'a|#d33|b' }, 'label'],
    ['files/label', { label: 'a\nb' }, 'label'],
    ['files/label', { label: 'x'.repeat(101) }, 'label'],
    ['files/rating', { rating: 6 }, 'rating'],
    ['files/rating', { rating: '-1' }, 'rating'],
    ['files/rating', { rating: '2.5' }, 'rating'],
    ['files/tags/add', { 'tags[]': ['ok', 'a\0b'] }, 'tags'],
    ['files/tags/add', { 'tags[]': '  ' }, 'tags'],
    ['files/tags/add', { 'tags[]': 'a|#12345' }, 'tags'],
    ['files/tags/add', { tags: '' }, 'tags'],
    ['files/tags/add', { 'tags[x]': 'a' }, 'tags'],
    ['files/tags/add', { 'tags[]': Array.from({ length: 101 }, (_, index) => `t${index}`) }, 'tags'],
    ['files/tags/remove', { tags: '' }, 'tags'],
  ])('%s refuses %j', async (operation, form, parameter) => {
    expect(await refused(operation, form as Record<string, string>)).toEqual([400, 'invalid_parameter', parameter]);
    expect(await known()).toMatchObject({ tags: [], rating: null, label: null });
  });

  it('are limited to a hundred tags per item', async () => {
    await done('files/tags/add', { path: file, 'tags[]': Array.from({ length: 99 }, (_, index) => `t${index}`) });
    expect(await refused('files/tags/add', { 'tags[]': ['a', 'b'] })).toEqual([400, 'invalid_parameter', 'tags']);
    await done('files/tags/add', { path: file, 'tags[]': ['a', 'T5'] });
    expect((await known()).tags.length).toBe(100);
  });
});

describe('the detail "label"', () => {
  const labels = async (form: Record<string, string | number>, operation = 'files/browse', api = olga()) =>
    Object.fromEntries(
      (await done(operation, { ...form, 'details[]': 'label' }, api)).files.map(
        ({ path, label }: { path: string; label?: string }) => [path, label],
      ),
    );

  it('is in every listing, for accounts that may read it', async () => {
    await done('files/label', { path: file, label: 'Urgent|#d33' });
    await done('files/label', { path: `${box}/sub`, label: 'Old' });
    expect(await labels({ path: box })).toEqual({ [`${box}/sub`]: 'Old', [file]: 'Urgent|#d33' });
    expect(await labels({ path: box, recursive: 1 })).toMatchObject({
      [`${box}/sub/b.txt`]: undefined,
      [file]: 'Urgent|#d33',
    });
    expect(await labels({ path: box, filename: 'a.txt' }, 'files/search')).toEqual({ [file]: 'Urgent|#d33' });
    await done('files/star', { path: file });
    expect((await labels({ path: '/STARRED' }))[file]).toBe('Urgent|#d33');
    const id = await household.share(box, { uid: household.ids.ben });
    const path = `/ROOT/${household.ids.olga}/${id}`;
    expect((await labels({ path }, 'files/browse', household.as('ben')))[`${path}/a.txt`]).toBe('Urgent|#d33');
    for (const username of ['ben', 'olga']) {
      await household.control('accounts.update', { username, permissions: { metadata: false } });
      expect((await labels({ path }, 'files/browse', household.as('ben')))[`${path}/a.txt`]).toBeUndefined();
      await household.control('accounts.update', { username, permissions: { metadata: true } });
    }
    const { trash_path: trashed } = await done('files/delete', { path: file });
    expect((await labels({ path: '/TRASH' }))[trashed]).toBe('Urgent|#d33');
  });
});

describe('a field that no longer applies to a file', () => {
  it('may be sent again unchanged, with the rest of a form', async () => {
    const { id: setId } = (await household.control('metadata.sets.add', { name: 'Garden' })) as { id: number };
    await household.control('metadata.types.add', { name: 'Seeds', extensions: ['seed'], setIds: [setId] });
    const { id: old } = (await household.control('metadata.fields.add', { setId, name: 'Serves', kind: 'text' })) as {
      id: number;
    };
    await done('files/rename', { path: file, newName: 'a.seed' });
    await set(old, 'four', `${box}/a.seed`);
    await done('files/rename', { path: `${box}/a.seed`, newName: 'a.txt' });
    await done('files/metadata/set', { path: file, [`fields[${old}]`]: 'four', [`fields[${fields.text}]`]: 'Box 3' });
    expect([await has(old), await has(fields.text)]).toEqual([['four'], ['Box 3']]);
    expect(await refused('files/metadata/set', { [`fields[${old}]`]: 'five' })).toEqual([
      ...[400, 'invalid_parameter', `fields[${old}]`],
    ]);
  });
});

describe('the detail "label" of a list with items from several folders', () => {
  it('depends on the share through which each item is reached', async () => {
    const other = `${HOME}/${await household.newBox()}`;
    for (const at of [box, other]) await done('files/label', { path: `${at}/a.txt`, label: 'Urgent' });
    const direct = await household.share(box, { uid: household.ids.sam });
    const first = await household.share(other, { uid: household.ids.ben, share: 1 });
    const handed = await done(
      'files/share',
      { path: `/ROOT/${household.ids.olga}/${first}`, uid: household.ids.sam },
      household.as('ben'),
    );
    const ways = [`/ROOT/${household.ids.olga}/${direct}/a.txt`, `/ROOT/${household.ids.ben}/${handed.shareid}/a.txt`];
    // What they may not read, nobody reads through them.
    await household.control('accounts.update', { username: 'ben', permissions: { metadata: false } });
    try {
      for (const order of [ways, ways.toReversed()]) {
        for (const path of order) await done('files/star', { path }, household.as('sam'));
        const { files } = await done('files/browse', { path: '/STARRED', 'details[]': 'label' }, household.as('sam'));
        const labels = new Map(files.map((one: { path: string; label?: string }) => [one.path, one.label]));
        expect(ways.map((path) => labels.get(path))).toEqual(['Urgent', undefined]);
        for (const path of order) await done('files/unstar', { path }, household.as('sam'));
      }
    } finally {
      await household.control('accounts.update', { username: 'ben', permissions: { metadata: true } });
    }
  });
});

describe('the activity log', () => {
  it('records who changed what of which file, without the value, and no unchanged requests', async () => {
    const id = await household.share(box, { uid: household.ids.ben, alter: 1 });
    const path = `/ROOT/${household.ids.olga}/${id}/a.txt`;
    const rows = await rowsOf(household, async () => {
      await set(fields.text, 'Box 3');
      await set(fields.text, 'Box 3');
      await done('files/label', { path: file, label: 'Urgent' });
      await done('files/rating', { path: file, rating: 3 });
      await done('files/tags/add', { path, 'tags[]': 'theirs' }, household.as('ben'));
      await done('files/tags/add', { path: file, 'tags[]': 'theirs' });
      await done('files/tags/remove', { path: file, 'tags[]': 'theirs' });
      await known();
    });
    expect(
      rows.map(({ kind, group, subject, username, details }) => [kind, group, username, subject, details]),
    ).toEqual([
      ['fields.changed', 'files', 'olga', file, { fields: ['Where it is'] }],
      ['label.changed', 'files', 'olga', file, {}],
      ['rating.changed', 'files', 'olga', file, {}],
      ['tags.changed', 'files', 'ben', path, { of: 'olga' }],
      ['tags.changed', 'files', 'olga', file, {}],
    ]);
  });
});
