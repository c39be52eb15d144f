import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient, Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

// Conditions of the methods other than PUT, which `put.test.ts` tests.

let household: SharingHousehold;
let olga: ApiClient;
let dav: DavClient;
let other: DavClient;
let name = '';
let box = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  dav = await davClient(olga);
  other = await davClient(olga);
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
  box = `/My%20files/${name}`;
});

const MANY = 20;
const numbers = Array.from({ length: MANY }, (_, index) => index);
const status = async (reply: Promise<Reply>) => (await reply).status;
const exists = async (path: string) => (await dav.propfind(path, '0')).status === 207;
/** The tag of a file or folder, with its quotes. */
const tagOf = async (path: string) => {
  const body = '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>';
  const tag = /<d:getetag>([^<]+)</.exec((await dav.propfind(path, '0', body)).text)?.[1] ?? '';
  return tag.replaceAll('&quot;', '"');
};

/** How many of the requests were carried out; the others must have been refused, because the condition no longer held. */
async function winners(requests: readonly Promise<Reply>[]): Promise<number> {
  const statuses = await Promise.all(requests.map(status));
  for (const one of statuses) expect([201, 204, 404, 412]).toContain(one);
  return statuses.filter((one) => one < 300).length;
}

/** The same condition in several forms (RFC 4918 §10.4). */
const FORMS: readonly (readonly [string, (address: string, tag: string) => string])[] = [
  ['a list', (address, tag) => `<${address}> ([${tag}])`],
  ['a whole address', (address, tag) => `<${dav.base}${address}> ([${tag}])`],
  ['several lists', (address, tag) => `<${address}> (["none"]) (Not <DAV:no-lock> [${tag}])`],
  ['the second of two resources', (address, tag) => `</dav${box}> (["none"]) <${address}> ([${tag}])`],
];

describe('If, with the destination locked', () => {
  describe.each(FORMS)('as %s', (_form, header) => {
    it.each(['MOVE', 'COPY'] as const)('lets one of twenty %ss replace a file', async (method) => {
      await Promise.all(numbers.map((index) => dav.put(`${box}/${index}.txt`, `content ${index}`)));
      const headers = { if: header(`/dav${box}/a.txt`, await tagOf(`${box}/a.txt`)) };
      const requests = numbers.map((index) => dav.transfer(method, `${box}/${index}.txt`, `${box}/a.txt`, headers));
      expect(await winners(requests)).toBe(1);
      const { versions } = (await olga.get('files/versions/list', { path: `/ROOT/HOME/${name}/a.txt` })).body.data;
      expect(versions.length).toBe(2);
    });
  });

  it.each(['MOVE', 'COPY'] as const)('lets one of twenty %ss replace a folder', async (method) => {
    await Promise.all(numbers.map((index) => dav.send('MKCOL', `${box}/folder%20${index}`)));
    await dav.send('MKCOL', `${box}/there`);
    const headers = { if: `</dav${box}/there> ([${await tagOf(`${box}/there`)}])` };
    const requests = numbers.map((index) => dav.transfer(method, `${box}/folder%20${index}`, `${box}/there`, headers));
    expect(await winners(requests)).toBe(1);
    expect(await exists(`${box}/there`)).toBe(true);
  });

  it('limits a DELETE to the content that it refers to', async () => {
    for (const index of numbers) {
      const path = `${box}/${index}.txt`;
      await dav.put(path, 'first');
      const headers = { if: `<${dav.prefix}${path}> ([${await tagOf(path)}])` };
      // Which of both comes first differs.
      const [write, remove] = [() => other.put(path, 'second', headers), () => dav.send('DELETE', path, { headers })];
      const [one, two] = index % 2 === 0 ? [write, remove] : [remove, write];
      expect(await winners([one(), two()])).toBe(1);
    }
  });

  it('refuses each method without any change', async () => {
    const property = `<propertyupdate xmlns="DAV:"><set><prop><x xmlns="urn:x">1</x></prop></set></propertyupdate>`;
    const headers = { if: `(["other"]) (Not [${await tagOf(`${box}/a.txt`)}])` };
    const about = (path: string) => ({ if: `<${dav.prefix}${path}> (["other"])` });
    expect(await status(dav.send('DELETE', `${box}/a.txt`, { headers }))).toBe(412);
    expect(await status(dav.send('PROPPATCH', `${box}/a.txt`, { headers, body: property }))).toBe(412);
    expect(await status(dav.lock(`${box}/a.txt`, { headers }))).toBe(412);
    expect(await status(dav.send('MKCOL', `${box}/new`, { headers: about(`${box}/a.txt`) }))).toBe(412);
    expect(await status(dav.lock(`${box}/new.txt`, { headers: about(`${box}/a.txt`) }))).toBe(412);
    expect(await status(dav.transfer('MOVE', `${box}/a.txt`, `${box}/b.txt`, about(`${box}/sub`)))).toBe(412);
    expect(await status(dav.transfer('COPY', `${box}/sub`, `${box}/b`, about(`${box}/sub`)))).toBe(412);
    expect(await status(other.put(`${box}/a.txt`, 'not locked'))).toBe(204);
    const after = await Promise.all(['new', 'new.txt', 'b.txt', 'b'].map((item) => exists(`${box}/${item}`)));
    expect(after).toEqual([false, false, false, false]);
  });
});

