import { createHash, randomBytes } from 'node:crypto';
import { appendFile, mkdir, mkdtemp, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import timers from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createReadBudget } from '../../dist/server/catalogue/hashing/read-budget.js';
import { Connection } from '../../dist/server/database/connection.js';
import { DiskWorker } from '../../dist/server/storage/disk/disk-worker.js';
import { itInFull, sampled } from '../support/forms.ts';
import { type Household, type HouseholdOptions, openHousehold } from '../support/households/household.ts';
import { itemsIn } from '../support/households/items-in.ts';
import type { ApiClient } from '../support/requests/api-client.ts';
import { stillPerformance } from '../support/system/still-performance.ts';

let household: Household;
let api: ApiClient;
afterEach(async () => {
  vi.restoreAllMocks();
  await household?.close();
});

const MIB = 1_024 * 1_024;
const sha256 = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
const at = (name: string) => join(household.home, name);
const hashOf = async (name: string): Promise<string | null> =>
  (await api.get('files/info', { path: `/ROOT/HOME/${name}`, details: ['sha256'] })).body.data?.sha256;

/** Files that last changed an hour ago count as complete. */
async function put(name: string, content: string | Buffer): Promise<void> {
  const old = Date.now() / 1_000 - 3_600;
  await writeFile(at(name), content);
  await utimes(at(name), old, old);
}

async function open(config: HouseholdOptions['config'] = {}): Promise<void> {
  household = await openHousehold({ config: { hashDelay: 0.1, hashRate: 1_000, ...config } });
  api = await household.signIn();
}

const rows = (condition: string, ...values: string[]) => itemsIn(household.folder, condition, ...values);

/** Waits without requests, which come first. */
async function expectHash(path: string, hash: string): Promise<void> {
  await expect.poll(() => rows('lower(hex(sha256)) = ? AND name = ?', hash, basename(path))).not.toEqual([]);
  expect(await hashOf(path)).toBe(hash);
}

/**
 * The bytes that are read to be hashed, by part.
 * @param isHeld whether a part is kept from the server until `released`
 */
function watchParts(
  isHeld: (count: number) => boolean = () => false,
  released = Promise.resolve(),
): { position: number; length: number; bytesRead: number }[] {
  const parts: { position: number; length: number; bytesRead: number }[] = [];
  const ask = DiskWorker.prototype.ask;
  vi.spyOn(DiskWorker.prototype, 'ask').mockImplementation(function (this: DiskWorker, call) {
    if (call.operation !== 'hashPart') return ask.call(this, call);
    const { position, length } = call.input as { position: number; length: number };
    const resolve = (output: { bytesRead: number }) => {
      parts.push({ position, length, bytesRead: output.bytesRead });
      if (isHeld(parts.length)) void released.then(() => call.resolve(output));
      else call.resolve(output);
    };
    return ask.call(this, { ...call, resolve: resolve as typeof call.resolve });
  });
  return parts;
}

describe('files of other programs are hashed in the background', () => {
  it.each(sampled([0, 1, MIB - 1, MIB, MIB + 1, 5 * MIB + 17], 3))('of %i bytes', async (size) => {
    await open();
    const content = randomBytes(size);
    await put('new.bin', content);
    await expectHash('new.bin', sha256(content));
  });

  it('also in folders, and each once', async () => {
    await open();
    const parts = watchParts();
    await mkdir(at('folder/inner'), { recursive: true });
    const names = Array.from({ length: 70 }, (_, number) => `folder/inner/${number}.txt`);
    for (const name of names) await put(name, name);
    await api.get('files/browse', { path: '/ROOT/HOME/folder/inner' });
    await expect.poll(() => parts.length).toBe(names.length);
    for (const name of names) await expectHash(name, sha256(name));
    await household.whileStopped(() => rename(at('folder'), at('moved')));
    api = await household.signIn();
    await api.get('files/browse', { path: '/ROOT/HOME', recursive: 1 });
    await put('last.txt', 'last');
    await expectHash('last.txt', sha256('last'));
    expect(await hashOf('moved/inner/1.txt')).toBe(sha256('folder/inner/1.txt'));
    expect(parts).toHaveLength(names.length + 1);
  });

  it('of chunked uploads', async () => {
    await open();
    const content = randomBytes(3_000);
    const path = '/ROOT/HOME/chunked.bin';
    const lastModified = Math.floor(Date.now() / 1_000) - 3_600;
    for (const startByte of [0, 1_500]) {
      const chunk = content.subarray(startByte, startByte + 1_500);
      const { status, text } = await api.put({ path, totalSize: 3_000, startByte, lastModified }, chunk);
      expect(status, text).toBeLessThan(300);
    }
    await expectHash('chunked.bin', sha256(content));
  });

  it('again after a change, but not before they are complete', async () => {
    await open();
    await put('log.txt', 'one');
    await expectHash('log.txt', sha256('one'));
    await appendFile(at('log.txt'), ' two');
    // The server's clock stands still: to it, the disk's time is in the future.
    const now = household.clock.now() / 1_000;
    await utimes(at('log.txt'), now, now);
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await put('other.txt', 'other');
    await expectHash('other.txt', sha256('other'));
    expect(await hashOf('log.txt')).toBeNull();
    household.clock.advance(2 * 60_000);
    await expectHash('log.txt', sha256('one two'));
  });

  itInFull('after a restart, which interrupts a long one', async () => {
    // The second part would come after a quarter of an hour.
    await open({ hashRate: 0.001 });
    const content = randomBytes(6 * MIB);
    await put('long.bin', content);
    const parts = watchParts();
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expect.poll(() => parts.length).toBeGreaterThan(0);
    await household.restart({ hashRate: 0 });
    api = await household.signIn();
    expect(await hashOf('long.bin')).toBeNull();
    expect(parts).toHaveLength(1);
    await household.restart({ hashRate: 1_000 });
    api = await household.signIn();
    await expectHash('long.bin', sha256(content));
  });
});

