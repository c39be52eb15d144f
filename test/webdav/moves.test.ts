import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ApiClient } from '../support/requests/api-client.ts';
import { openSharingHousehold, type SharingHousehold } from '../support/requests/sharing.ts';
import { type DavClient, davClient, parsed } from '../support/webdav/dav-client.ts';

let household: SharingHousehold;
let olga: ApiClient;
let dav: DavClient;
let name = '';
let box = '';

beforeAll(async () => {
  household = await openSharingHousehold();
  olga = household.as('olga');
  dav = await davClient(olga);
});
afterAll(() => household?.close());
beforeEach(async () => {
  name = await household.newBox();
  box = `/My%20files/${name}`;
});

const content = (path: string) => readFile(household.at(`${name}/${path}`), 'utf8');
const info = async (path: string, details: readonly string[]) =>
  (await olga.get('files/info', { path: `/ROOT/HOME/${name}/${path}`, 'details[]': details })).body.data;
const trash = async () =>
  (await olga.get('files/browse', { path: '/TRASH' })).body.data.files.map(
    ({ filename }: { filename: string }) => filename,
  );

describe('MOVE', () => {
  it('renames, moves, and does both at once', async () => {
    expect((await dav.transfer('MOVE', `${box}/a.txt`, `${box}/b.txt`)).status).toBe(201);
    expect((await dav.transfer('MOVE', `${box}/b.txt`, `${box}/sub/b2.txt`)).status).toBe(201);
    expect((await dav.transfer('MOVE', `${box}/sub`, `${box}/sub%20two/`)).status).toBe(201);
    expect(await content('sub two/b2.txt')).toBe(`content of ${name}/a.txt`);
    expect(await content('sub two/b.txt')).toBe(`content of ${name}/sub/b.txt`);
  });

  it('onto a file creates its new version: uuid, share, link, star, tags, comments and history stay', async () => {
    const path = `/ROOT/HOME/${name}/a.txt`;
    const { uuid } = await info('a.txt', ['uuid']);
    await household.share(path, { uid: household.ids.ben, download: 1 });
    await olga.post('files/weblink', { path });
    await olga.post('files/star', { path });
    await olga.post('files/tags/add', { path, 'tags[]': 'kept' });
    await olga.post('files/comments/add', { path, comment: 'kept' });
    // As editors do it: the new content is written beside the file, and takes its place.
    await dav.put(`${box}/a.txt.tmp`, 'edited');
    expect((await dav.transfer('MOVE', `${box}/a.txt.tmp`, `${box}/a.txt`, { overwrite: 'T' })).status).toBe(204);
    expect(await content('a.txt')).toBe('edited');
    const after = await info('a.txt', ['uuid', 'version', 'isShared', 'hasWebLink', 'commentsCount']);
    expect(after).toMatchObject({ uuid, version: 2, isShared: true, hasWebLink: true, commentsCount: 1 });
    const { body } = await olga.get('files/versions/list', { path });
    expect(body.data.versions.map(({ size }: { size: number }) => size)).toEqual([
      6,
      `content of ${name}/a.txt`.length,
    ]);
    const { files } = (await olga.get('files/browse', { path: '/STARRED' })).body.data;
    expect(files.map((one: { path: string }) => one.path)).toContain(path);
    expect((await olga.get('files/metadata', { path })).body.data.tags).toEqual([
      expect.objectContaining({ text: 'kept' }),
    ]);
    const shared = (await household.as('ben').get('files/browse', { path: `/ROOT/${household.ids.olga}` })).body.data;
    expect(shared.files.map(({ filename }: { filename: string }) => filename)).toContain('a.txt');
    expect((await dav.propfind(`${box}/a.txt.tmp`, '0')).status).toBe(404);
  });

  it('onto a file does the same with versions off: the old content is in the trash', async () => {
    await household.control('settings.update', { versionsKept: 0 });
    try {
      const { uuid } = await info('a.txt', ['uuid']);
      await household.share(`/ROOT/HOME/${name}/a.txt`, { uid: household.ids.ben });
      await dav.put(`${box}/tmp`, 'edited');
      expect((await dav.transfer('MOVE', `${box}/tmp`, `${box}/a.txt`)).status).toBe(204);
      expect(await info('a.txt', ['uuid', 'isShared'])).toMatchObject({ uuid, isShared: true });
      expect(await trash()).toContain('a.txt');
    } finally {
      await household.control('settings.update', { versionsKept: 20 });
    }
  });

  it('onto a file keeps the properties that clients stored with it, and the moved file has not', async () => {
    await dav.put(`${box}/tmp`, 'edited');
    await store('a.txt', '<x xmlns="y">of the document</x><z xmlns="y">of the document</z>');
    await store('tmp', '<x xmlns="y">of the new file</x>');
    expect((await dav.transfer('MOVE', `${box}/tmp`, `${box}/a.txt`)).status).toBe(204);
    expect(await stored('a.txt')).toEqual({ x: 'of the new file', z: 'of the document' });
  });

  it('onto a folder moves that to the trash', async () => {
    expect((await dav.transfer('MOVE', `${box}/a.txt`, `${box}/sub`)).status).toBe(204);
    expect(await content('sub')).toBe(`content of ${name}/a.txt`);
    expect(await trash()).toContain('sub');
  });

  it('onto a companion in another home keeps no version of it', async () => {
    await household.share(`/ROOT/HOME/${name}`, { uid: household.ids.ben, upload: 1, alter: 1, download: 1 });
    const ben = await davClient(household.as('ben'));
    for (const [file, kept] of [
      ['._a.txt', 1],
      ['b.txt', 2],
    ] as const) {
      expect((await dav.put(`${box}/${file}`, 'first')).status).toBe(201);
      expect((await ben.put(`/My%20files/${file}`, 'second')).status).toBe(201);
      const moved = await ben.transfer('MOVE', `/My%20files/${file}`, `/Shared%20with%20me/Mia/${name}/${file}`);
      expect([file, moved.status, await content(file)]).toEqual([file, 204, 'second']);
      const { body } = await olga.get('files/versions/list', { path: `/ROOT/HOME/${name}/${file}` });
      expect([file, body.data.versions.length]).toEqual([file, kept]);
    }
  });

  it('that is refused does not change its destination', async () => {
    await household.share(`/ROOT/HOME/${name}`, { uid: household.ids.ben, upload: 1, alter: 1, download: 1 });
    await olga.post('files/lock', { path: `/ROOT/HOME/${name}/sub/b.txt` });
    await dav.send('MKCOL', `${box}/dest`);
    await dav.put(`${box}/dest/c.txt`, 'c');
    const ben = await davClient(household.as('ben'));
    const at = `/Shared%20with%20me/Mia/${name}`;
    // The destination is deleted first; then the lock of Olga refuses the move.
    expect((await ben.transfer('MOVE', `${at}/sub`, `${at}/a.txt`)).status).toBe(423);
    expect((await dav.transfer('MOVE', `${box}/sub`, `${box}/dest`, { 'if-match': '"other"' })).status).toBe(412);
    expect(await content('dest/c.txt')).toBe('c');
    expect(await content('sub/b.txt')).toBe(`content of ${name}/sub/b.txt`);
  });
});

