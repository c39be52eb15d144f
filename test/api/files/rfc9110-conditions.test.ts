import { randomBytes } from 'node:crypto';
import { readdir, readFile, rm, utimes } from 'node:fs/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DRAWING } from '../../support/content/drawing.ts';
import { sampled } from '../../support/forms.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { encodedForm } from '../../support/requests/forms.ts';
import { openSharingHousehold, type SharingHousehold } from '../../support/requests/sharing.ts';
import { WRITES } from '../../support/requests/writers.ts';

let household: SharingHousehold;
let api: ApiClient;
let box = '';
let path = '';
/** The tag of the file, and a tag that it had before. */
let tag = '';
let old = '';

/** When the file was changed, in seconds since the epoch. */
const CHANGED = 1_700_000_000;
const at = (seconds: number) => new Date(seconds * 1_000).toUTCString();
const tagOf = async () => String((await api.get('files/download', { path })).headers.etag);

beforeAll(async () => {
  household = await openSharingHousehold();
  api = household.as('olga');
});
afterAll(() => household.close());
beforeEach(async () => {
  box = await household.newBox();
  path = `/ROOT/HOME/${box}/note.txt`;
  await api.put({ path }, 'before');
  old = await tagOf();
  await api.put({ path }, 'present');
  await utimes(household.at(`${box}/note.txt`), CHANGED, CHANGED);
  tag = await tagOf();
});

type Headers = Readonly<Record<string, string>>;
interface Row {
  readonly section: string;
  readonly what: string;
  readonly headers: () => Headers;
  /** Whether the request is done, for a file and for a name without one. */
  readonly exists: boolean;
  readonly missing: boolean;
}

/** RFC 9110 §13.1 and §13.2.2, for requests that change something: typed by hand. */
const TABLE: readonly Row[] = [
  { section: '13.1.1', what: 'If-Match: *', headers: () => ({ 'if-match': '*' }), exists: true, missing: false },
  {
    section: '13.1.1',
    what: 'If-Match with the tag',
    headers: () => ({ 'if-match': tag }),
    exists: true,
    missing: false,
  },
  {
    section: '13.1.1',
    what: 'If-Match with a list',
    headers: () => ({ 'if-match': `"a,b" ,, ${tag}` }),
    exists: true,
    missing: false,
  },
  {
    section: '13.1.1',
    what: 'If-Match with another tag',
    headers: () => ({ 'if-match': old }),
    exists: false,
    missing: false,
  },
  {
    section: '13.1.1',
    what: 'If-Match with a weak tag',
    headers: () => ({ 'if-match': `W/${tag}` }),
    exists: false,
    missing: false,
  },
  {
    section: '13.1.2',
    what: 'If-None-Match: *',
    headers: () => ({ 'if-none-match': '*' }),
    exists: false,
    missing: true,
  },
  {
    section: '13.1.2',
    what: 'If-None-Match with the tag',
    headers: () => ({ 'if-none-match': tag }),
    exists: false,
    missing: true,
  },
  {
    section: '13.1.2',
    what: 'If-None-Match with the tag as a weak one',
    headers: () => ({ 'if-none-match': `W/${tag}` }),
    exists: false,
    missing: true,
  },
  {
    section: '13.1.2',
    what: 'If-None-Match with another tag',
    headers: () => ({ 'if-none-match': old }),
    exists: true,
    missing: true,
  },
  {
    section: '13.1.3',
    what: 'If-Modified-Since after the change',
    headers: () => ({ 'if-modified-since': at(CHANGED + 1) }),
    exists: true,
    missing: true,
  },
  {
    section: '13.1.3',
    what: 'If-Modified-Since before the change',
    headers: () => ({ 'if-modified-since': at(CHANGED - 1) }),
    exists: true,
    missing: true,
  },
  {
    section: '13.1.4',
    what: 'If-Unmodified-Since before the change',
    headers: () => ({ 'if-unmodified-since': at(CHANGED - 1) }),
    exists: false,
    missing: true,
  },
  {
    section: '13.1.4',
    what: 'If-Unmodified-Since at the change',
    headers: () => ({ 'if-unmodified-since': at(CHANGED) }),
    exists: true,
    missing: true,
  },
  {
    section: '13.1.4',
    what: 'If-Unmodified-Since in the format of RFC 850',
    headers: () => ({ 'if-unmodified-since': 'Sunday, 06-Nov-94 08:49:37 GMT' }),
    exists: false,
    missing: true,
  },
  {
    section: '13.1.4',
    what: 'If-Unmodified-Since in the format of asctime',
    headers: () => ({ 'if-unmodified-since': 'Sun Nov  6 08:49:37 1994' }),
    exists: false,
    missing: true,
  },
  {
    section: '13.1.4',
    what: 'If-Unmodified-Since that is no date',
    headers: () => ({ 'if-unmodified-since': 'never' }),
    exists: true,
    missing: true,
  },
  {
    section: '13.1.4',
    what: 'If-Unmodified-Since in another format',
    headers: () => ({ 'if-unmodified-since': '2001-01-01' }),
    exists: true,
    missing: true,
  },
  {
    section: '13.1.4',
    what: 'If-Unmodified-Since with two dates',
    headers: () => ({ 'if-unmodified-since': `${at(0)}, ${at(1)}` }),
    exists: true,
    missing: true,
  },
  {
    section: '13.2.2',
    what: 'If-Match before If-Unmodified-Since',
    headers: () => ({ 'if-match': tag, 'if-unmodified-since': at(0) }),
    exists: true,
    missing: false,
  },
  {
    section: '13.2.2',
    what: 'If-Match, then If-None-Match',
    headers: () => ({ 'if-match': tag, 'if-none-match': tag }),
    exists: false,
    missing: false,
  },
  {
    section: '13.2.2',
    what: 'If-Unmodified-Since, then If-None-Match',
    headers: () => ({ 'if-unmodified-since': at(CHANGED), 'if-none-match': '*' }),
    exists: false,
    missing: true,
  },
  {
    section: '13.2.2',
    what: 'If-None-Match before If-Modified-Since',
    headers: () => ({ 'if-none-match': old, 'if-modified-since': at(CHANGED + 1) }),
    exists: true,
    missing: true,
  },
];
const ROWS = TABLE.map((row) => [`§${row.section} ${row.what}`, row] as const);
const SOME = sampled(ROWS, 3);

