import { createHash, randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DAY, HOUR } from '../../../dist/server/lib/clock.js';
import { itInFull } from '../../support/forms.ts';
import { type Household, OWNER, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, signInAs } from '../../support/households/member.ts';
import { ApiClient, encodeQuery, type Reply } from '../../support/requests/api-client.ts';

let household: Household;
let api: ApiClient;
let count = 0;
let path = '';
let file = '';

const SIZE = 400_000;
const QUARTER = SIZE / 4;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
});
afterAll(() => household.close());
beforeEach(async () => {
  count += 1;
  await mkdir(join(household.home, `test ${count}`));
  path = `/ROOT/HOME/test ${count}/film.bin`;
  file = join(household.home, `test ${count}`, 'film.bin');
});

async function signInWith(person: typeof OWNER, client: { id: string; secret: string }): Promise<ApiClient> {
  const { body } = await household.api.token({
    ...{ grant_type: 'password', ...person, scope: 'upload' },
    ...{ client_id: client.id, client_secret: client.secret },
  });
  return new ApiClient({ port: household.port, ca: household.ca, token: String(body.access_token) });
}

type More = Record<string, string | number>;
const put = (content: Buffer, start: number, end: number, more: More = {}, by = api) =>
  by.put({ path, totalSize: SIZE, startByte: start, ...more }, content.subarray(start, end));
const getOffset = (more: More = {}, by = api) =>
  by.send('PUT', `/api.php/files/upload?${encodeQuery({ path, getOffset: 1, ...more })}`);
const outcome = ({ status, body }: Reply) => [status, body.code ?? body.data.offset ?? body.data.fileSize];
const stored = () => readFile(file).catch(() => null);
const both = () => [randomBytes(SIZE), randomBytes(SIZE)] as const;
const incoming = () => readdir(join(household.folder, '.larder', 'incoming'));

describe('an offset query', () => {
  it('finds the upload by the digest that its chunks had in a header', async () => {
    const [a] = both();
    const headers = { 'repr-digest': `sha-256=:${createHash('sha256').update(a).digest('base64')}:` };
    const query = { path, totalSize: SIZE, startByte: 0 };
    expect(outcome(await api.put(query, a.subarray(0, QUARTER), headers))).toEqual([200, QUARTER]);
    const address = `/api.php/files/upload?${encodeQuery({ path, getOffset: 1, totalSize: SIZE })}`;
    expect(outcome(await api.send('PUT', address, { headers }))).toEqual([200, QUARTER]);
    expect(outcome(await api.send('PUT', address))).toEqual([200, 0]);
  });

  it.each(['PUT', 'POST'])('by %s is not checked like the upload that it concerns', async (method) => {
    await api.put({ path }, 'content');
    const address = `/api.php/files/upload?${encodeQuery({ path, getOffset: 1, totalSize: SIZE })}`;
    expect(outcome(await api.send(method, address, { headers: { 'if-none-match': '*' } }))).toEqual([200, 0]);
  });
});

