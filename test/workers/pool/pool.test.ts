import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { whenFree } from '../../../dist/server/workers/pool/when-free.js';
import { createWorkerPool, type PoolLimits } from '../../../dist/server/workers/pool/worker-pool.js';
import type { WorkerProcess } from '../../../dist/server/workers/pool/worker-process.js';
import { itInFull } from '../../support/forms.ts';
import { heldJob, isAlive, log, measuredFirst, oddJobs, openOddPool, outcomeOf } from '../support.ts';

let opened: ReturnType<typeof openOddPool>;

function open(limits: Partial<PoolLimits> = {}, change?: (made: WorkerProcess) => WorkerProcess) {
  opened = openOddPool(limits, change);
  return opened;
}

/** Of this process, in which the pool supervises its workers; those have clocks of their own. */
const TIMERS = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;

afterEach(async () => {
  vi.useRealTimers();
  await opened.pool.close();
  expect(opened.pids.filter(isAlive), 'processes that are left').toEqual([]);
});

describe('a pool of workers', () => {
  it('starts one for the first job, reuses it, and ends it when idle', async () => {
    const { pool, pids } = open({ idle: 300 });
    expect(pids).toEqual([]);
    const bytes = Buffer.from('some bytes');
    expect(await pool.run('echo', { bytes, list: [1, 'two', null] })).toEqual({ bytes, list: [1, 'two', null] });
    const large = Buffer.alloc(20 * 1024 * 1024, 7);
    expect(large.equals((await pool.run('echo', large)) as Buffer)).toBe(true);
    expect(pids.map(isAlive)).toEqual([true]);
    await expect.poll(() => pids.some(isAlive)).toBe(false);
    expect(await pool.run('echo', 1)).toBe(1);
    expect(pids).toHaveLength(2);
  });

  it('runs two jobs at a time, queues others, and refuses jobs beyond the limit', async () => {
    const { pool, pids } = open({ waiting: 4 });
    const path = join(tmpdir(), 'larder-test-many');
    const { hasBegun, goOn } = heldJob(path);
    const outcomes = Array.from({ length: 10 }, () => outcomeOf(pool.run('held', path)));
    expect(await Promise.all(outcomes.slice(6))).toEqual(Array(4).fill('busy'));
    await hasBegun();
    await goOn();
    expect(await Promise.all(outcomes.slice(0, 6))).toEqual(Array(6).fill('done'));
    await Promise.all(['begun', 'go'].map((name) => rm(`${path}.${name}`, { force: true })));
    expect(new Set(pids).size).toBe(2);
    expect(await outcomeOf(pool.run('echo', 'next'))).toBe('done');
  });

  it('starts a worker for each of two jobs if both previous workers ended at the same time', async () => {
    const exits: (() => void)[] = [];
    let isHeld = true;
    const { pool, pids } = open({}, (made) => ({
      ...made,
      onExit: (listener) =>
        made.onExit((how) => {
          if (isHeld) exits.push(() => listener(how));
          else listener(how);
        }),
    }));
    // Their answers are refused, and they are killed.
    const refused = [1, 2].map(() => outcomeOf(pool.run('babble', null)));
    expect(await Promise.all(refused)).toEqual(['crashed', 'crashed']);
    const jobs = [3, 4].map((number) => pool.run('echo', number));
    await expect.poll(() => exits.length).toBe(2);
    isHeld = false;
    for (const exit of exits) exit();
    expect(await Promise.all(jobs)).toEqual([3, 4]);
    expect(pids).toHaveLength(4);
  });

  it('runs a background job once a place is free', async () => {
    const { pool } = open({ workers: 1, waiting: 1 });
    const path = join(tmpdir(), 'larder-test-room');
    const { hasBegun, goOn } = heldJob(path);
    const held = pool.run('held', path);
    await hasBegun();
    const waiting = pool.run('echo', 'first');
    let tries = 0;
    const controller = new AbortController();
    const run = () => {
      tries += 1;
      return pool.run('echo', 'background');
    };
    const inBackground = whenFree(run, controller.signal, 1);
    const aborted = whenFree(() => pool.run('echo', 'aborted'), AbortSignal.abort(new Error('stopped')), 1);
    await expect(aborted).rejects.toThrow('stopped');
    await expect.poll(() => tries).toBeGreaterThan(2);
    await goOn();
    expect(await Promise.all([waiting, inBackground])).toEqual(['first', 'background']);
    await held;
    await Promise.all(['begun', 'go'].map((name) => rm(`${path}.${name}`, { force: true })));
  });

  it('alternates between callers: jobs of a link do not delay those of an account', async () => {
    const { pool } = open({ workers: 1 });
    const path = join(tmpdir(), 'larder-test-turns');
    const { hasBegun, goOn } = heldJob(path);
    const held = pool.run('held', path);
    await hasBegun();
    const order: unknown[] = [];
    const run = (kind: string, id: string, name: string) =>
      pool.run('echo', name, { kind, id }).then((echoed) => order.push(echoed));
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => run('link', 'a', name));
    all.push(run('link', 'b', 'b1'), run('account', '1', 'mia1'), run('account', '1', 'mia2'));
    await goOn();
    await Promise.all([held, ...all]);
    expect(order).toEqual(['a1', 'mia1', 'b1', 'mia2', 'a2', 'a3', 'a4']);
    await Promise.all(['begun', 'go'].map((name) => rm(`${path}.${name}`, { force: true })));
  });

  it('kills a worker that hangs, and runs the next job in another one', async () => {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    const { pool, pids } = open({ deadline: 3_000, workers: 1 });
    const hanging = outcomeOf(pool.run('hang', undefined));
    const next = pool.run('echo', 'next');
    vi.advanceTimersByTime(3_000);
    expect(await hanging).toBe('timeout');
    expect(await next).toBe('next');
    expect(pids.map(isAlive)).toEqual([false, true]);
  });

  it.each(['exit', 'abort', 'throw'] as const)('continues after a worker ends by %s', async (job) => {
    const { pool, pids } = open({ workers: 1 });
    expect(await outcomeOf(pool.run(job, undefined))).toBe('crashed');
    expect(await pool.run('echo', 'next')).toBe('next');
    expect(pids).toHaveLength(2);
  });

  it('continues after a worker is killed from outside, busy or idle', async () => {
    let exits = 0;
    const { pool, pids } = open({ workers: 1 }, (made) => {
      made.onExit(() => (exits += 1));
      return made;
    });
    const outcome = outcomeOf(pool.run('endless', undefined));
    process.kill(pids[0] ?? 0, 'SIGKILL');
    expect(await outcome).toBe('crashed');
    expect(await pool.run('echo', 'next')).toBe('next');
    process.kill(pids[1] ?? 0, 'SIGKILL');
    await expect.poll(() => exits).toBe(2);
    expect(await pool.run('echo', 'after')).toBe('after');
    expect(pids).toHaveLength(3);
  });

  it('reuses a worker after a failed job', async () => {
    const { pool, pids } = open();
    expect(await outcomeOf(pool.run('reject', undefined))).toBe('crashed');
    expect(await pool.run('echo', 'next')).toBe('next');
    expect(pids).toHaveLength(1);
  });

  it.each([
    ['the system says', undefined],
    ['it says itself', async () => null],
  ])('kills a worker that uses too much memory, as %s', async (_who, residentBytes) => {
    const { pool, pids } = open({ residentBytes: 200 * 1024 * 1024 }, (made) => ({
      ...made,
      residentBytes: residentBytes ?? made.residentBytes,
    }));
    expect(await outcomeOf(pool.run('bloat', undefined))).toBe('too_large');
    expect(await pool.run('echo', 'next')).toBe('next');
    expect(pids.map(isAlive)).toEqual([false, true]);
  });

  it.each([
    ['nonsense', 'hello'],
    ['nothing', null],
    ['another output than the job has', { id: 0, output: 'text' }],
    ['a failure that there is not', { id: 0, failure: 'odd', detail: '' }],
  ])('ends a worker that answers with %s', async (_what, message) => {
    const { pool, pids } = open();
    expect(await outcomeOf(pool.run('babble', message))).toBe('crashed');
    expect(await pool.run('echo', 'next')).toBe('next');
    expect(pids).toHaveLength(2);
  });

  itInFull('does not count the leftover memory of one job for the next one', async () => {
    const { pool, pids } = open({ residentBytes: 240 * 1024 * 1024, workers: 1 }, measuredFirst);
    for (let job = 0; job < 3; job++) expect(await outcomeOf(pool.run('keep', 110))).toBe('done');
    expect(pids).toHaveLength(3);
    expect(await outcomeOf(pool.run('keep', 300))).toBe('too_large');
    const [one, other] = [await pool.run('keep', 1), await pool.run('keep', 1)];
    expect(one).toBe(other);
  });

  it('ignores the answer to a job that it did not assign', async () => {
    vi.useFakeTimers({ toFake: [...TIMERS] });
    let heard = 0;
    const { pool } = open({ deadline: 2_000 }, (made) => {
      made.onMessage(() => (heard += 1));
      return made;
    });
    const outcome = outcomeOf(pool.run('babble', { id: 77, output: 'text' }));
    await expect.poll(() => heard).toBeGreaterThan(0);
    vi.advanceTimersByTime(2_000);
    expect(await outcome).toBe('timeout');
  });

  it('fails running and waiting jobs when it is closed, and refuses new ones', async () => {
    const { pool, pids } = open({ workers: 1 });
    const outcomes = [pool.run('hang', undefined), pool.run('echo', 1)].map(outcomeOf);
    await pool.close();
    expect(pids.filter(isAlive)).toEqual([]);
    expect(await Promise.all(outcomes)).toEqual(['stopped', 'stopped']);
    expect(await outcomeOf(pool.run('echo', 1))).toBe('stopped');
    expect(pids).toHaveLength(1);
  });

  it('fails a job that waits for the end of a killed process when it is closed', async () => {
    const kills: (() => void)[] = [];
    const { pool, pids } = open({ workers: 1 }, (made) => ({
      ...made,
      kill: () => void kills.push(() => made.kill()),
    }));
    expect(await outcomeOf(pool.run('babble', 'nonsense'))).toBe('crashed');
    const waiting = outcomeOf(pool.run('echo', 1));
    const closing = pool.close();
    expect(await waiting).toBe('stopped');
    expect(pids.map(isAlive)).toEqual([true]);
    for (const kill of kills) kill();
    await closing;
  });

  it('reports a failure for each job if no process can be started', async () => {
    open();
    const cannot = createWorkerPool({
      jobs: oddJobs,
      log,
      spawnWorker: () => {
        throw new Error('EAGAIN');
      },
    });
    expect(await Promise.all([outcomeOf(cannot.run('echo', 1)), outcomeOf(cannot.run('echo', 2))])).toEqual([
      'busy',
      'busy',
    ]);
    await cannot.close();
  });
});