const content = () => readFile(household.at(`${box}/note.txt`), 'utf8');
const isDone = ({ status }: Reply) => status < 300;

describe.each(Object.entries(WRITES))('%s', (how, write) => {
  it.each(how === 'PUT' ? ROWS : SOME)('over a file with %s', async (_name, { headers, exists }) => {
    const reply = await write(api, path, 'changed', headers());
    expect([isDone(reply), await content()]).toEqual([exists, exists ? 'changed' : 'present']);
    if (!exists)
      expect([reply.status, reply.body.code, reply.body.details]).toEqual([412, 'precondition_failed', { etag: tag }]);
  });

  it.each(how === 'PUT' ? ROWS : SOME)('of a new file with %s', async (_name, { headers, missing }) => {
    await rm(household.at(`${box}/note.txt`));
    const reply = await write(api, path, 'changed', headers());
    expect(isDone(reply), reply.text).toBe(missing);
    expect((await readdir(household.at(box))).includes('note.txt')).toBe(missing);
    if (!missing) expect([reply.status, reply.body.details]).toEqual([412, { etag: null }]);
  });
});

describe.each([
  ['files/rename', () => ({ newName: 'renamed.txt' })],
  ['files/move', () => ({ moveTo: `/ROOT/HOME/${box}/sub` })],
  ['files/copy', () => ({ copyTo: `/ROOT/HOME/${box}/sub` })],
  ['files/delete', () => ({})],
  ['files/label', () => ({ label: 'urgent' })],
  ['files/versions/restore', () => ({ version: 1 })],
] as const)('%s', (operation, form) => {
  it.each(SOME)('of a file with %s', async (_name, { headers, exists }) => {
    const reply = await api.post(operation, { path, ...form() }, headers());
    expect(reply.status, reply.text).toBe(exists ? 200 : 412);
  });
});

it.each(SOME)('files/trash/restore with %s', async (_name, { headers, exists }) => {
  const { body } = await api.post('files/delete', { path });
  const reply = await api.post('files/trash/restore', { path: body.data.trash_path }, headers());
  expect(reply.status, reply.text).toBe(exists ? 200 : 412);
});

describe('a chunked upload', () => {
  const uploadOf = (form: boolean) => {
    const query = { path, totalSize: 6, uploadId: `upload-${randomBytes(8).toString('hex')}` };
    return async (startByte: number, text: string, headers: Headers = {}) => {
      if (!form) return api.put({ ...query, startByte }, text, headers);
      const fields = Object.fromEntries(
        Object.entries({ ...query, startByte }).map(([name, one]) => [name, String(one)]),
      );
      const encoded = await encodedForm({ ...fields, file: new Blob([text]) });
      return api.send('POST', '/api.php/files/upload', {
        headers: { ...encoded.headers, ...headers },
        body: encoded.body,
      });
    };
  };

  it.each([
    ['in requests', false],
    ['in forms', true],
  ] as const)('evaluates conditions at its start and at its completion, %s', async (_how, form) => {
    const refused = await uploadOf(form)(0, 'abc', { 'if-match': old });
    expect([refused.status, refused.body.details]).toEqual([412, { etag: tag }]);
    const chunk = uploadOf(form);
    expect((await chunk(0, 'abc', { 'if-match': tag })).body.data).toMatchObject({ offset: 3 });
    await api.put({ path }, 'changed meanwhile');
    const late = await chunk(3, 'def', { 'if-match': tag });
    expect([late.status, late.body.details]).toEqual([412, { etag: await tagOf() }]);
    expect(await content()).toBe('changed meanwhile');
    expect((await chunk(3, 'def', { 'if-match': await tagOf() })).status).toBe(200);
    expect(await content()).toBe('abcdef');
  });
});

it('ETags of generated content never satisfy the If-Match of a change', async () => {
  const folder = `/ROOT/HOME/${box}`;
  const drawing = `${folder}/a.svg`;
  await api.put({ path: drawing }, DRAWING);
  const thumbnail = (await api.get('files/thumbnail', { path: drawing })).headers.etag;
  expect((await api.put({ path: drawing }, 'changed', { 'if-match': String(thumbnail) })).status).toBe(412);
  const archive = await api.get('files/download', { path: folder });
  expect(archive.headers).not.toHaveProperty('etag');
  const conditional = (tags: string) =>
    api.send('GET', `/api.php/files/download?path=${encodeURIComponent(folder)}`, { headers: { 'if-match': tags } });
  expect((await conditional('"anything"')).status).toBe(412);
  expect((await conditional('*')).status).toBe(200);
  for (const tags of ['"anything"', `"${randomBytes(4).toString('hex')}"`]) {
    expect((await api.post('files/delete', { path: folder }, { 'if-match': tags })).status).toBe(412);
  }
});