describe('a chunked upload without an id', () => {
  it('half of file A, getOffset, then the rest of file B is never stored', async () => {
    const [a, b] = both();
    expect(outcome(await put(a, 0, SIZE / 2))).toEqual([200, SIZE / 2]);
    expect(outcome(await getOffset())).toEqual([200, 0]);
    const rest = await put(b, SIZE / 2, SIZE);
    expect([...outcome(rest), rest.body.details.offset]).toEqual([409, 'conflict', 0]);
    expect(await stored()).toBeNull();
  });

  it('is not continued by a client that only knows the size', async () => {
    const [a] = both();
    await put(a, 0, SIZE / 2);
    expect(outcome(await getOffset({ totalSize: SIZE }))).toEqual([200, 0]);
    const reply = await put(a, SIZE / 2 + 1, SIZE);
    expect([...outcome(reply), reply.body.details.offset]).toEqual([409, 'conflict', 0]);
  });

  it('of two concurrent clients is never mixed in one file', async () => {
    const [a, b] = both();
    const turns: [Buffer, number][] = [
      [a, 0],
      [a, 1],
      [b, 0],
      [b, 1],
      [b, 2],
      [a, 2],
      [b, 3],
      [a, 3],
    ];
    const replies: unknown[] = [];
    for (const [content, quarter] of turns) {
      replies.push((await put(content, quarter * QUARTER, (quarter + 1) * QUARTER)).status);
    }
    expect(replies.slice(0, 3)).toEqual([200, 200, 409]);
    const result = await stored();
    expect(result === null || result.equals(a) || result.equals(b)).toBe(true);
  });

  itInFull('of two clients in any order of chunks stores the content of one of them', async () => {
    const [a, b] = both();
    const random = (most: number) => Math.floor(Math.random() * most);
    let completed = 0;
    for (let round = 0; round < 40; round += 1) {
      path = `/ROOT/HOME/test ${count}/round ${round}.bin`;
      file = join(household.home, `test ${count}`, `round ${round}.bin`);
      // Each continues after its last chunk, and begins again when told to, like a client that follows the document.
      const clients = [a, b].map((content) => ({ content, at: 0 }));
      for (let turn = 0; turn < 16; turn += 1) {
        const client = clients[random(2)];
        if (client === undefined || client.at >= SIZE) continue;
        const to = Math.min(SIZE, client.at + QUARTER * (1 + random(2)));
        const { status, body } = await put(client.content, client.at, to);
        if (status === 409) client.at = Number(body.details.offset);
        else client.at = to;
      }
      const result = await stored();
      if (result === null) continue;
      completed += 1;
      expect(result.equals(a) || result.equals(b), `round ${round}`).toBe(true);
    }
    expect(completed).toBeGreaterThan(0);
  });

  it.each<{ lastModified?: number }>([{}, { lastModified: 1_700_000_000 }])(
    'of two clients with equal first chunks is not continued by one from the bytes of the other %j',
    async (more) => {
      const [a, rest] = both();
      const b = Buffer.concat([a.subarray(0, QUARTER), rest.subarray(QUARTER)]);
      const { uploadId } = (await put(a, 0, QUARTER, more)).body.data;
      const second = await put(b, 0, QUARTER, more);
      expect(second.body.data).toEqual({ offset: QUARTER });
      expect(outcome(await put(b, QUARTER, 2 * QUARTER, more))).toEqual([200, 2 * QUARTER]);
      // The first client is told to begin again, by id and by the time of its file.
      expect(outcome(await getOffset({ totalSize: SIZE, uploadId, ...more }))).toEqual([200, 0]);
      if (more.lastModified !== undefined) {
        expect(outcome(await getOffset({ totalSize: SIZE, ...more }))).toEqual([200, 0]);
      }
      const late = await put(a, 2 * QUARTER, SIZE, { ...more, uploadId });
      expect([...outcome(late), late.body.details.offset]).toEqual([409, 'conflict', 0]);
      expect(outcome(await put(a, 0, SIZE / 2, { ...more, uploadId }))).toEqual([200, SIZE / 2]);
      expect(outcome(await put(b, 2 * QUARTER, SIZE, more))).toEqual([201, SIZE]);
      expect((await stored())?.equals(b)).toBe(true);
      expect(outcome(await put(a, SIZE / 2, SIZE, { ...more, uploadId }))).toEqual([200, SIZE]);
      expect((await stored())?.equals(a)).toBe(true);
    },
  );

  it('of two sign-ins of one app is separate, and neither continues the other', async () => {
    const [a, b] = both();
    const second = await household.signIn();
    await put(a, 0, SIZE / 2);
    expect(outcome(await put(b, SIZE / 2, SIZE, {}, second))).toEqual([409, 'conflict']);
    expect(outcome(await put(b, 0, SIZE / 2, {}, second))).toEqual([200, SIZE / 2]);
    expect(outcome(await put(a, SIZE / 2, SIZE))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
  });

  it('completes from the first chunk to the last, and its id is in the first reply', async () => {
    const [a] = both();
    const first = await put(a, 0, QUARTER);
    const { uploadId } = first.body.data;
    expect(uploadId).toMatch(/^[A-Za-z0-9_-]{16,}$/);
    const second = await put(a, QUARTER, 2 * QUARTER);
    expect(second.body.data, 'only who began it, or names it, has its id').toEqual({ offset: 2 * QUARTER });
    expect(outcome(await put(a, 2 * QUARTER, SIZE))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
  });

  it('begins again after getOffset, and is compared with what has arrived, which stays', async () => {
    const [a] = both();
    await put(a, 0, 3 * QUARTER);
    expect(outcome(await getOffset())).toEqual([200, 0]);
    const before = await incoming();
    expect(outcome(await put(a, 0, QUARTER))).toEqual([200, QUARTER]);
    expect(outcome(await put(a, QUARTER, 3 * QUARTER))).toEqual([200, 3 * QUARTER]);
    expect(await incoming()).toEqual(before);
    expect(outcome(await put(a, 3 * QUARTER, SIZE))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
  });

  it('repeats a chunk whose reply was lost, whole or in part, and stores it once', async () => {
    const [a] = both();
    await put(a, 0, QUARTER);
    await put(a, QUARTER, 2 * QUARTER);
    expect(outcome(await put(a, QUARTER, 2 * QUARTER))).toEqual([200, 2 * QUARTER]);
    expect(outcome(await put(a, QUARTER + 5, 3 * QUARTER))).toEqual([200, 3 * QUARTER]);
    expect(outcome(await put(a, 3 * QUARTER, SIZE))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
  });

  it('begun by one app is neither continued nor blocked by another one of the same account', async () => {
    const [a, b] = both();
    const other = await household.control('clients.add', { name: 'Other', redirectUris: ['https://other.example/'] });
    const second = await signInWith(OWNER, { id: String(other.clientId), secret: String(other.clientSecret) });
    await put(a, 0, SIZE / 2);
    expect(outcome(await put(b, SIZE / 2, SIZE, {}, second))).toEqual([409, 'conflict']);
    expect(outcome(await put(b, 0, SIZE / 2, {}, second))).toEqual([200, SIZE / 2]);
    expect(outcome(await put(a, SIZE / 2, SIZE))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
    expect(outcome(await put(b, SIZE / 2, SIZE, {}, second))).toEqual([200, SIZE]);
    expect((await stored())?.equals(b)).toBe(true);
  });

  it('expires after a day, because nobody could ask for its offset', async () => {
    const [a, b] = both();
    const before = await incoming();
    await put(a, 0, QUARTER);
    const [its = ''] = (await incoming()).filter((name) => !before.includes(name));
    expect(outcome(await put(b, 0, QUARTER))).toEqual([409, 'conflict']);
    household.clock.advance(DAY - 60_000);
    await household.larder.maintenance();
    expect(await incoming()).toContain(its);
    household.clock.advance(61_000);
    await household.larder.maintenance();
    expect(await incoming()).not.toContain(its);
    api = await household.signIn();
  });

  it('can be replaced by another content after an hour without a chunk, and not before', async () => {
    const [a, b] = both();
    // The same time, so that the sign-in is not part of the identity.
    const more = { lastModified: 1_700_000_000 };
    const advance = async (milliseconds: number) => {
      household.clock.advance(milliseconds);
      api = await household.signIn();
    };
    await put(a, 0, QUARTER, more);
    await advance(HOUR - 60_000);
    await put(a, QUARTER, 2 * QUARTER, more);
    await advance(HOUR - 60_000);
    expect(outcome(await put(b, 0, QUARTER, more)), 'a refused start does not keep it').toEqual([409, 'conflict']);
    await advance(120_000);
    const before = (await incoming()).length;
    expect(outcome(await put(b, 0, QUARTER, more))).toEqual([200, QUARTER]);
    expect((await incoming()).length).toBe(before);
    expect(outcome(await put(b, QUARTER, SIZE, more))).toEqual([201, SIZE]);
    expect((await stored())?.equals(b)).toBe(true);
  });

  it('is separate from one of another size to the same path', async () => {
    const [a] = both();
    const short = randomBytes(1_000);
    await put(a, 0, SIZE / 2);
    const query = { path, totalSize: 1_000 };
    expect(outcome(await api.put({ ...query, startByte: 0 }, short.subarray(0, 500)))).toEqual([200, 500]);
    expect(outcome(await put(a, SIZE / 2, SIZE))).toEqual([201, SIZE]);
    expect(outcome(await api.put({ ...query, startByte: 500 }, short.subarray(500)))).toEqual([200, 1_000]);
    expect((await stored())?.equals(short)).toBe(true);
  });
});

describe('a chunked upload with an id', () => {
  it('gets it with the first chunk, and is resumed by it after a restart and a new sign-in', async () => {
    const [a] = both();
    const { uploadId } = (await put(a, 0, SIZE / 2)).body.data;
    await household.restart();
    api = await household.signIn();
    expect((await getOffset({ uploadId })).body.data).toEqual({ offset: SIZE / 2, uploadId });
    expect(outcome(await put(a, SIZE / 2, SIZE, { uploadId }))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
  });

  it('whose last reply was lost is reported as stored, only under its path', async () => {
    const [a] = both();
    const more = { uploadId: `its-last-reply-is-lost-${count}`, totalSize: SIZE };
    await put(a, 0, SIZE, more);
    expect((await getOffset(more)).body.data).toEqual({ offset: SIZE, uploadId: more.uploadId, isStored: true });
    expect(outcome(await getOffset({ ...more, totalSize: SIZE + 1 }))).toEqual([200, 0]);
    path = `${path}.other`;
    expect(outcome(await getOffset(more))).toEqual([200, 0]);
  });

  it('chosen by the client keeps two contents for one path apart', async () => {
    const [a, b] = both();
    const [one, two] = [{ uploadId: `first-upload-${count}-x` }, { uploadId: `second-upload-${count}` }];
    await put(a, 0, QUARTER, one);
    await put(b, 0, QUARTER, two);
    await put(b, QUARTER, 3 * QUARTER, two);
    await put(a, QUARTER, 3 * QUARTER, one);
    expect(outcome(await put(a, 3 * QUARTER, SIZE, one))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
    expect(outcome(await put(b, 3 * QUARTER, SIZE, two))).toEqual([200, SIZE]);
    expect((await stored())?.equals(b)).toBe(true);
  });

  it('is not continued without the id once it was addressed by it', async () => {
    const [a, b] = both();
    const { uploadId } = (await put(a, 0, QUARTER)).body.data;
    await put(a, QUARTER, 2 * QUARTER, { uploadId });
    expect(outcome(await put(b, 2 * QUARTER, SIZE))).toEqual([409, 'conflict']);
    expect(outcome(await put(a, 2 * QUARTER, SIZE, { uploadId }))).toEqual([201, SIZE]);
  });

  it('belongs to one path, size, time and digest: anything else is a conflict at offset 0', async () => {
    const [a] = both();
    const uploadId = `one-of-a-kind-${count}`;
    await put(a, 0, QUARTER, { uploadId, lastModified: 5 });
    for (const more of [{ lastModified: 6 }, { totalSize: SIZE + 1 }, { path: `${path}.other` }]) {
      const reply = await put(a, QUARTER, 2 * QUARTER, { uploadId, ...more });
      expect([...outcome(reply), reply.body.details.offset], JSON.stringify(more)).toEqual([409, 'conflict', 0]);
    }
    expect(outcome(await put(a, QUARTER, SIZE, { uploadId, lastModified: 5 }))).toEqual([201, SIZE]);
  });

  it('adopts the time and the digest of a later chunk', async () => {
    const [a] = both();
    const uploadId = `says-it-later-${count}`;
    await put(a, 0, QUARTER, { uploadId });
    await put(a, QUARTER, 2 * QUARTER, { uploadId, lastModified: 2 });
    expect(outcome(await put(a, 2 * QUARTER, SIZE, { uploadId, lastModified: 3 }))).toEqual([409, 'conflict']);
    expect(await stored()).toBeNull();
    const wrong = createHash('sha256').update('another content').digest('hex');
    const other = `says-a-digest-${count}`;
    await put(a, 0, QUARTER, { uploadId: other });
    await put(a, QUARTER, 2 * QUARTER, { uploadId: other, sha256: wrong });
    expect(outcome(await put(a, 2 * QUARTER, SIZE, { uploadId: other }))).toEqual([422, 'digest_mismatch']);
    expect(await stored()).toBeNull();
  });

  it('reveals nothing of the uploads of other accounts', async () => {
    const [a, b] = both();
    const uploadId = `the-same-in-two-${count}`;
    await put(a, 0, QUARTER, { uploadId });
    await addMembersWithHomes(household, { ben: {} });
    const ben = await signInAs(household, 'ben');
    path = '/ROOT/HOME/film.bin';
    expect((await getOffset({ uploadId }, ben)).body.data).toEqual({ offset: 0 });
    expect(outcome(await put(b, 0, QUARTER, { uploadId }, ben))).toEqual([200, QUARTER]);
    expect(outcome(await put(b, QUARTER, SIZE, { uploadId }, ben))).toEqual([201, SIZE]);
    path = `/ROOT/HOME/test ${count}/film.bin`;
    expect((await getOffset({ uploadId })).body.data).toEqual({ offset: QUARTER, uploadId });
  });

  it.each(['short', 'with a space in it', 'x'.repeat(129), 'link:0123456789abcdef', ''])(
    '%j is not a valid id',
    async (uploadId) => {
      const [a] = both();
      expect(outcome(await put(a, 0, QUARTER, { uploadId }))).toEqual([400, 'invalid_parameter']);
      expect(outcome(await getOffset({ uploadId }))).toEqual([400, 'invalid_parameter']);
    },
  );
});

describe('lastModified and a digest identify an upload', () => {
  const sha256 = (content: Buffer) => createHash('sha256').update(content).digest('hex');

  it('with lastModified the offset is returned, and content of another time is another upload', async () => {
    const [a, b] = both();
    await put(a, 0, SIZE / 2, { lastModified: 100 });
    expect(outcome(await getOffset())).toEqual([200, 0]);
    expect(outcome(await getOffset({ totalSize: SIZE, lastModified: 200 }))).toEqual([200, 0]);
    const rest = await put(b, SIZE / 2, SIZE, { lastModified: 200 });
    expect([...outcome(rest), rest.body.details.offset]).toEqual([409, 'conflict', 0]);
    expect(outcome(await put(b, SIZE / 2, SIZE))).toEqual([409, 'conflict']);
    await household.restart();
    api = await household.signIn();
    expect(outcome(await getOffset({ totalSize: SIZE, lastModified: 100 }))).toEqual([200, SIZE / 2]);
    expect(outcome(await put(a, SIZE / 2, SIZE, { lastModified: 100 }))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
  });

  it('with a digest the offset is returned, and content with another digest is not stored', async () => {
    const [a, b] = both();
    await put(a, 0, SIZE / 2, { sha256: sha256(a) });
    expect(outcome(await getOffset({ sha256: sha256(b) }))).toEqual([200, 0]);
    expect(outcome(await getOffset({ sha256: sha256(a) }))).toEqual([200, SIZE / 2]);
    expect(outcome(await put(b, SIZE / 2, SIZE, { sha256: sha256(b) }))).toEqual([409, 'conflict']);
    const mixed = await put(b, SIZE / 2, SIZE, { sha256: sha256(a) });
    expect([...outcome(mixed), mixed.body.details]).toEqual([422, 'digest_mismatch', { offset: 0 }]);
    expect(await stored()).toBeNull();
    expect(outcome(await getOffset({ sha256: sha256(a) }))).toEqual([200, 0]);
    await put(a, 0, SIZE / 2, { sha256: sha256(a) });
    expect(outcome(await put(a, SIZE / 2, SIZE, { sha256: sha256(a) }))).toEqual([201, SIZE]);
  });

  it('the digest of a whole upload is checked: as a parameter, in a form, and as Repr-Digest and Content-Digest', async () => {
    const [a, b] = both();
    const field = (content: Buffer, name = 'sha-256') =>
      `${name}=:${createHash(name.replace('-', '')).update(content).digest('base64')}:`;
    const refused = async (reply: Promise<Reply>) => expect(outcome(await reply)).toEqual([422, 'digest_mismatch']);
    await refused(api.put({ path, sha256: sha256(b) }, a));
    for (const name of ['repr-digest', 'content-digest']) {
      await refused(api.put({ path }, a, { [name]: field(b) }));
      await refused(api.put({ path }, a, { [name]: field(b, 'sha-512') }));
      await refused(api.put({ path, totalSize: SIZE, startByte: 0 }, a, { [name]: field(b) }));
      expect(outcome(await api.put({ path }, a, { [name]: 'sha-256=nothing' }))).toEqual([400, 'invalid_parameter']);
    }
    const form = new FormData();
    form.set('path', path);
    form.set('sha256', sha256(b));
    form.set('file', new Blob([a]));
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    await refused(
      api.send('POST', '/api.php/files/upload', { headers, body: Buffer.from(await encoded.arrayBuffer()) }),
    );
    expect(await stored()).toBeNull();
    expect(await household.control('doctor')).toMatchObject({ problems: [] });
    const good = await api.put({ path, sha256: sha256(a).toUpperCase() }, a, {
      ...{ 'repr-digest': `${field(a, 'sha-512')}, ${field(a)}`, 'content-digest': `md5=:AAAA:, ${field(a)}` },
    });
    expect(outcome(good)).toEqual([201, SIZE]);
  });

  it('a chunk with a wrong Content-Digest does not count', async () => {
    const [a, b] = both();
    const more = { uploadId: `with-chunk-digests-${count}` };
    const field = (content: Buffer) => `sha-256=:${createHash('sha256').update(content).digest('base64')}:`;
    const send = (content: Buffer, said: Buffer, start: number, end: number) =>
      api.put({ path, totalSize: SIZE, startByte: start, ...more }, content.subarray(start, end), {
        'content-digest': field(said.subarray(start, end)),
      });
    expect(outcome(await send(a, a, 0, QUARTER))).toEqual([200, QUARTER]);
    const wrong = await send(b, a, QUARTER, 2 * QUARTER);
    expect([...outcome(wrong), wrong.body.details.offset]).toEqual([422, 'digest_mismatch', QUARTER]);
    expect(outcome(await getOffset(more))).toEqual([200, QUARTER]);
    expect(outcome(await send(a, a, QUARTER, SIZE))).toEqual([201, SIZE]);
    expect((await stored())?.equals(a)).toBe(true);
  });
});