describe('conditions of RFC 9110 §13', () => {
  it.each([
    [{ 'if-match': '*' }, 412],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-none-match': '*' }, 201],
    [{ 'if-none-match': '"x"' }, 201],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 201],
    [{ 'if-match': 'x' }, 400],
  ])('MKCOL of a new folder with %o: %i', async (headers: Record<string, string>, expected) => {
    expect(await status(dav.send('MKCOL', `${box}/new`, { headers }))).toBe(expected);
    expect(await exists(`${box}/new`)).toBe(expected === 201);
  });

  it('MKCOL that fails without conditions fails for the same reason with them (§13.2.1)', async () => {
    const conditions = [{ 'if-match': '"x"' }, { 'if-match': '*' }, { 'if-none-match': '*' }];
    for (const headers of conditions as Record<string, string>[]) {
      expect(await status(dav.send('MKCOL', `${box}/sub`, { headers }))).toBe(405);
      expect(await status(dav.send('MKCOL', `${box}/none/new`, { headers }))).toBe(409);
    }
  });

  it.each([
    [{ 'if-match': 'TAG' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"x", TAG' }, 200],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-none-match': '*' }, 412],
    [{ 'if-none-match': 'TAG' }, 412],
    [{ 'if-none-match': '"x"' }, 200],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 1970 00:00:00 GMT' }, 412],
    [{ 'if-unmodified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' }, 200],
  ])('LOCK of a file with %o: %i', async (template: Record<string, string>, expected) => {
    const tag = await tagOf(`${box}/a.txt`);
    const headers = Object.fromEntries(
      Object.entries(template).map(([header, value]) => [header, value.replace('TAG', tag)]),
    );
    const first = await dav.lock(`${box}/a.txt`, { headers });
    expect(first.status).toBe(expected);
    expect(await status(other.put(`${box}/a.txt`, 'x'))).toBe(expected === 200 ? 423 : 204);
  });

  it.each([
    [{ 'if-match': '*' }, 412],
    [{ 'if-match': '"x"' }, 412],
    [{ 'if-none-match': '*' }, 201],
    [{ 'if-none-match': '"x"' }, 201],
  ])('LOCK of a name that is free with %o: %i', async (headers: Record<string, string>, expected) => {
    expect(await status(dav.lock(`${box}/new.txt`, { headers }))).toBe(expected);
    expect(await exists(`${box}/new.txt`)).toBe(expected === 201);
  });

  it('a lock is refreshed only if they hold, after the check for locks of other programs', async () => {
    const { token } = await dav.lock(`${box}/a.txt`);
    const extend = (headers: Record<string, string>) =>
      status(dav.send('LOCK', `${box}/a.txt`, { headers: { if: `(<${token}>)`, ...headers } }));
    expect(await extend({ 'if-match': '"x"' })).toBe(412);
    expect(await extend({ 'if-match': await tagOf(`${box}/a.txt`) })).toBe(200);
    expect(await status(other.lock(`${box}/a.txt`, { headers: { 'if-none-match': '*' } }))).toBe(423);
  });

  it('one of twenty conditional locks of a free name succeeds', async () => {
    const requests = numbers.map(() =>
      dav.lock(`${box}/new.txt`, { scope: 'shared', headers: { 'if-none-match': '*' } }),
    );
    expect(await winners(requests)).toBe(1);
  });
});
