import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { activityOf } from '../support/requests/activity.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

interface Defined {
  readonly types: { id: number; name: string; system: boolean; extensions: string[]; setIds: number[] }[];
  readonly sets: {
    id: number;
    name: string;
    system: boolean;
    fields: { id: number; name: string; system: boolean }[];
  }[];
}

let household: Household;
let api: ApiClient;
beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  await api.put({ path: '/ROOT/HOME/a.txt' }, 'one');
  await api.put({ path: '/ROOT/HOME/b.txt' }, 'two');
});
afterAll(() => household.close());

const list = async () => (await household.control('metadata.list')) as unknown as Defined;
const control = async (method: string, input: object) => (await household.control(method, input)) as { id: number };
const refused = (method: string, input: object) =>
  household.control(method, input).then(
    (result) => ({ result }),
    ({ code, field }) => [code, field],
  );
const typeNamed = async (name: string) => (await list()).types.find((type) => type.name === name);
const setNamed = async (name: string) => (await list()).sets.find((set) => set.name === name);
/** A set of every file, with a field in it. */
async function newField(name: string, kind: string, options?: readonly string[]) {
  const everything = (await typeNamed('Everything'))?.id ?? 0;
  const set = await control('metadata.sets.add', { name: `Set of ${name}`, typeIds: [everything] });
  const given = options === undefined ? {} : { options };
  const field = await control('metadata.fields.add', { setId: set.id, name, kind, ...given });
  return { set: set.id, field: field.id };
}
const fill = async (name: string, field: number, ...values: string[]) => {
  const form = { path: `/ROOT/HOME/${name}`, [`fields[${field}]${values.length > 1 ? '[]' : ''}`]: values };
  const { status, text } = await api.post('files/metadata/set', form as never);
  expect(status, text).toBe(200);
};
const search = async (key: string | number, keyword: string): Promise<string[]> => {
  const { body, status, text } = await api.post('files/search', { path: '/ROOT/HOME', [`meta[${key}][]`]: keyword });
  expect(status, text).toBe(200);
  return body.data.files.map(({ filename }: { filename: string }) => filename).sort();
};

describe('metadata.list', () => {
  it('has what is there from the start, and not the marks', async () => {
    const { types, sets } = await list();
    expect(types.map(({ name, system }) => [name, system])).toEqual(
      ['Everything', 'Image', 'Video', 'Audio', 'Document'].map((name) => [name, true]),
    );
    expect(sets.map(({ name }) => name)).toEqual(['Image', 'Video', 'Audio', 'Document']);
    expect(sets.every(({ system, fields }) => system && fields.every((field) => field.system))).toBe(true);
  });
});

