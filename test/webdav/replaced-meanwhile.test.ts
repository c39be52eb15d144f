import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../support/households/household.ts';
import { type DavClient, davClient } from '../support/webdav/dav-client.ts';

// What changes between the moment when a replaced folder goes to the trash and the moment when the source takes its name.

const POINT = 'webdav.replace.trashed';

let points: string;
let household: Household;
let dav: DavClient;
let other: DavClient;

beforeAll(async () => {
  points = await mkdtemp(join(tmpdir(), 'larder-replaced-'));
  household = await openHousehold();
  await household.restart({ failPoints: `${points};${POINT}=pause` });
  const api = await household.signIn();
  dav = await davClient(api);
  other = await davClient(api);
});
afterAll(async () => {
  await household?.close();
  await rm(points, { recursive: true, force: true });
});

const at = (name: string) => join(household.home, name);
const tagOf = async (name: string) =>
  (await dav.propfind(`/My%20files/${name}`, '0', '<propfind xmlns="DAV:"><prop><getetag/></prop></propfind>')).text
    .match(/<d:getetag>([^<]+)</)?.[1]
    ?.replaceAll('&quot;', '"');

it.each(['MOVE', 'COPY'] as const)('%s over a folder evaluates If again when the folder has gone', async (method) => {
  const box = method.toLowerCase();
  for (const folder of ['from', 'to']) await mkdir(at(`${box}/${folder}`), { recursive: true });
  await writeFile(at(`${box}/from/new.txt`), 'new');
  await writeFile(at(`${box}/to/old.txt`), 'old');
  await writeFile(at(`${box}/state.txt`), 'before');
  const [state, replaced] = [await tagOf(`${box}/state.txt`), await tagOf(`${box}/to/`)];
  const resource = (name: string) => `<${dav.base}/dav/My%20files/${box}/${name}>`;

  /** Replaces the folder, with something done while it is in the trash. */
  const replace = async (condition: string, meanwhile: () => Promise<unknown>) => {
    for (const sign of ['reached', 'go']) await rm(join(points, `${POINT}.${sign}`), { force: true });
    const [from, to] = [`/My%20files/${box}/from`, `/My%20files/${box}/to`];
    const reply = dav.transfer(method, from, to, { if: condition });
    await expect.poll(() => existsSync(join(points, `${POINT}.reached`))).toBe(true);
    await meanwhile();
    await writeFile(join(points, `${POINT}.go`), '');
    return (await reply).status;
  };
  const change = () => other.put(`/My%20files/${box}/state.txt`, 'after');

  expect(await replace(`${resource('state.txt')} ([${state}])`, change)).toBe(412);
  expect(await readdir(at(`${box}/to`))).toEqual(['old.txt']);
  expect(await readFile(at(`${box}/from/new.txt`), 'utf8')).toBe('new');

  // The folder had the tag, and it is this request that has taken it away.
  const both = `${resource('to/')} ([${replaced}]) ${resource('state.txt')} ([${state}])`;
  expect(await replace(both, change)).toBe(204);
  expect(await readdir(at(`${box}/to`))).toEqual(['new.txt']);
});

it.each(['MOVE', 'COPY'] as const)('%s over a folder may refer to the folder around it', async (method) => {
  const box = `around-${method}`;
  const path = `/My%20files/${box}`;
  for (const folder of ['', '/from', '/to']) await dav.send('MKCOL', `${path}${folder}`);
  await dav.put(`${path}/from/new.txt`, 'new');
  const tag = await tagOf(`${box}/`);
  await writeFile(join(points, `${POINT}.go`), '');
  const condition = `<${dav.base}/dav${path}/> ([${tag}])`;
  expect((await dav.transfer(method, `${path}/from`, `${path}/to`, { if: condition })).status).toBe(204);
  expect(await readdir(at(`${box}/to`))).toEqual(['new.txt']);
});
