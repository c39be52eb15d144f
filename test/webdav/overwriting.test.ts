import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { DiskWorker } from '../../dist/server/storage/disk/disk-worker.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

let household: Household;
let api: ApiClient;
let dav: DavClient;
let name = '';
let box = '';
let next = 0;

beforeAll(async () => {
  household = await openHousehold();
  api = await household.signIn();
  dav = await davClient(api);
});
afterAll(() => household?.close());
beforeEach(async () => {
  next += 1;
  name = `box${next}`;
  box = `/My%20files/${name}`;
  await mkdir(join(household.home, name));
});
afterEach(() => vi.restoreAllMocks());

const at = (path: string) => join(household.home, name, path);

/** Lets so many requests see the destination as it is before any of them goes on. */
function togetherAt(destination: string, requests: number): void {
  let arrived = 0;
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  const ask = DiskWorker.prototype.ask;
  vi.spyOn(DiskWorker.prototype, 'ask').mockImplementation(function (this: DiskWorker, call) {
    const { segments = [] } = call.input as { segments?: readonly string[] };
    const isMeant = call.operation === 'stat' && segments.join('/') === `${name}/${destination}` && arrived < requests;
    if (!isMeant) return ask.call(this, call);
    arrived += 1;
    if (arrived === requests) open();
    const wait =
      <Result>(settle: (result: Result) => void) =>
      (result: Result) =>
        void opened.then(() => settle(result));
    const held = { ...call, resolve: wait(call.resolve), reject: wait(call.reject) };
    return ask.call(this, held as typeof call);
  });
}

describe.each(['COPY', 'MOVE'] as const)('several %s to one name', (method) => {
  const NAMES = ['one', 'two', 'three'];
  const transfer = (from: string, overwrite: string) =>
    dav.transfer(method, `${box}/${from}`, `${box}/target`, { overwrite }).then(({ status }) => status);

  it('of files all succeed with overwriting, and each content is kept', async () => {
    for (const file of NAMES) await dav.put(`${box}/${file}`, file);
    togetherAt('target', NAMES.length);
    const statuses = await Promise.all(NAMES.map((file) => transfer(file, 'T')));
    expect(statuses.sort()).toEqual([201, 204, 204]);
    expect((await readdir(at(''))).sort()).toEqual(method === 'MOVE' ? ['target'] : ['one', 'target', 'three', 'two']);
    const path = `/ROOT/HOME/${name}/target`;
    const { versions } = (await api.get('files/versions/list', { path })).body.data;
    const contents = await Promise.all(
      versions.map(
        async ({ version }: { version: number }) => (await api.get('files/download', { path, version })).text,
      ),
    );
    expect(contents.sort()).toEqual([...NAMES].sort());
  });

  it('of folders all succeed with overwriting, and the replaced ones are in the trash', async () => {
    for (const folder of NAMES) {
      await mkdir(at(folder));
      await writeFile(join(at(folder), 'file'), folder);
    }
    togetherAt('target', NAMES.length);
    const statuses = await Promise.all(NAMES.map((folder) => transfer(folder, 'T')));
    // One that comes while another one has just put the folder into the trash finds nothing to replace.
    for (const status of statuses) expect([201, 204]).toContain(status);
    expect((await readdir(at(''))).sort()).toEqual(method === 'MOVE' ? ['target'] : ['one', 'target', 'three', 'two']);
    expect(NAMES).toContain(await readFile(at('target/file'), 'utf8'));
    const { files } = (await api.get('files/browse', { path: '/TRASH' })).body.data;
    expect(files.filter(({ filename }: { filename: string }) => filename === 'target')).toHaveLength(2);
    await api.post('files/trash/empty');
  });

  it('succeed once without overwriting', async () => {
    for (const file of NAMES) await dav.put(`${box}/${file}`, file);
    togetherAt('target', NAMES.length);
    const statuses = await Promise.all(NAMES.map((file) => transfer(file, 'F')));
    expect(statuses.sort()).toEqual([201, 412, 412]);
  });
});

it('several COPY onto one folder all succeed', async () => {
  const names = ['one', 'two'];
  for (const folder of [...names, 'target']) await mkdir(at(folder));
  togetherAt('target', names.length);
  const statuses = await Promise.all(
    names.map((folder) => dav.transfer('COPY', `${box}/${folder}`, `${box}/target`).then(({ status }) => status)),
  );
  for (const status of statuses) expect([201, 204]).toContain(status);
  expect((await readdir(at(''))).sort()).toEqual(['one', 'target', 'two']);
});
