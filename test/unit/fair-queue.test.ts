import { expect, it } from 'vitest';
import { FairQueue, QueueFull } from '../../dist/server/lib/concurrency/fair-queue.js';

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** Work that ends when the test releases it. */
function gate() {
  const opens: (() => void)[] = [];
  const done: string[] = [];
  const work = (name: string) => async () => {
    await new Promise<void>((resolve) => opens.push(resolve));
    done.push(name);
  };
  const openAll = async () => {
    for (let i = 0; i < 500; i += 1) {
      opens.shift()?.();
      await settle();
    }
  };
  return { work, done, openAll };
}

it('runs one task at a time, alternating between groups', async () => {
  const queue = new FairQueue(100);
  const { work, done, openAll } = gate();
  const all = ['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map((name) => queue.run(name.slice(0, 1), work(name)));
  await openAll();
  await Promise.all(all);
  expect(done).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

it('rejects surplus tasks of the group with the most waiting ones', async () => {
  const queue = new FairQueue(10);
  const { work, done, openAll } = gate();
  const outcome = (name: string) =>
    queue.run(name.slice(0, 1), work(name)).then(
      () => 'done',
      (error) => (error instanceof QueueFull ? 'refused' : 'failed'),
    );
  const flood = Array.from({ length: 300 }, (_, index) => outcome(`a${index}`));
  const others = ['b1', 'c1', 'd1'].map(outcome);
  await openAll();
  expect(await Promise.all(others)).toEqual(['done', 'done', 'done']);
  const outcomes = await Promise.all(flood);
  expect(outcomes.filter((one) => one === 'done')).toHaveLength(8);
  expect(outcomes.filter((one) => one === 'refused')).toHaveLength(292);
  expect(done.slice(0, 5)).toEqual(['a0', 'a1', 'b1', 'c1', 'd1']);
  expect(await Promise.all([outcome('a'), openAll()])).toEqual(['done', undefined]);
});

it('rejects a new task if all groups have equally many', async () => {
  const queue = new FairQueue(3);
  const { work, openAll } = gate();
  const running = queue.run('x', work('x'));
  const waiting = ['a', 'b', 'c'].map((name) => queue.run(name, work(name)));
  await expect(queue.run('d', work('d'))).rejects.toThrow(QueueFull);
  await openAll();
  await Promise.all([running, ...waiting]);
});

it('continues after a failed task', async () => {
  const queue = new FairQueue(3);
  const failing = queue.run('a', () => Promise.reject(new Error('no')));
  const next = queue.run('a', async () => 'yes');
  await expect(failing).rejects.toThrow('no');
  expect(await next).toBe('yes');
});
