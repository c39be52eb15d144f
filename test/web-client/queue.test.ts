import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { RequestError } from '../../dist/web-client-modules/lib/requests.js';
import { createJob, type UploadJob } from '../../dist/web-client-modules/upload/job.js';
import { createQueue, type FailureDecision } from '../../dist/web-client-modules/upload/queue.js';

type Job = UploadJob<null>;

interface Attempt {
  readonly job: Job;
  readonly signal: AbortSignal;
  succeed(): Promise<void>;
  fail(error?: RequestError): Promise<void>;
}

const noAnswer = new RequestError(0, '');
const jobOf = (name: string, refusal: string | null = null): Job =>
  createJob({ file: new File(['content'], name), name, target: null }, refusal);

let attempts: Attempt[];
let decision: FailureDecision;
let isReady: boolean;
let settled: string[];
let discarded: string[];

function queueOf(...names: string[]) {
  const queue = createQueue<null>({
    send: (job, signal) =>
      new Promise((resolve, reject) => {
        const settle = async (run: () => void) => {
          run();
          await vi.advanceTimersByTimeAsync(0);
        };
        attempts.push({
          job,
          signal,
          succeed: () => settle(resolve),
          fail: (error = noAnswer) => settle(() => reject(error)),
        });
        signal.addEventListener('abort', () => reject(new RequestError(0, '', 'aborted')));
      }),
    discard: ({ name }) => discarded.push(name),
    decide: () => decision,
    isReady: () => isReady,
    onChange: () => undefined,
    onSettled: ({ name, state }) => settled.push(`${name} ${state}`),
  });
  queue.add(names.map((name) => jobOf(name)));
  return queue;
}

const begun = () => attempts.map(({ job }) => job.name);
const states = (queue: ReturnType<typeof queueOf>) => queue.jobs.map(({ state }) => state);

beforeEach(() => {
  vi.useFakeTimers();
  attempts = [];
  settled = [];
  discarded = [];
  isReady = true;
  decision = { kind: 'back-off', message: (seconds) => `in ${seconds} s` };
  return () => vi.useRealTimers();
});
afterEach(() => vi.clearAllTimers());

describe('the queue', () => {
  it('sends three files at a time, in the order in which they were added', async () => {
    const queue = queueOf('a', 'b', 'c', 'd', 'e');
    expect(begun()).toEqual(['a', 'b', 'c']);
    await attempts[1]?.succeed();
    expect(begun()).toEqual(['a', 'b', 'c', 'd']);
    for (const attempt of attempts) await attempt.succeed();
    await attempts[4]?.succeed();
    expect(states(queue)).toEqual(['sent', 'sent', 'sent', 'sent', 'sent']);
    expect(settled).toEqual(['b sent', 'a sent', 'c sent', 'd sent', 'e sent']);
    expect(queue.isBusy()).toBe(false);
  });

  it('does not send files that were refused before', () => {
    const queue = queueOf();
    queue.add([jobOf('a', 'too large'), jobOf('b')]);
    expect(begun()).toEqual(['b']);
    expect(queue.jobs[0]).toMatchObject({ state: 'failed', message: 'too large', isFinal: true, isRefused: true });
  });

  it('starts nothing before it is ready', () => {
    isReady = false;
    const queue = queueOf('a');
    expect(begun()).toEqual([]);
    isReady = true;
    queue.start();
    expect(begun()).toEqual(['a']);
  });

  it('retries after an increasing delay, which it reports', async () => {
    const queue = queueOf('a');
    const [job] = queue.jobs;
    await attempts[0]?.fail();
    expect(job).toMatchObject({ state: 'paused', message: 'in 1 s', attempts: 1 });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun()).toEqual(['a', 'a']);
    await attempts[1]?.fail();
    expect(job?.message).toBe('in 2 s');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(job).toMatchObject({ state: 'paused', message: 'in 1 s' });
    await vi.advanceTimersByTimeAsync(1_000);
    expect(begun()).toEqual(['a', 'a', 'a']);
    await attempts[2]?.succeed();
    expect(settled).toEqual(['a sent']);
  });

  it('retries at once when the network is available again', async () => {
    const queue = queueOf('a');
    await attempts[0]?.fail();
    queue.wake();
    await vi.advanceTimersByTimeAsync(0);
    expect(begun()).toEqual(['a', 'a']);
  });

  it('keeps the slots of files that wait for another attempt', async () => {
    queueOf('a', 'b', 'c', 'd');
    await attempts[0]?.fail();
    expect(begun()).toEqual(['a', 'b', 'c']);
  });

  it('resets the progress to the stored bytes after a failure', async () => {
    const queue = queueOf('a');
    const [job] = queue.jobs;
    if (job === undefined) throw new Error('there is one');
    Object.assign(job, { sent: 7, stored: 3 });
    await attempts[0]?.fail();
    expect(job.sent).toBe(3);
  });

  it('marks a file as failed, and retries it on request', async () => {
    decision = { kind: 'fail', message: 'no room' };
    const queue = queueOf('a');
    const [job] = queue.jobs;
    await attempts[0]?.fail();
    expect(job).toMatchObject({ state: 'failed', message: 'no room', isFinal: false });
    expect([settled, discarded]).toEqual([['a failed'], []]);
    if (job !== undefined) queue.retry(job);
    expect(begun()).toEqual(['a', 'a']);
    decision = { kind: 'fail', message: 'gone', isFinal: true, isDiscarded: true };
    await attempts[1]?.fail();
    expect([job?.isFinal, discarded]).toEqual([true, ['a']]);
  });

  it('keeps all files waiting while it is not ready, without retrying in a loop', async () => {
    decision = { kind: 'requeue' };
    const queue = queueOf('a', 'b');
    isReady = false;
    await attempts[0]?.fail();
    await attempts[1]?.fail();
    expect([states(queue), begun()]).toEqual([
      ['waiting', 'waiting'],
      ['a', 'b'],
    ]);
  });

  it('cancels files that are being sent, wait for another attempt, or have not started', async () => {
    const queue = queueOf('a', 'b', 'c', 'd');
    await attempts[1]?.fail();
    for (const job of [...queue.jobs]) if (job.name !== 'c') queue.cancel(job);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(attempts[0]?.signal.aborted).toBe(true);
    expect(states(queue)).toEqual(['cancelled', 'cancelled', 'sending', 'cancelled']);
    expect([begun(), discarded]).toEqual([
      ['a', 'b', 'c'],
      ['a', 'b', 'd'],
    ]);
  });

  it('empties the list', async () => {
    const queue = queueOf('a', 'b');
    await attempts[0]?.succeed();
    queue.cancelAll();
    await vi.advanceTimersByTimeAsync(60_000);
    expect([queue.jobs.length, discarded, queue.isBusy()]).toEqual([0, ['b'], false]);
  });

  it('closes permanently: nothing is discarded, and nothing more starts', async () => {
    decision = { kind: 'close' };
    const queue = queueOf('a', 'b', 'c', 'd');
    await attempts[0]?.fail();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(states(queue)).toEqual(['failed', 'failed', 'failed', 'failed']);
    expect(queue.jobs.every(({ isFinal }) => isFinal)).toBe(true);
    queue.add([jobOf('e')]);
    expect([begun(), discarded, queue.isClosed()]).toEqual([['a', 'b', 'c'], [], true]);
  });
});