describe('types', () => {
  it('are added, changed and removed, and stay over a restart', async () => {
    const set = await control('metadata.sets.add', { name: 'Scan' });
    const input = { name: ' Scans ', extensions: ['.TIF', 'tif', '*.djvu'], setIds: [set.id, set.id] };
    const added = await control('metadata.types.add', input);
    expect(added).toEqual({
      ...{ id: expect.any(Number), name: 'Scans', system: false, extensions: ['tif', 'djvu'] },
      setIds: [set.id],
    });
    await household.restart();
    api = await household.signIn();
    expect(await typeNamed('Scans')).toEqual(added);
    const changes = { id: added.id, name: 'Old scans', extensions: ['djvu'], setIds: [] };
    expect(await control('metadata.types.update', changes)).toEqual({ ...added, ...changes });
    expect(await control('metadata.types.update', { id: added.id })).toEqual({ ...added, ...changes });
    expect(await control('metadata.types.remove', { id: added.id })).toEqual({ id: added.id });
    expect(await typeNamed('Old scans')).toBeUndefined();
    expect(await refused('metadata.types.remove', { id: added.id })).toEqual(['invalid_input', 'id']);
  });

  it('from the start take sets of the owner’s, and keep their own', async () => {
    const image = await typeNamed('Image');
    const set = await control('metadata.sets.add', { name: 'Album' });
    const setIds = [...(image?.setIds ?? []), set.id];
    expect(await control('metadata.types.update', { id: image?.id, setIds: [set.id] })).toMatchObject({ setIds });
    expect(await control('metadata.types.update', { id: image?.id, setIds })).toMatchObject({ setIds });
    expect(await control('metadata.types.update', { id: image?.id, setIds: [] })).toEqual(image);
    const other = (await setNamed('Audio'))?.id;
    expect(await refused('metadata.types.update', { id: image?.id, setIds: [other] })).toEqual([
      ...['invalid_input', 'setIds'],
    ]);
    expect(await refused('metadata.types.update', { id: image?.id, name: 'x' })).toEqual(['invalid_input', 'id']);
    expect(await refused('metadata.types.update', { id: image?.id, extensions: ['x'] })).toEqual([
      ...['invalid_input', 'id'],
    ]);
    expect(await refused('metadata.types.remove', { id: image?.id })).toEqual(['invalid_input', 'id']);
    expect(await typeNamed('Image')).toEqual(image);
  });

  it.each([
    [{ name: '', extensions: ['x'] }, 'name'],
    [{ name: 'image', extensions: ['x'] }, 'name'],
    [{ name: 'a\nb', extensions: ['x'] }, 'name'],
    [{ name: 'x'.repeat(101), extensions: ['x'] }, 'name'],
    [{ name: 'New', extensions: [] }, 'extensions'],
    [{ name: 'New', extensions: [''] }, 'extensions'],
    [{ name: 'New', extensions: ['tar.gz'] }, 'extensions'],
    [{ name: 'New', extensions: ['a b'] }, 'extensions'],
    [{ name: 'New', extensions: ["x'"] }, 'extensions'],
    [{ name: 'New', extensions: Array.from({ length: 101 }, (_, index) => `x${index}`) }, 'extensions'],
    [{ name: 'New', extensions: ['x'], setIds: [99_999] }, 'setIds'],
    [{ name: 'New', extensions: ['x'], setIds: ['1'] }, 'setIds.0'],
  ])('are refused: %j', async (input, field) => {
    const before = await list();
    expect(await refused('metadata.types.add', input)).toEqual(['invalid_input', field]);
    expect(await list()).toEqual(before);
  });
});

