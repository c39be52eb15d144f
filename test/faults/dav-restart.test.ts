import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { itInFull } from '../support/forms.ts';
import { Installation } from '../support/households/server-process.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

let installation: Installation;
/** The address of the server changes with each start; the app password stays. */
let dav: DavClient;
beforeAll(async () => {
  installation = await Installation.create();
  dav = await davClient(await installation.start());
});
afterAll(async () => {
  await installation.kill();
  await installation.remove();
});

async function startAgain(): Promise<void> {
  await installation.kill();
  dav = dav.over(await installation.start());
}

const set = (path: string, value: string) =>
  dav.send('PROPPATCH', path, {
    body: `<?xml version="1.0"?><D:propertyupdate xmlns:D="DAV:" xmlns:Z="urn:z"><D:set><D:prop><Z:one>${value}</Z:one><Z:two>${value}</Z:two></D:prop></D:set></D:propertyupdate>`,
  });
const PROPERTIES = `<?xml version="1.0"?><D:propfind xmlns:D="DAV:" xmlns:Z="urn:z"><D:prop><Z:one/><Z:two/></D:prop></D:propfind>`;

/** Both properties of a file. */
async function both(path: string): Promise<(string | undefined)[]> {
  const { text } = await dav.propfind(path, '0', PROPERTIES);
  const [{ found } = { found: new Map<string, string>() }] = parsed(text).values();
  return [found.get('one'), found.get('two')];
}

describe('the server is killed', () => {
  it('after LOCK: the lock remains, and writes are accepted only with its token', async () => {
    await dav.put('/My%20files/locked.txt', 'one');
    const { status, token } = await dav.lock('/My%20files/locked.txt');
    expect(status).toBe(200);
    await startAgain();
    expect((await dav.put('/My%20files/locked.txt', 'two')).status).toBe(423);
    expect((await dav.put('/My%20files/locked.txt', 'two', { if: `(<${token}>)` })).status).toBe(204);
    const unlock = { headers: { 'lock-token': `<${token}>` } };
    expect((await dav.send('UNLOCK', '/My%20files/locked.txt', unlock)).status).toBe(204);
    await startAgain();
    expect((await dav.put('/My%20files/locked.txt', 'three')).status).toBe(204);
  });

  itInFull('after LOCK of a free name: the empty file exists and is locked', async () => {
    const { status, token } = await dav.lock('/My%20files/new.txt');
    expect(status).toBe(201);
    await startAgain();
    expect((await dav.send('GET', '/My%20files/new.txt')).text).toBe('');
    expect((await dav.put('/My%20files/new.txt', 'a')).status).toBe(423);
    expect((await dav.put('/My%20files/new.txt', 'a', { if: `(<${token}>)` })).status).toBe(204);
  });

  it('during PROPPATCH: acknowledged properties are stored, and no request is applied partly', async () => {
    const paths = Array.from({ length: 60 }, (_, index) => `/My%20files/p${index}.txt`);
    for (const path of paths) await dav.put(path, 'content');
    const answered = new Set<string>();
    let first = () => {};
    const begun = new Promise<void>((resolve) => {
      first = resolve;
    });
    const requests = paths.map(async (path) => {
      const { status, text } = await set(path, 'after');
      if (status !== 207 || !text.includes('200 OK')) throw new Error(`${status} ${text}`);
      answered.add(path);
      if (answered.size === 10) first();
    });
    const all = Promise.allSettled(requests);
    await Promise.race([begun, all]);
    const known = [...answered];
    await startAgain();
    await all;
    expect(known.length).toBeGreaterThanOrEqual(10);
    for (const path of paths) {
      const [one, two] = await both(path);
      expect([one, two], path).toEqual(answered.has(path) ? ['after', 'after'] : [one, one]);
    }
  });

  itInFull('after MOVE and COPY: dead properties are with the item', async () => {
    await dav.put('/My%20files/props.txt', 'content');
    await set('/My%20files/props.txt', 'kept');
    expect((await dav.transfer('COPY', '/My%20files/props.txt', '/My%20files/copied.txt')).status).toBe(201);
    expect((await dav.transfer('MOVE', '/My%20files/props.txt', '/My%20files/moved.txt')).status).toBe(201);
    await startAgain();
    expect(await both('/My%20files/copied.txt')).toEqual(['kept', 'kept']);
    expect(await both('/My%20files/moved.txt')).toEqual(['kept', 'kept']);
    expect((await dav.send('GET', '/My%20files/props.txt')).status).toBe(404);
  });
});
