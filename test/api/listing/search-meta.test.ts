import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sampled } from '../../support/forms.ts';
import type { ApiClient } from '../../support/requests/api-client.ts';
import { addField } from '../../support/requests/fields.ts';
import { openSharingHousehold, outcome, type SharingHousehold } from '../../support/requests/sharing.ts';

const HOME = '/ROOT/HOME';
const KINDS = ['text', 'longtext', 'number', 'date', 'choices'] as const;

let household: SharingHousehold;
let fields: Record<(typeof KINDS)[number], number>;
type Form = Record<string, string | number | readonly string[]>;

const olga = () => household.as('olga');
const done = async (operation: string, form: Form, api = olga()) => {
  const { status, text, body } = await api.post(operation, form as Record<string, string>);
  expect(status, text).toBe(200);
  return body.data;
};
/** Names of the hits. */
const find = async (form: Form, path = HOME, api?: ApiClient): Promise<string[]> =>
  (await done('files/search', { path, ...form }, api)).files
    .map(({ path: at }: { path: string }) => at.slice(path.length + 1))
    .sort();
const refusal = async (form: Form, api = olga()) => {
  const { status, body } = await api.post('files/search', { path: HOME, ...form } as Record<string, string>);
  return [status, body.code, body.details?.parameter ?? body.details?.permission ?? body.details?.scope];
};

beforeAll(async () => {
  household = await openSharingHousehold();
  const all: Record<string, number> = {};
  for (const kind of KINDS) {
    const options = kind === 'choices' ? ['Kitchen', 'Küche'] : [];
    all[kind] = await addField(household, { name: kind, kind, options });
  }
  fields = all as typeof fields;
  await household.put('a/pear.jpg', 'a/plum.pdf', 'a/deep/fig.txt', 'b/pear.txt', 'b/none.txt', 'b/cake.RCP');
  const put = async (name: string, tags: readonly string[], form: Form = {}) => {
    const path = `${HOME}/${name}`;
    if (tags.length > 0) await done('files/tags/add', { path, 'tags[]': tags });
    if (Object.keys(form).length > 0) await done('files/metadata/set', { path, ...form });
  };
  const on = (kind: keyof typeof fields, value: string) => ({ [`fields[${fields[kind]}]`]: value });
  await put('a/pear.jpg', ['Garten', 'Obst|#3a3'], { ...on('text', 'Box 3'), ...on('number', '12.50') });
  await put('a/plum.pdf', ['garten', 'Süß'], { ...on('date', '2026-07-03'), ...on('choices', 'Küche') });
  await put('a/deep/fig.txt', ['x'], { ...on('date', '2026-12-01T08:00:00'), ...on('number', '12') });
  await put('b/pear.txt', ['a%b_c', 'Straße'], { ...on('longtext', 'First line\nand the second') });
  await put('b', ['Garten']);
  await done('files/label', { path: `${HOME}/a/pear.jpg`, label: 'Urgent|#d33' });
  await done('files/rating', { path: `${HOME}/a/plum.pdf`, rating: 5 });
  await done('files/rating', { path: `${HOME}/a/pear.jpg`, rating: 0 });
  await done('files/comments/add', { path: `${HOME}/b/none.txt`, comment: 'Weniger Zucker, das nächste Mal' });
  await done('files/comments/add', { path: `${HOME}/b/none.txt`, comment: 'Ok' });
});
afterAll(() => household.close());

const meta = (key: string | number, ...keywords: string[]) => ({ [`meta[${key}][]`]: keywords });

