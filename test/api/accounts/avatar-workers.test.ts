import { afterEach, expect, it } from 'vitest';
import { forkWorker } from '../../../dist/server/workers/pool/fork-worker.js';
import type { WorkerProcess } from '../../../dist/server/workers/pool/worker-process.js';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { quarters } from '../../workers/mutations/corpus.ts';
import { isAlive } from '../../workers/support.ts';

const AVATAR = '/api.php/account/avatar';

let household: Household;
const pids: number[] = [];

afterEach(async () => {
  await household.close();
  expect(pids.splice(0).filter(isAlive), 'processes that are left').toEqual([]);
});

/** A household whose workers get their first job in another way. */
async function open(firstPost: (made: WorkerProcess, post: () => void) => void) {
  household = await openHousehold({
    spawnWorker: (entry) => {
      const made = forkWorker(entry);
      pids.push(made.pid ?? 0);
      if (pids.length > 1) return made;
      return { ...made, post: (message) => firstPost(made, () => made.post(message)) };
    },
  });
  const api = await household.signIn();
  const body = await quarters().png().toBuffer();
  return () => api.send('PUT', AVATAR, { body });
}

it('starts no process until an image has to be decoded, and leaves none running', async () => {
  const put = await open((_made, post) => post());
  expect(pids).toEqual([]);
  expect((await put()).status).toBe(200);
  expect(pids.map(isAlive)).toEqual([true]);
});

it('reports a damaged file when the decoder crashes, logs it, and decodes the next one', async () => {
  const put = await open((made, post) => {
    // In this order: a worker that is killed afterwards could have answered already.
    made.kill();
    post();
  });
  const reply = await put();
  expect([reply.status, reply.body.code]).toEqual([422, 'corrupt_file']);
  expect(household.logged()).toContain('"reason":"crashed","detail":"the worker ended by itself: SIGKILL"');
  expect((await put()).status).toBe(200);
});

it('closes during a job', async () => {
  const put = await open(() => undefined);
  const sending = put().then(
    ({ status }) => status,
    () => 'broken off',
  );
  await expect.poll(() => pids.length).toBe(1);
  await household.larder.close();
  // It is ended, rather than waited for until it would be given up.
  expect(household.logged()).not.toContain('"reason":"timeout"');
  expect(pids.filter(isAlive)).toEqual([]);
  expect([503, 'broken off']).toContain(await sending);
  expect(household.logged()).not.toContain('unexpected failure');
});