/** Properties that a client stores with an item. */
const store = async (path: string, elements: string) => {
  const body = `<propertyupdate xmlns="DAV:"><set><prop>${elements}</prop></set></propertyupdate>`;
  expect((await dav.send('PROPPATCH', `${box}/${path}`, { body })).status).toBe(207);
};
const stored = async (path: string) => {
  const asked = '<propfind xmlns="DAV:"><prop><x xmlns="y"/><z xmlns="y"/></prop></propfind>';
  const [one] = parsed((await dav.propfind(`${box}/${path}`, '0', asked)).text).values();
  return Object.fromEntries(one?.found ?? []);
};

it.each(['MOVE', 'DELETE'])('%s of a file may have Depth: 0, that of a folder not', async (method) => {
  const send = (path: string, depth: string) =>
    dav.send(method, `${box}/${path}`, { headers: { depth, destination: `/dav${box}/moved` } });
  expect((await send('sub', '0')).status).toBe(400);
  expect((await send('a.txt', '1')).status).toBe(400);
  expect(await content('sub/b.txt')).toBe(`content of ${name}/sub/b.txt`);
  expect((await send('a.txt', '0')).status).toBeLessThan(300);
  expect((await dav.propfind(`${box}/a.txt`, '0')).status).toBe(404);
});

describe('COPY', () => {
  it('of a folder with Depth: 0 copies its properties, unless a condition does not hold', async () => {
    await store('sub', '<x xmlns="y">kept</x>');
    const copy = (to: string, headers = {}) =>
      dav.transfer('COPY', `${box}/sub`, `${box}/${to}`, { depth: '0', ...headers });
    for (const headers of [{ 'if-match': '"another"' }, { 'if-none-match': '*' }]) {
      expect((await copy('refused', headers)).status).toBe(412);
      expect((await copy('a.txt', headers)).status).toBe(412);
    }
    expect((await dav.propfind(`${box}/refused`, '0')).status).toBe(404);
    expect((await copy('copy', { 'if-match': '*' })).status).toBe(201);
    expect(await stored('copy')).toEqual({ x: 'kept' });
    expect(await readdir(household.at(`${name}/copy`))).toEqual([]);
    expect((await copy('a.txt', { 'if-match': '*' })).status).toBe(204);
    expect(await stored('a.txt')).toEqual({ x: 'kept' });
  });

  it('copies files and folders under another name, with the properties of clients', async () => {
    const body =
      '<d:propertyupdate xmlns:d="DAV:"><d:set><d:prop><x xmlns="y">kept</x></d:prop></d:set></d:propertyupdate>';
    expect((await dav.send('PROPPATCH', `${box}/sub/b.txt`, { body })).status).toBe(207);
    expect((await dav.transfer('COPY', `${box}/a.txt`, `${box}/copy.txt`)).status).toBe(201);
    expect((await dav.transfer('COPY', `${box}/sub`, `${box}/sub2`)).status).toBe(201);
    expect(await content('copy.txt')).toBe(await content('a.txt'));
    const asked = '<d:propfind xmlns:d="DAV:"><d:prop><x xmlns="y"/></d:prop></d:propfind>';
    expect((await dav.propfind(`${box}/sub2/b.txt`, '0', asked)).text).toContain('<x xmlns="y">kept</x>');
    expect((await dav.transfer('COPY', `${box}/sub`, `${box}/shallow`, { depth: '0' })).status).toBe(201);
    expect((await dav.propfind(`${box}/shallow/b.txt`, '0')).status).toBe(404);
  });

  it('onto a file creates its new version, and onto a folder moves that to the trash', async () => {
    const { uuid } = await info('a.txt', ['uuid']);
    expect((await dav.transfer('COPY', `${box}/sub/b.txt`, `${box}/a.txt`)).status).toBe(204);
    expect(await info('a.txt', ['uuid', 'version'])).toMatchObject({ uuid, version: 2 });
    expect((await dav.transfer('COPY', `${box}/sub`, `${box}/a.txt`)).status).toBe(204);
    expect((await stat(household.at(`${name}/a.txt`))).isDirectory()).toBe(true);
    expect((await trash()).filter((one: string) => one === 'a.txt').length).toBeGreaterThan(0);
  });
});