describe('files/search with meta', () => {
  it.each([
    ['a whole tag', () => meta('tag', 'Garten'), ['a/pear.jpg', 'a/plum.pdf', 'b']],
    ['in any case', () => meta('tag', 'GARTEN'), ['a/pear.jpg', 'a/plum.pdf', 'b']],
    ['a part of one', () => meta('tag', 'arte'), ['a/pear.jpg', 'a/plum.pdf', 'b']],
    ['without its accents', () => meta('tag', 'suss'), ['a/plum.pdf']],
    ['two letters', () => meta('tag', 'bs'), ['a/pear.jpg']],
    ['one letter', () => meta('tag', 'X'), ['a/deep/fig.txt']],
    ['a letter with an accent', () => meta('tag', 'ü'), ['a/plum.pdf']],
    ['a tag as it is listed, with its color', () => meta('tag', 'Obst|#3a3'), ['a/pear.jpg']],
    ['a label', () => meta('label', 'urgent'), ['a/pear.jpg']],
    ['a label as it is listed', () => meta('label', 'Urgent|#d33'), ['a/pear.jpg']],
    ['a rating', () => meta('rating', '5'), ['a/plum.pdf']],
    ['a rating of no star', () => meta('rating', '0'), ['a/pear.jpg']],
    ['one of two ratings', () => meta('rating', '0', '5'), ['a/pear.jpg', 'a/plum.pdf']],
    ['a text', () => meta(fields.text, 'box'), ['a/pear.jpg']],
    ['a line of a long text', () => meta(fields.longtext, 'the SECOND'), ['b/pear.txt']],
    ['a number', () => meta(fields.number, '12'), ['a/deep/fig.txt']],
    ['a number written otherwise', () => meta(fields.number, '012.5'), ['a/pear.jpg']],
    ['a part of a number', () => meta(fields.number, '2'), []],
    ['a day', () => meta(fields.date, '2026-07-03'), ['a/plum.pdf']],
    ['a month', () => meta(fields.date, '2026-12'), ['a/deep/fig.txt']],
    ['a year', () => meta(fields.date, '2026'), ['a/deep/fig.txt', 'a/plum.pdf']],
    ['a time', () => meta(fields.date, '2026-12-01 08'), ['a/deep/fig.txt']],
    ['a part of a year', () => meta(fields.date, '202'), []],
    ['a choice', () => meta(fields.choices, 'kuche'), ['a/plum.pdf']],
    ['anything anywhere', () => meta('-', 'box'), ['a/pear.jpg']],
    ['a tag anywhere', () => meta('-', 'garten'), ['a/pear.jpg', 'a/plum.pdf', 'b']],
    ['a number anywhere', () => meta('-', '5'), ['a/plum.pdf']],
    ['a year anywhere', () => meta('-', '2026-07'), ['a/plum.pdf']],
    ['a comment', () => meta('comment', 'weniger ZUCKER'), ['b/none.txt']],
    ['a short comment', () => meta('comment', 'ok'), ['b/none.txt']],
    ['a comment anywhere else', () => meta('-', 'zucker'), []],
    ['one of several words', () => meta('tag', 'nichts', 'suss', 'obst'), ['a/pear.jpg', 'a/plum.pdf']],
    ['two criteria', () => ({ ...meta('tag', 'garten'), ...meta('rating', '5') }), ['a/plum.pdf']],
    ['a tag and a comment', () => ({ ...meta('tag', 'garten'), ...meta('comment', 'ok') }), []],
    ['a tag and a name', () => ({ ...meta('tag', 'garten'), filename: 'pear' }), ['a/pear.jpg']],
    ['a tag and a name of two letters', () => ({ ...meta('tag', 'garten'), filename: 'pe' }), ['a/pear.jpg']],
    ['a tag and a pattern', () => ({ ...meta('tag', 'garten'), filename: '*.pdf' }), ['a/plum.pdf']],
    ['a tag and a name no file can have', () => ({ ...meta('tag', 'garten'), filename: ' ' }), []],
    ['nothing that there is', () => meta('tag', 'nichts'), []],
  ] as const)('finds by %s', async (_what, form, hits) => {
    expect(await find(form())).toEqual([...hits].sort());
  });

  it('accepts one keyword without a list, JSON, and numbered keys', async () => {
    expect(await find({ 'meta[tag]': 'obst' })).toEqual(['a/pear.jpg']);
    expect(await find({ [`meta[${fields.text}]`]: 'Box 3', 'meta[tag][0]': 'obst' })).toEqual(['a/pear.jpg']);
    const sent = await olga().send('POST', '/api.php/files/search', {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ path: HOME, meta: { tag: ['obst'], [fields.number]: 12.5 } }),
    });
    expect(sent.body.data.files.map(({ filename }: { filename: string }) => filename)).toEqual(['pear.jpg']);
  });

  it('searches below the folder only, and returns the requested details', async () => {
    expect(await find(meta('tag', 'garten'), `${HOME}/a`)).toEqual(['pear.jpg', 'plum.pdf']);
    expect(await find(meta('tag', 'garten'), `${HOME}/b`)).toEqual([]);
    const { files, meta: head } = await done('files/search', {
      ...{ path: HOME, ...meta('tag', 'obst'), 'details[]': ['label', 'ext'] },
    });
    expect(files).toEqual([
      { filename: 'pear.jpg', is_dir: false, path: `${HOME}/a/pear.jpg`, label: 'Urgent|#d33', ext: 'jpg' },
    ]);
    expect(head).toMatchObject({ path: HOME, truncated: false });
  });

  it('reports that there are more hits than requested', async () => {
    const { files, meta: head } = await done('files/search', { path: HOME, ...meta('tag', 'garten'), limit: 2 });
    expect([files.length, head.truncated]).toEqual([2, true]);
  });

  it('finds changes at once', async () => {
    const path = `${HOME}/b/none.txt`;
    await done('files/tags/add', { path, 'tags[]': 'brand-new' });
    expect(await find(meta('tag', 'nd-ne'))).toEqual(['b/none.txt']);
    await done('files/tags/remove', { path, 'tags[]': 'brand-new' });
    expect(await find(meta('tag', 'nd-ne'))).toEqual([]);
  });
});