describe('hashing in the background', () => {
  it('reads a megabyte at a time', async () => {
    await open();
    const parts = watchParts();
    await put('long.bin', randomBytes(8 * MIB));
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expect.poll(() => parts.reduce((sum, { bytesRead }) => sum + bytesRead, 0)).toBe(8 * MIB);
    expect(Math.max(...parts.map(({ length }) => length))).toBe(MIB);
  });

  it.each([
    ['its speed', 0, 250],
    ['a tenth of the time of a slow disk', 100, 900],
  ])('respects %s', async (_what, took, pause) => {
    const time = stillPerformance();
    const waits: number[] = [];
    // Timers that only move the clock on.
    vi.spyOn(timers, 'setTimeout').mockImplementation(async (milliseconds) => {
      waits.push(milliseconds ?? 0);
      time.advance(milliseconds ?? 0);
    });
    syncBuiltinESMExports();
    try {
      const budget = createReadBudget({ quiet: async () => undefined }, 4 * MIB, new AbortController().signal);
      for (let part = 0; part < 8; part += 1) {
        await budget.turn();
        time.advance(took);
        budget.read(MIB, took);
      }
    } finally {
      vi.restoreAllMocks();
      syncBuiltinESMExports();
    }
    // The first part comes without a wait, and the second makes up for the time before.
    expect(waits.slice(-6).map(Math.round)).toEqual(Array(6).fill(pause));
  });

  it('pauses during requests', async () => {
    await open();
    const parts = watchParts();
    await put('new.txt', 'new');
    const browse = () => api.get('files/browse', { path: '/ROOT/HOME' });
    const time = stillPerformance();
    let passed = 0;
    // Until the file is known, there is never a moment without requests, and not the longest wait for one.
    const isKnown = async () => {
      await browse();
      if (passed < 3_000) time.advance(100);
      passed += 100;
      return (await rows('name = ?', 'new.txt')).length;
    };
    await expect.poll(isKnown).toBe(1);
    // From here on no time passes after the last request, whenever it was.
    for (let request = 0; request < 200; request += 1) await browse();
    expect(parts).toHaveLength(0);
    const isRead = () => {
      time.advance(500);
      return parts.length;
    };
    await expect.poll(isRead).toBe(1);
    await expectHash('new.txt', sha256('new'));
  });

  it('tries an unreadable file once, and again after a restart', async () => {
    const points = await mkdtemp(join(tmpdir(), 'larder-test-'));
    await open({ failPoints: `${points};storage.open=eio` });
    const opened = vi.spyOn(DiskWorker.prototype, 'ask');
    const tries = () =>
      opened.mock.calls
        .filter(([{ operation }]) => operation === 'open')
        .map(([{ input }]) => (input as { segments: readonly string[] }).segments.join('/'));
    await put('new.txt', 'new');
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expect.poll(tries).toEqual(['new.txt']);
    await put('newer.txt', 'newer');
    await api.get('files/browse', { path: '/ROOT/HOME' });
    // The older one would come first.
    await expect.poll(tries).toContain('newer.txt');
    expect(tries()).toEqual(['new.txt', 'newer.txt']);
    expect(household.logged()).not.toContain('failed to hash files');
    await household.restart({ failPoints: '' });
    api = await household.signIn();
    await expectHash('new.txt', sha256('new'));
    await rm(points, { recursive: true });
  });

  itInFull('tries again soon if the database refuses a hash', async () => {
    await open();
    const database = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
    try {
      await database.exec(`CREATE TRIGGER refuse BEFORE UPDATE OF sha256 ON items WHEN NEW.name = 'refused.txt'
        BEGIN SELECT RAISE(ABORT, 'refused'); END`);
      await put('refused.txt', 'refused');
      await api.get('files/browse', { path: '/ROOT/HOME' });
      await expect.poll(() => household.logged()).toContain('failed to hash files in the background');
      expect(await hashOf('refused.txt')).toBeNull();
      await database.exec('DROP TRIGGER refuse');
    } finally {
      await database.close();
    }
    await expectHash('refused.txt', sha256('refused'));
  });

  it('skips the trash, until a file is restored', async () => {
    await open();
    await put('deleted.txt', 'deleted');
    const { body } = await api.post('files/delete', { path: '/ROOT/HOME/deleted.txt' });
    await put('other.txt', 'other');
    await expectHash('other.txt', sha256('other'));
    const trash = await api.get('files/browse', { path: '/TRASH', details: ['sha256'] });
    expect(trash.body.data.files).toEqual([expect.objectContaining({ filename: 'deleted.txt', sha256: null })]);
    await api.post('files/trash/restore', { path: body.data.trash_path });
    await expectHash('deleted.txt', sha256('deleted'));
  });

  it('hashes a file in a folder that was in the trash', async () => {
    await open();
    await mkdir(at('folder'));
    // Not complete yet, so that it is not hashed before the folder is deleted.
    const now = household.clock.now() / 1_000;
    await writeFile(at('folder/inner.txt'), 'inner');
    await utimes(at('folder/inner.txt'), now, now);
    await api.get('files/browse', { path: '/ROOT/HOME/folder' });
    const { body } = await api.post('files/delete', { path: '/ROOT/HOME/folder' });
    household.clock.advance(2 * 60_000);
    api = await household.signIn();
    await put('other.txt', 'other');
    await expectHash('other.txt', sha256('other'));
    expect(await rows('name = ? AND sha256 IS NULL', 'inner.txt')).toHaveLength(1);
    await api.post('files/trash/restore', { path: body.data.trash_path });
    await expectHash('folder/inner.txt', sha256('inner'));
  });

  it('records no hash of content that changes meanwhile', async () => {
    await open();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const parts = watchParts((count) => count === 2, released);
    await put('long.bin', randomBytes(4 * MIB));
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expect.poll(() => parts.length).toBe(2);
    await appendFile(at('long.bin'), 'more');
    const now = household.clock.now() / 1_000;
    await utimes(at('long.bin'), now, now);
    release();
    await expect.poll(() => parts.some(({ bytesRead }) => bytesRead < MIB)).toBe(true);
    expect(await hashOf('long.bin')).toBeNull();
    household.clock.advance(2 * 60_000);
    await expectHash('long.bin', sha256(await readFile(at('long.bin'))));
  });

  it('stops within a file when the owner pauses it, and starts that file again later', async () => {
    await open();
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const parts = watchParts((count) => count === 2, released);
    const content = randomBytes(4 * MIB);
    await put('long.bin', content);
    await api.get('files/browse', { path: '/ROOT/HOME' });
    await expect.poll(() => parts.length).toBe(2);
    await household.control('settings.update', { hashingPaused: true });
    release();
    expect(await household.control('hashing.get')).toEqual({ state: 'paused', files: 1, bytes: 4 * MIB });
    await household.control('settings.update', { hashingPaused: false });
    await expectHash('long.bin', sha256(content));
    expect(parts.map(({ position }) => position / MIB)).toEqual([0, 1, 0, 1, 2, 3, 4]);
  });

  it('can be switched off', async () => {
    await open({ hashRate: 0 });
    const parts = watchParts();
    await put('new.txt', 'new');
    await api.get('files/browse', { path: '/ROOT/HOME' });
    const off = household;
    try {
      // One that began later is done.
      await open();
      await put('new.txt', 'new');
      await expectHash('new.txt', sha256('new'));
      expect(parts).toHaveLength(1);
    } finally {
      await off.close();
    }
  });
});