it.each(['COPY', 'MOVE'] as const)(
  '%s of many to one free name with Overwrite F succeeds once, and otherwise fails with 412',
  async (method) => {
    const names = Array.from({ length: 10 }, (_, n) => `${n}.txt`);
    for (const one of names) await writeFile(household.at(`${name}/${one}`), one);
    const replies = await Promise.all(
      names.map((one) => dav.transfer(method, `${box}/${one}`, `${box}/only.txt`, { overwrite: 'F' })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...names.slice(1).map(() => 412)]);
  },
);

it.each(['COPY', 'MOVE'] as const)('%s is refused if it is impossible', async (method) => {
  const to = (destination: string, headers: Record<string, string> = {}, path = `${box}/sub`) =>
    dav.send(method, path, { headers: { destination, ...headers } });
  const here = `/dav${box}`;
  const replies = [
    to('https://elsewhere.example/dav/My%20files/x'),
    to('/files/x'),
    to('x'),
    dav.send(method, `${box}/sub`),
    to(`${here}/sub/inside`),
    to(`${here}/sub`),
    to(here),
    to(`${here}/none/x`),
    to(`${here}/a.txt`, { overwrite: 'F' }),
    to(`${here}/x`, {}, `${box}/none`),
    to('/dav/Shared%20with%20me/x'),
    to('/dav/x'),
    to(`${here}/x`, { depth: '1' }),
    to(`${here}/co:n`),
    to(`${here}/x`, {}, '/My%20files'),
  ];
  const statuses = (await Promise.all(replies)).map(({ status }) => status);
  expect(statuses).toEqual([502, 502, 502, 400, 403, 403, 403, 409, 412, 404, 403, 403, 400, 403, 403]);
  expect(await content('a.txt')).toBe(`content of ${name}/a.txt`);
  expect(await content('sub/b.txt')).toBe(`content of ${name}/sub/b.txt`);
});

it('accepts absolute destinations, and aliases of the same files', async () => {
  const to = (destination: string, path: string) => dav.send('MOVE', path, { headers: { destination } });
  expect((await to(`${dav.base}/dav${box}/b.txt`, `${box}/a.txt`)).status).toBe(201);
  expect((await to(`/remote.php/dav/files/olga${box}/c.txt`, `${box}/b.txt`)).status).toBe(201);
  await writeFile(join(household.at(name), 'by hand.txt'), 'x');
  expect((await to(`/remote.php/webdav${box}/d.txt`, `${box}/by%20hand.txt`)).status).toBe(201);
  expect(await content('c.txt')).toBe(`content of ${name}/a.txt`);
  // Other names of this server, as behind a proxy that changes the header Host; the scheme does not matter.
  for (const [index, host] of ['localhost', `localhost:${household.port}`].entries()) {
    const [from, next] = [index === 0 ? 'c.txt' : 'e0.txt', `e${index}.txt`];
    expect((await to(`http://${host}/dav${box}/${next}`, `${box}/${from}`)).status, host).toBe(201);
  }
  // Some clients write the user name there that they were given with the address.
  expect((await to(`${dav.base.replace('//', '//olga@')}/dav${box}/g.txt`, `${box}/e1.txt`)).status).toBe(201);
  await dav.put(`${box}/e1.txt`, 'x');
  for (const host of [
    'olga@example.org',
    'localhost@example.org',
    'localhost:1',
    `example.org:${household.port}`,
    'example.org',
  ])
    expect((await to(`https://${host}/dav${box}/f.txt`, `${box}/e1.txt`)).status, host).toBe(502);
});
