import fc from 'fast-check';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { KeyedQueue } from '../../dist/server/lib/concurrency/keyed-queue.js';
import { LockTimeout, PathLocks } from '../../dist/server/lib/concurrency/path-locks.js';

/** Work that ends when the test releases it. */
function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { open, opened };
}

const settle = async () => {
  for (let i = 0; i < 20; i += 1) await Promise.resolve();
};

describe('path locks', () => {
  it.each([
    ['one path', ['a/b'], ['a/b'], true],
    ['a folder and what lies in it', ['a'], ['a/b/c'], true],
    ['what lies in a folder and the folder', ['a/b/c'], ['a'], true],
    ['siblings', ['a/b'], ['a/c'], false],
    ['names that only begin alike', ['a/b'], ['a/bc'], false],
    ['one of several', ['x', 'a'], ['y', 'a/b'], true],
    ['none of several', ['x', 'a'], ['y', 'b'], false],
    ['a slash at the end', ['a/'], ['a'], true],
  ])('of %s', async (_name, first, second, collide) => {
    const locks = new PathLocks();
    const { open, opened } = gate();
    const order: string[] = [];
    const one = locks.run(first, async () => {
      await opened;
      order.push('first');
    });
    const two = locks.run(second, async () => {
      order.push('second');
    });
    await settle();
    expect(order).toEqual(collide ? [] : ['second']);
    open();
    await Promise.all([one, two]);
    expect(order).toEqual(collide ? ['first', 'second'] : ['second', 'first']);
  });

  it('are taken in the order of the requests', async () => {
    const locks = new PathLocks();
    const { open, opened } = gate();
    const order: string[] = [];
    const all = [
      locks.run(['a/b'], () => opened),
      locks.run(['a'], async () => void order.push('whole folder')),
      locks.run(['a/c'], async () => void order.push('late, beside the first')),
      locks.run(['z'], async () => void order.push('elsewhere')),
    ];
    await settle();
    expect(order).toEqual(['elsewhere']);
    open();
    await Promise.all(all);
    expect(order).toEqual(['elsewhere', 'whole folder', 'late, beside the first']);
  });

  it('are released when the work fails', async () => {
    const locks = new PathLocks(50);
    await expect(locks.run(['a'], () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await locks.run(['a'], async () => 'free')).toBe('free');
  });

  it('time out without doing the work, and let later ones proceed', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const locks = new PathLocks(30);
    const { open, opened } = gate();
    const order: string[] = [];
    const holder = locks.run(['a/b'], () => opened);
    const waiting = locks.run(['a'], async () => void order.push('never'));
    const refused = expect(waiting).rejects.toBeInstanceOf(LockTimeout);
    await vi.advanceTimersByTimeAsync(10);
    const behind = locks.run(['a/c'], async () => void order.push('behind'));
    await vi.advanceTimersByTimeAsync(19);
    expect(order).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    await refused;
    await behind;
    expect(order).toEqual(['behind']);
    open();
    await holder;
    await locks.run(['a'], async () => void order.push('later'));
    expect(order).toEqual(['behind', 'later']);
  });

  it('are waited for as long as the caller allows', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const locks = new PathLocks(30);
    const { open, opened } = gate();
    const holder = locks.run(['a'], () => opened);
    const patient = locks.run(['a/b'], async () => 'published', 500);
    await vi.advanceTimersByTimeAsync(400);
    open();
    await holder;
    expect(await patient).toBe('published');
  });

  it('never run two conflicting tasks at once, and all tasks end', async () => {
    const path = fc
      .array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 3 })
      .map((parts) => parts.join('/'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(path, { minLength: 1, maxLength: 3 }), { maxLength: 12 }), async (works) => {
        const locks = new PathLocks();
        const inside: string[][] = [];
        const collide = (a: string, b: string) => `${a}/`.startsWith(`${b}/`) || `${b}/`.startsWith(`${a}/`);
        await Promise.all(
          works.map((paths) =>
            locks.run(paths, async () => {
              for (const others of inside) {
                for (const other of others) for (const own of paths) expect(collide(own, other)).toBe(false);
              }
              inside.push(paths);
              await settle();
              inside.splice(inside.indexOf(paths), 1);
            }),
          ),
        );
        expect(inside).toEqual([]);
      }),
    );
  });
});

describe('keyed queue', () => {
  it('runs tasks of one key in order, and those of different keys concurrently', async () => {
    const queue = new KeyedQueue();
    const { open, opened } = gate();
    const order: string[] = [];
    const all = [
      queue.run('a', async () => {
        await opened;
        order.push('a1');
      }),
      queue.run('a', async () => void order.push('a2')),
      queue.run('a', async () => void order.push('a3')),
      queue.run('b', async () => void order.push('b1')),
    ];
    await settle();
    expect(order).toEqual(['b1']);
    open();
    await Promise.all(all);
    expect(order).toEqual(['b1', 'a1', 'a2', 'a3']);
  });

  it('continues after a failure, which only its own caller gets', async () => {
    const queue = new KeyedQueue();
    const failing = queue.run('a', () => Promise.reject(new Error('mine')));
    const next = queue.run('a', async () => 'next');
    await expect(failing).rejects.toThrow('mine');
    expect(await next).toBe('next');
    expect(await queue.run('constructor', async () => 1)).toBe(1);
  });
});
