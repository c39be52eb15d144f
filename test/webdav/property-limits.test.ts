import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

let household: Household;
let dav: DavClient;

beforeAll(async () => {
  household = await openHousehold();
  dav = await davClient(await household.signIn());
  await dav.send('MKCOL', '/My%20files/box');
});
afterAll(() => household?.close());

const patch = (path: string, bytes: number) => {
  const properties = Array.from(
    { length: 4 },
    (_, index) => `<p${index} xmlns="urn:x">${'v'.repeat(bytes / 4)}</p${index}>`,
  );
  const body = `<propertyupdate xmlns="DAV:"><set><prop>${properties.join('')}</prop></set></propertyupdate>`;
  return dav.send('PROPPATCH', path, { body });
};

it('properties of many files are limited per home, and listed in parts', async () => {
  const large = 250_000;
  const files = Array.from({ length: 40 }, (_, index) => `/${index}.txt`);
  for (const file of files) {
    await dav.put(`/My%20files/box${file}`, '');
    expect((await patch(`/My%20files/box${file}`, large)).text).toContain('HTTP/1.1 200');
  }
  const copies = Array.from({ length: 9 }, (_, index) => `/My%20files/copy${index}`);
  for (const copy of copies) expect((await dav.transfer('COPY', '/My%20files/box', copy)).status).toBe(201);
  const ask = '<propfind xmlns="DAV:"><prop><p0 xmlns="urn:x"/></prop></propfind>';
  const found = async (path: string) =>
    (await dav.propfind(path, '1', ask)).text.match(/<p0 xmlns="urn:x">/g)?.length ?? 0;
  expect(await found('/My%20files/box')).toBe(files.length);
  expect(await found(copies[0] ?? '')).toBe(files.length);
  // The last copies have none, and more is refused. Few properties can always be stored.
  expect(await found(copies.at(-1) ?? '')).toBe(0);
  expect((await patch(`${copies.at(-1)}/1.txt`, large)).text).toContain('HTTP/1.1 507');
  expect((await patch(`${copies.at(-1)}/1.txt`, 400)).text).toContain('HTTP/1.1 200');
});

it('the number of properties in one request is limited, since each is returned for each entry', async () => {
  const ask = (names: number) =>
    `<propfind xmlns="DAV:"><prop>${Array.from({ length: names }, (_, index) => `<p${index} xmlns="urn:x"/>`).join('')}</prop></propfind>`;
  expect((await dav.propfind('/My%20files', '1', ask(500))).status).toBe(207);
  expect((await dav.propfind('/My%20files', '1', ask(501))).status).toBe(400);
});
