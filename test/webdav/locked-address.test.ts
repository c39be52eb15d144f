import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Reply } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

let household: SharingHousehold;
let dav: DavClient;
let ben: DavClient;
let name = '';
let box = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  dav = await davClient(household.as('olga'));
  ben = await davClient(household.as('ben'));
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
  box = `/My%20files/${name}`;
});

/** The status, and the address that the refusal names. */
async function refusal(reply: Promise<Reply>): Promise<[number, string | undefined]> {
  const { status, text } = await reply;
  return [status, /<d:lock-token-submitted><d:href>([^<]*)<\/d:href><\/d:lock-token-submitted>/.exec(text)?.[1]];
}

describe('a refusal because of a lock names the resource that is locked', () => {
  it('where that is the destination, or a folder above', async () => {
    await dav.put(`${box}/b.txt`, 'b');
    await dav.lock(`${box}/a.txt`);
    expect(await refusal(dav.put(`${box}/a.txt`, 'x'))).toEqual([423, `/dav${box}/a.txt`]);
    expect(await refusal(dav.transfer('MOVE', `${box}/b.txt`, `${box}/a.txt`))).toEqual([423, `/dav${box}/a.txt`]);
    const again = dav.at('/remote.php/dav/files/olga');
    expect(await refusal(again.transfer('MOVE', `${box}/b.txt`, `${box}/a.txt`))).toEqual([
      423,
      `/remote.php/dav/files/olga${box}/a.txt`,
    ]);
    await dav.lock(`${box}/sub`, { headers: { depth: 'infinity' } });
    expect(await refusal(dav.put(`${box}/sub/b.txt`, 'x'))).toEqual([423, `/dav${box}/sub`]);
  });

  it('as the caller reaches it, and nothing above a share', async () => {
    await household.share(`/ROOT/HOME/${name}/sub`, { uid: household.ids.ben, upload: 1, alter: 1, download: 1 });
    const shared = '/Shared%20with%20me/Mia/sub';
    const { token } = await dav.lock(`${box}/sub/b.txt`);
    expect(await refusal(ben.put(`${shared}/b.txt`, 'x'))).toEqual([423, `/dav${shared}/b.txt`]);
    await dav.send('UNLOCK', `${box}/sub/b.txt`, { headers: { 'lock-token': `<${token}>` } });
    expect((await dav.lock(box, { headers: { depth: 'infinity' } })).status).toBe(200);
    expect(await refusal(ben.put(`${shared}/new.txt`, 'x'))).toEqual([423, `/dav${shared}`]);
  });
});
