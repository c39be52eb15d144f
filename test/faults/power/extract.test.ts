import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { lanAddresses } from '../../../dist/server/tls/lan-addresses.js';
import { buildZip } from '../../support/content/build-zip.ts';
import { itInFull } from '../../support/forms.ts';
import { openHousehold } from '../../support/households/household.ts';
import { startServer } from '../../support/households/server-process.ts';
import { ApiClient, encodeQuery } from '../../support/requests/api-client.ts';
import { isAlive } from '../../workers/support.ts';
import { areaOf, expectAllWell } from '../support.ts';

/** So many that it takes a while. */
const MANY = Array.from({ length: 8_000 }, (_, index) => ({ name: `${index % 100}/${index}.txt`, content: 'leaf' }));
const FORM = { path: '/ROOT/HOME/many.zip', extractTo: '/ROOT/HOME/to' };

async function prepared() {
  const household = await openHousehold({ addresses: lanAddresses });
  await mkdir(join(household.home, 'to'));
  await writeFile(join(household.home, 'many.zip'), buildZip(MANY));
  return { household, token: (await household.signIn()).token_ ?? '' };
}

/** Something of it lies on the disk. */
async function begun(incoming: string): Promise<void> {
  const count = async () => (await readdir(incoming, { recursive: true })).length;
  await expect.poll(count).toBeGreaterThan(200);
}

/** The processes that a process has started; none where the system does not say so. */
async function childrenOf(pid: number): Promise<number[]> {
  if (process.platform !== 'linux') return [];
  const threads = await readdir(`/proc/${pid}/task`);
  const lists = await Promise.all(threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8')));
  return lists.join(' ').trim().split(/\s+/).filter(Boolean).map(Number);
}

it('an extraction leaves nothing behind if the server is killed in its middle', async () => {
  const { household, token } = await prepared();
  const incoming = join(household.folder, '.larder', 'incoming');
  await household.whileStopped(async () => {
    const { child, port } = await startServer(household.folder);
    const work = new ApiClient({ port, ca: household.ca, token }).post('files/extract', FORM);
    const ended = Promise.all([once(child, 'exit'), expect(work).rejects.toThrow()]);
    await begun(incoming);
    const workers = await childrenOf(child.pid ?? 0);
    child.kill('SIGKILL');
    await ended;
    // Its worker ends with it, and not after its work.
    await expect.poll(() => workers.filter(isAlive)).toEqual([]);
    expect((await readdir(incoming, { recursive: true })).length).toBeLessThan(MANY.length);
  });
  expect(await readdir(join(household.home, 'to'))).toEqual([]);
  await expectAllWell(household);
  await household.close();
});

itInFull('an extraction ends when the server is stopped, within its grace period', async () => {
  const { household, token } = await prepared();
  const { port, ca } = household;
  const work = new ApiClient({ port, ca, token }).post('files/extract', FORM).then(
    ({ status }) => status,
    () => 0,
  );
  await begun(join(household.folder, '.larder', 'incoming'));
  await household.restart();
  expect([0, 503]).toContain(await work);
  expect(await readdir(join(household.home, 'to'))).toEqual([]);
  await expect.poll(() => areaOf(household, 'incoming')).toEqual([]);
  await expectAllWell(household);
  await household.close();
});

itInFull('an extraction continues without its client', async () => {
  const { household, token } = await prepared();
  const { port, ca } = household;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
  const asking = request({ port, ca, host: '127.0.0.1', method: 'POST', path: '/api.php/files/extract', headers });
  const failed = once(asking, 'error');
  asking.end(encodeQuery(FORM));
  await begun(join(household.folder, '.larder', 'incoming'));
  asking.destroy(new Error('gone'));
  await failed;
  const appeared = () => readdir(join(household.home, 'to'));
  await expect.poll(appeared).toEqual(['many']);
  expect(await readdir(join(household.home, 'to', 'many'), { recursive: true })).toHaveLength(8_100);
  await expect.poll(() => areaOf(household, 'incoming')).toEqual([]);
  await household.close();
});
