import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { DRAWING } from '../support/content/drawing.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';
import { send } from './support.ts';

/** What an app learns of contents in a share whose recipient may not download: nothing, by any address. */

let household: SharingHousehold;
let olga: DavClient;
let ben: DavClient;
let box = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = (await davClient(household.as('olga'))).at('/remote.php/dav/files/olga');
  ben = (await davClient(household.as('ben'))).at('/remote.php/dav/files/ben');
});
afterAll(() => household?.close());
beforeEach(async () => {
  box = await household.newBox();
});

const VERSION = '1500000000';
const ASKED = `<d:prop><d:displayname/><d:getetag/><oc:fileid/><oc:permissions/><oc:favorite/><oc:checksums/><nc:has-preview/></d:prop>`;
const SPACES = 'xmlns:d="DAV:" xmlns:oc="http://owncloud.org/ns" xmlns:nc="http://nextcloud.org/ns"';
const REPORT = `<oc:filter-files ${SPACES}>${ASKED}<oc:filter-rules><oc:favorite>1</oc:favorite></oc:filter-rules></oc:filter-files>`;
const STAR = `<d:propertyupdate ${SPACES}><d:set><d:prop><oc:favorite>1</oc:favorite></d:prop></d:set></d:propertyupdate>`;

/** Where an app of Ben finds what Olga shares, below its address of files. */
async function folderOfOlga(): Promise<string> {
  const [, href = ''] = [...parsed((await ben.propfind('/Shared%20with%20me/', '1')).text).keys()];
  return href.slice(ben.prefix.length + 1);
}

/** Olga shares a drawing that has an earlier version. @returns its number, and its path for an app of Ben */
async function shared(download: 0 | 1): Promise<{ number: string; path: string }> {
  await household.share(`/ROOT/HOME/${box}`, { uid: household.ids.ben, download, upload: 1, alter: 1 });
  const path = `/My%20files/${box}/drawing.svg`;
  for (const [at, content] of [DRAWING, `${DRAWING} `, `${DRAWING}  `].entries()) {
    // Contents of one app within a minute would be steps of one save.
    household.clock.advance(61_000);
    const headers = { 'x-oc-mtime': String(Number(VERSION) + at) };
    expect((await olga.put(path, content, headers)).status).toBeLessThan(300);
  }
  const { text } = await olga.propfind(path, '0', `<d:propfind ${SPACES}><d:prop><oc:fileid/></d:prop></d:propfind>`);
  return { number: /fileid>(\d+)</.exec(text)?.[1] ?? '', path: `${await folderOfOlga()}${box}/drawing.svg` };
}

const get = (path: string, method = 'GET') =>
  send(household, method, path, { headers: { authorization: ben.authorization } });
const previewsOf = ({ number, path }: { number: string; path: string }) => [
  `/index.php/core/preview?fileId=${number}&x=64&y=64`,
  `/core/preview?fileId=${number}`,
  `/index.php/core/preview.png?file=/${path}&x=64&y=64`,
  `/index.php/apps/files/api/v1/thumbnail/64/64/${path}`,
];

describe.each([
  [1, 'with'],
  [0, 'without'],
] as const)('in a share (download=%d)', (download, what) => {
  it(`${what} the right to download, previews are sent only to those who may`, async () => {
    const item = await shared(download);
    for (const address of previewsOf(item)) {
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await get(address, method);
        const isPicture = String(headers['content-type']).startsWith('image/');
        const isTagged = headers.etag !== undefined;
        const expected = download === 1 ? [200, true, true] : [403, false, false];
        expect([method, address, status, isPicture, isTagged]).toEqual([method, address, ...expected]);
      }
    }
  });

  it(`${what} the right to download, versions are listed and sent only to those who may`, async () => {
    const { number } = await shared(download);
    const versions = ben.at('/remote.php/dav/versions/ben');
    const address = `/versions/${number}/${VERSION}`;
    const { status, text } = await versions.propfind(
      `/versions/${number}`,
      '1',
      `<d:propfind ${SPACES}>${ASKED}</d:propfind>`,
    );
    expect([status, text.includes(VERSION)]).toEqual(download === 1 ? [207, true] : [403, false]);
    for (const method of ['GET', 'HEAD']) {
      const reply = await versions.send(method, address);
      expect([method, reply.status]).toEqual([method, download === 1 ? 200 : 403]);
      if (download === 0) expect([reply.headers.etag, reply.text.includes('<svg')]).toEqual([undefined, false]);
    }
  });

  it(`${what} the right to download, favourites tell tags, checksums and previews only to those who may`, async () => {
    const { path } = await shared(download);
    expect((await ben.send('PROPPATCH', `/${path}`, { body: STAR })).status).toBe(207);
    const { status, text } = await ben.send('REPORT', '', { body: REPORT });
    const found = parsed(text).get(`${ben.prefix}/${path}`)?.found;
    expect([status, found?.get('displayname'), found?.get('favorite')]).toEqual([207, 'drawing.svg', '1']);
    expect([found?.has('getetag'), found?.get('has-preview')]).toEqual(
      download === 1 ? [true, 'true'] : [false, 'false'],
    );
    const sums = found?.get('checksums');
    if (download === 1) expect(sums).toContain('SHA256:');
    else expect(sums).toBeUndefined();
  });
});