describe('files/search with metatype', () => {
  const typeId = async (name: string): Promise<number> =>
    (await done('files/metadata/fields', {})).types.find((type: { name: string }) => type.name === name).id;

  it('finds the files of a type, alone and with other criteria', async () => {
    await household.control('metadata.types.add', { name: 'Recipes', extensions: ['rcp'] });
    await household.control('metadata.types.add', { name: 'C', extensions: ['c', 'txt'] });
    expect(await find({ metatype: await typeId('Image') })).toEqual(['a/pear.jpg']);
    expect(await find({ metatype: await typeId('Document') })).toEqual(['a/plum.pdf']);
    expect(await find({ metatype: await typeId('Audio') })).toEqual([]);
    expect(await find({ metatype: await typeId('Recipes') })).toEqual(['b/cake.RCP']);
    expect(await find({ metatype: await typeId('C') })).toEqual(['a/deep/fig.txt', 'b/none.txt', 'b/pear.txt']);
    expect((await find({ metatype: await typeId('Everything') })).length).toBe(9);
    expect(await find({ metatype: await typeId('Everything') }, `${HOME}/a/deep`)).toEqual(['fig.txt']);
    expect(await find({ metatype: await typeId('Image'), filename: 'pear' })).toEqual(['a/pear.jpg']);
    expect(await find({ metatype: await typeId('Document'), ...meta('tag', 'garten') })).toEqual(['a/plum.pdf']);
  });

  it('refuses an unknown type, and values that are not numbers', async () => {
    expect(await refusal({ metatype: 99_999 })).toEqual([400, 'invalid_parameter', 'metatype']);
    expect(await refusal({ metatype: 'image' })).toEqual([400, 'invalid_parameter', 'metatype']);
    expect(await refusal({ metatype: 0 })).toEqual([400, 'invalid_parameter', 'metatype']);
  });
});

describe('files/search refuses', () => {
  it.each([
    ['contents with a tag', { contents: 'x', 'meta[tag][]': 'x' }, 'invalid_parameter', 'contents'],
    ['contents with a type', { contents: 'x', metatype: 2 }, 'invalid_parameter', 'contents'],
    ['nothing at all', {}, 'missing_parameter', 'filename'],
    ['a key that asks for nothing', { 'meta[tag][]': '  ' }, 'missing_parameter', 'filename'],
    ['an empty meta', { meta: '' }, 'missing_parameter', 'filename'],
    ['a key that is no field', { 'meta[tags][]': 'x' }, 'invalid_parameter', 'meta[tags]'],
    ['an id that is no field', { 'meta[99999][]': 'x' }, 'invalid_parameter', 'meta[99999]'],
    ['an id of another kind', { 'meta[1.5][]': 'x' }, 'invalid_parameter', 'meta[1.5]'],
    ['meta without keys', { meta: 'x' }, 'invalid_parameter', 'meta'],
    ['keywords within keywords', { 'meta[tag][a][b]': 'x' }, 'invalid_parameter', 'meta'],
  ])('%s', async (_what, form, code, parameter) => {
    expect(await refusal(form)).toEqual([400, code, parameter]);
  });

  it('too many keys and keywords', async () => {
    const many = Array.from({ length: 101 }, (_, index) => `word ${index}`);
    expect(await refusal(meta('tag', ...many))).toEqual([400, 'invalid_parameter', 'meta[tag]']);
    expect(await find(meta('tag', ...many.slice(1)))).toEqual([]);
    const keys = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`meta[${index + 1}][]`, 'x']));
    expect(await refusal(keys)).toEqual([400, 'invalid_parameter', 'meta']);
  });
});