describe('sets and fields', () => {
  it('are added, renamed and removed, and say how much went with them', async () => {
    const { set, field } = await newField('Shelf', 'text');
    expect(await control('metadata.sets.update', { id: set, name: 'Library' })).toMatchObject({
      ...{ id: set, name: 'Library', system: false },
      fields: [{ id: field, name: 'Shelf', kind: 'text', options: [], system: false }],
    });
    expect(await control('metadata.fields.update', { id: field, name: 'Shelf, row' })).toMatchObject({
      name: 'Shelf, row',
    });
    const second = await control('metadata.fields.add', { setId: set, name: 'Owner', kind: 'text' });
    await fill('a.txt', field, 'Top');
    await fill('b.txt', field, 'Top');
    await fill('b.txt', second.id, 'Ann');
    expect(await search(field, 'top')).toEqual(['a.txt', 'b.txt']);
    expect(await control('metadata.fields.remove', { id: field })).toEqual({ id: field, values: 2 });
    expect(await search('-', 'top')).toEqual([]);
    expect(await search('-', 'ann')).toEqual(['b.txt']);
    expect(await control('metadata.sets.remove', { id: set })).toEqual({ id: set, fields: 1, values: 1 });
    expect(await search('-', 'ann')).toEqual([]);
    expect(await setNamed('Library')).toBeUndefined();
    // Ids are never given again.
    const next = await newField('Next', 'text');
    expect(next.field).toBeGreaterThan(second.id);
  });

  it('change what they take only where everything fits', async () => {
    const { field } = await newField('Number', 'text');
    await fill('a.txt', field, '12');
    await fill('b.txt', field, 'Twelve');
    const change = (changes: object) => control('metadata.fields.update', { id: field, ...changes });
    expect(await refused('metadata.fields.update', { id: field, kind: 'number' })).toEqual(['invalid_input', 'kind']);
    expect(await refused('metadata.fields.update', { id: field, kind: 'choice', options: ['12'] })).toEqual([
      ...['invalid_input', 'options'],
    ]);
    expect(await refused('metadata.fields.update', { id: field, kind: 'choice' })).toEqual([
      ...['invalid_input', 'options'],
    ]);
    expect(await change({ kind: 'choices', options: ['12', 'Twelve'] })).toMatchObject({ options: ['12', 'Twelve'] });
    await fill('a.txt', field, 'Twelve', '12');
    expect(await refused('metadata.fields.update', { id: field, kind: 'text' })).toEqual(['invalid_input', 'kind']);
    expect(await refused('metadata.fields.update', { id: field, options: ['12'] })).toEqual([
      'invalid_input',
      'options',
    ]);
    await fill('a.txt', field, '12');
    await fill('b.txt', field, '12');
    expect(await change({ kind: 'number' })).toMatchObject({ kind: 'number', options: [] });
    // A number is found as a whole, a text in parts.
    expect([await search(field, '1'), await search(field, '12.0')]).toEqual([[], ['a.txt', 'b.txt']]);
    expect(await change({ kind: 'text' })).toMatchObject({ kind: 'text' });
    expect(await search(field, '1')).toEqual(['a.txt', 'b.txt']);
    expect(await control('metadata.fields.remove', { id: field })).toEqual({ id: field, values: 2 });
  });

  it.each([
    ['metadata.sets.add', { name: 'Image' }, 'name'],
    ['metadata.sets.add', { name: 'New', typeIds: [99_999] }, 'typeIds'],
    ['metadata.sets.update', { id: 99_999, name: 'x' }, 'id'],
    ['metadata.sets.update', { id: 1, name: 'x' }, 'id'],
    ['metadata.sets.remove', { id: 1 }, 'id'],
    ['metadata.sets.remove', { id: 99_999 }, 'id'],
    ['metadata.fields.add', { setId: 1, name: 'x', kind: 'text' }, 'setId'],
    ['metadata.fields.add', { setId: 99_999, name: 'x', kind: 'text' }, 'setId'],
    ['metadata.fields.add', { setId: 1, name: 'x', kind: 'blob' }, 'kind'],
    ['metadata.fields.update', { id: 1, name: 'x' }, 'id'],
    ['metadata.fields.remove', { id: 1 }, 'id'],
    ['metadata.fields.remove', { id: 99_999 }, 'id'],
  ])('%s refuses %j', async (method, input, field) => {
    const before = await list();
    expect(await refused(method, input)).toEqual(['invalid_input', field]);
    expect(await list()).toEqual(before);
  });

  it.each([
    [{ name: 'Color', kind: 'choice' }, 'options'],
    [{ name: 'Color', kind: 'choice', options: [] }, 'options'],
    [{ name: 'Color', kind: 'choices', options: ['a', ' '] }, 'options'],
    [{ name: 'Color', kind: 'choice', options: ['x'.repeat(101)] }, 'options'],
    [{ name: 'Color', kind: 'choice', options: ['a\nb'] }, 'options'],
    [{ name: 'Color', kind: 'text', options: ['a'] }, 'options'],
    [{ name: 'there', kind: 'text' }, 'name'],
  ])('metadata.fields.add refuses %j', async (input, field) => {
    const set = (await setNamed('Strict')) ?? (await control('metadata.sets.add', { name: 'Strict' }));
    if ((await setNamed('Strict'))?.fields.length === 0) {
      await control('metadata.fields.add', { setId: set.id, name: 'There', kind: 'stars' });
    }
    expect(await refused('metadata.fields.add', { setId: set.id, ...input })).toEqual(['invalid_input', field]);
    expect((await setNamed('Strict'))?.fields.map(({ name }) => name)).toEqual(['There']);
  });
});

it('is told to apps at once, and stands in the log', async () => {
  const { set, field } = await newField('Logged', 'text');
  const { body } = await api.get('files/metadata/fields');
  expect(body.data.sets.at(-1)).toMatchObject({ id: set, fields: [{ id: field, name: 'Logged', readonly: false }] });
  await fill('a.txt', field, 'x');
  await control('metadata.fields.update', { id: field, name: 'Told' });
  await control('metadata.sets.remove', { id: set });
  const { entries } = await activityOf(household, { limit: 4, group: 'system' });
  expect(entries.map(({ kind, subject, channel, details }) => [kind, subject, channel, details]).reverse()).toEqual([
    ['field-set.added', 'Set of Logged', 'control', {}],
    ['field.added', 'Logged', 'control', {}],
    ['field.changed', 'Told', 'control', {}],
    ['field-set.removed', 'Set of Logged', 'control', { fields: 1, values: 1 }],
  ]);
});
