import { closeSync, fstatSync, openSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, it } from 'vitest';
import { FolderFlushes } from '../../dist/server/storage/folder-flushes.js';

/** Flushes that end when they are told to, and then close. */
function controlled() {
  const begun: { readonly fd: number; end(error?: Error): void }[] = [];
  const flush = (fd: number) =>
    new Promise<void>((resolve, reject) => {
      begun.push({
        fd,
        end(error) {
          closeSync(fd);
          if (error === undefined) resolve();
          else reject(error);
        },
      });
    });
  return { begun, flush };
}

const open = () => openSync(tmpdir(), 'r');
const settled = () => new Promise((resolve) => setImmediate(resolve));
const isOpen = (fd: number) => {
  try {
    return fstatSync(fd).isDirectory();
  } catch {
    return false;
  }
};

describe('flushes of one folder', () => {
  it('begin at once; later requests share the next flush, and none completes before a flush begun after it', async () => {
    const { begun, flush } = controlled();
    const flushes = new FolderFlushes(flush);
    const done: string[] = [];
    const [a, b, c] = [open(), open(), open()];
    const all = [
      flushes.flushAndClose(a, 'x').then(() => done.push('a')),
      flushes.flushAndClose(b, 'x').then(() => done.push('b')),
      flushes.flushAndClose(c, 'x').then(() => done.push('c')),
    ];
    expect(begun.map(({ fd }) => fd)).toEqual([a]);
    expect([isOpen(b), isOpen(c)]).toEqual([true, false]);
    begun[0]?.end();
    await settled();
    expect(done).toEqual(['a']);
    expect(begun.map(({ fd }) => fd)).toEqual([a, b]);
    // One that comes while the second is running needs a third.
    const d = open();
    all.push(flushes.flushAndClose(d, 'x').then(() => done.push('d')));
    begun[1]?.end();
    await settled();
    expect(done).toEqual(['a', 'b', 'c']);
    begun[2]?.end();
    await Promise.all(all);
    expect(begun.map(({ fd }) => fd)).toEqual([a, b, d]);
    // Nothing is left running.
    const e = open();
    const last = flushes.flushAndClose(e, 'x');
    expect(begun.at(-1)?.fd).toBe(e);
    begun.at(-1)?.end();
    await last;
  });

  it('do not wait for those of other folders', async () => {
    const { begun, flush } = controlled();
    const flushes = new FolderFlushes(flush);
    const both = [flushes.flushAndClose(open(), 'x'), flushes.flushAndClose(open(), 'y')];
    expect(begun).toHaveLength(2);
    for (const one of begun) one.end();
    await Promise.all(both);
  });

  it('fail for all requests that share them, and for no others', async () => {
    const { begun, flush } = controlled();
    const flushes = new FolderFlushes(flush);
    const first = flushes.flushAndClose(open(), 'x');
    const shared = [flushes.flushAndClose(open(), 'x'), flushes.flushAndClose(open(), 'x')];
    begun[0]?.end(new Error('first'));
    await expect(first).rejects.toThrow('first');
    await settled();
    begun[1]?.end(new Error('second'));
    for (const one of shared) await expect(one).rejects.toThrow('second');
    const later = flushes.flushAndClose(open(), 'x');
    begun[2]?.end();
    await later;
  });

  it('are omitted on systems where folders cannot be opened', async () => {
    await new FolderFlushes(() => Promise.reject(new Error('flushed'))).flushAndClose(-1, 'x');
  });
});