describe('permissions of searches', () => {
  it('reading fields requires the scope "metadata"', async () => {
    const token = async (scope: string) => {
      const reply = await household.api.token({
        ...{ grant_type: 'password', username: 'olga', password: 'correct horse battery', scope },
        ...{ client_id: household.clientId, client_secret: household.clientSecret },
      });
      return household.api.with(String(reply.body.access_token));
    };
    const list = await token('list');
    expect(await refusal(meta('tag', 'garten'), list)).toEqual([403, 'insufficient_scope', 'metadata']);
    expect(await refusal({ ...meta('-', 'garten'), filename: 'pear' }, list)).toEqual([
      ...[403, 'insufficient_scope', 'metadata'],
    ]);
    expect(await find({ metatype: 2 }, HOME, list)).toEqual(['a/pear.jpg']);
    expect(await find(meta('tag', 'obst'), HOME, await token('list metadata'))).toEqual(['a/pear.jpg']);
    expect(await refusal(meta('tag', 'obst'), await token('metadata'))).toEqual([403, 'insufficient_scope', 'list']);
  });

  it('in a share depend on the permissions of its grantors', async () => {
    const id = await household.share(`${HOME}/a`, { uid: household.ids.ben, read_comments: 0 });
    const ben = household.as('ben');
    const path = `/ROOT/${household.ids.olga}/${id}`;
    expect(await find(meta('tag', 'garten'), path, ben)).toEqual(['pear.jpg', 'plum.pdf']);
    expect(await find(meta('tag', 'garten'), HOME, ben)).toEqual([]);
    expect(await refusal({ path, ...meta('comment', 'ok') }, ben)).toEqual([403, 'permission_denied', 'read_comments']);
    expect(outcome(await household.as('sam').post('files/search', { path, 'meta[tag][]': 'garten' }))).toEqual([
      ...[404, 'not_found'],
    ]);
    await household.control('accounts.update', { username: 'olga', permissions: { metadata: false } });
    expect(await refusal({ path, ...meta('tag', 'garten') }, ben)).toEqual([403, 'permission_denied', 'metadata']);
    await household.control('accounts.update', { username: 'olga', permissions: { metadata: true } });
  });

  it('in an anonymous share do not reveal the sharer', async () => {
    const id = await household.share(`${HOME}/a`, { uid: household.ids.gil, anonymous: 1 });
    const reply = await household.as('gil').post('files/search', { path: `/ROOT/0/${id}`, 'meta[tag][]': 'garten' });
    expect(reply.body.data.files.length).toBe(2);
    expect(reply.text.toLowerCase()).not.toContain('olga');
    const known = await household.as('gil').post('files/metadata', { path: `/ROOT/0/${id}/pear.jpg` });
    expect(known.status).toBe(200);
    expect(known.text.toLowerCase()).not.toContain('olga');
  });
});

describe('hostile keywords and tags', () => {
  const NASTY = [
    ...[
      '"',
      '""',
      `a" OR "b`,
      '*',
      'a*',
      'NEAR(a b)',
      'NEAR("a" "b", 2)',
      '-a',
      '^a',
      'fold : a',
      '{fold}: x',
      '%',
      '_',
      '%%%',
    ],
    ...[
      'a%b_c',
      "'; DROP TABLE items; --",
      "' OR 1=1 --",
      '\\',
      '\\"',
      '?',
      '?1',
      ':a',
      '@a',
      '$a',
      '\u202eabc',
      '🍐🍐🍐',
      'ＡＢＣ',
    ],
    ...['AND', 'OR NOT', '(((', ')))', '[a-z]', '..', '../..', '<script>', '&amp;', 'ﬁsh', 'İstanbul'],
  ];

  it.each(sampled(NASTY, 10))('%j is treated as text, as tag and as keyword', async (text) => {
    const path = `${HOME}/b/none.txt`;
    await done('files/tags/add', { path, 'tags[]': text });
    expect(await find(meta('tag', text))).toContain('b/none.txt');
    expect(await find(meta('-', text))).toContain('b/none.txt');
    expect(await find({ ...meta('tag', text), filename: 'none' })).toEqual(['b/none.txt']);
    await done('files/tags/remove', { path, 'tags[]': text });
    expect(await find({ ...meta('tag', text), filename: 'none' })).toEqual([]);
    expect((await done('files/metadata', { path })).tags).toEqual([]);
  });

  it.each(['a\0b', '\0', 'Gar\0ten', 'x'.repeat(5_000), '\u0007'])('%j finds nothing', async (text) => {
    expect(await find(meta('tag', text))).toEqual([]);
    expect(await find(meta('-', text))).toEqual([]);
    expect(await find(meta('comment', text))).toEqual([]);
    expect(await find(meta(fields.number, text))).toEqual([]);
    expect(await find(meta(fields.date, text))).toEqual([]);
  });

  it.each([
    "tag'",
    'tag"',
    'tag) OR (1=1',
    '__proto__',
    'constructor',
    'toString',
    '-1',
    '1e3',
    ' tag',
    'tag\0',
    '1;2',
  ])('refuses the key %j', async (key) => {
    const { status, body } = await olga().send('POST', '/api.php/files/search', {
      headers: { 'content-type': 'application/json' },
      body: `{"path": "${HOME}", "filename": "pear", "meta": {${JSON.stringify(key)}: ["x"]}}`,
    });
    // One that JSON makes no property of its own is none.
    expect([status, body.code]).toEqual([400, 'invalid_parameter']);
  });

  it('change nothing', async () => {
    expect(await find(meta('tag', 'garten'))).toEqual(['a/pear.jpg', 'a/plum.pdf', 'b']);
    expect(await household.control('doctor')).toMatchObject({ ok: true });
  });
});
