import { on } from 'node:events';
import { linkSync, mkdirSync, renameSync, rmSync, watch, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { Random } from '../model/random.ts';
import { itInFull } from '../support/forms.ts';
import { stillPerformance } from '../support/system/still-performance.ts';
import { CHANGES, ChangingTree, listed, onDisk, prepareTree } from './snapshot-changes.ts';
import { caughtUp, type KeptFolder, openKeptFolder } from './support.ts';

// Listings from memory: they say what the disk says, at the moment of the request.

let kept: KeptFolder;
let reads: ReturnType<typeof vi.spyOn>;

function use(opened: KeptFolder): void {
  kept = opened;
  reads = vi.spyOn(kept.part().disk, 'run');
}

/** As for a request, which the event loop passes on with what the system has reported until then. */
async function list(segments: readonly string[]) {
  await turn();
  return kept.part().catalogue.list(kept.home, segments, { allowStaleRows: true });
}

/** Number of times that folders were read since the last call. */
function readCount(): number {
  const count = reads.mock.calls.filter(([operation]: unknown[]) => operation === 'list').length;
  reads.mockClear();
  return count;
}

/** Until a folder is listed from memory: it is watched, and has its rows. */
async function isRemembered(segments: readonly string[]): Promise<void> {
  await expect
    .poll(async () => {
      await list(segments);
      readCount();
      await list(segments);
      return readCount();
    })
    .toBe(0);
}

/** Until the system has reported everything that was done in the home: its reports come in their order. */
async function reported(segments: readonly string[]): Promise<void> {
  const folder = join(kept.root, ...segments);
  const watcher = watch(folder);
  // Empty, so that there is one report of it.
  writeFileSync(join(folder, 'last.txt'), '');
  for await (const [, name] of on(watcher, 'change')) if (name === 'last.txt') break;
  watcher.close();
}

async function remembered(): Promise<void> {
  await caughtUp(kept);
  await reported(['a', 'b']);
  for (const segments of [[], ['a'], ['a', 'b']]) await isRemembered(segments);
}

describe('a listing shows the present state after another program', () => {
  const names = Object.keys(CHANGES);
  const folderOf = (name: string) => `tree ${names.indexOf(name)}`;

  // All in one home, since its first scan takes most of the time.
  let all: KeptFolder;
  beforeAll(async () => {
    all = await openKeptFolder();
    for (const name of names) prepareTree(join(all.root, folderOf(name)));
    await caughtUp(all);
  });
  afterAll(() => all.close());

  it.each(names)('%s', async (name) => {
    use(all);
    const tree = folderOf(name);
    const folders = [[tree, 'a', 'b'], [tree, 'a'], [tree]];
    for (const segments of folders) await isRemembered(segments);
    CHANGES[name]?.(join(all.root, tree));
    for (const segments of folders) expect(listed(await list(segments))).toEqual(onDisk(all.root, segments));
    // Also when nothing has followed the folder to its new place yet.
    writeFileSync(join(all.root, tree, 'a/b/at the end.txt'), 'end');
    for (const segments of folders) expect(listed(await list(segments))).toEqual(onDisk(all.root, segments));
  });
});

describe('a home', () => {
  beforeEach(async () => use(await openKeptFolder()));
  afterEach(() => kept.close());

  itInFull('is listed correctly after each of many random changes', async () => {
    const tree = new ChangingTree(kept.root, new Random(20_261_123), { folders: 40, files: 300 });
    await caughtUp(kept);
    // Listings from memory have a lifetime.
    const time = stillPerformance();
    let fromMemory = 0;
    for (let change = 0; change < 400; change += 1) {
      time.advance(10);
      readCount();
      await list(tree.folders[change % tree.folders.length] ?? []);
      if (readCount() === 0) fromMemory += 1;
      for (const segments of tree.change()) {
        expect(listed(await list(segments)), segments.join('/')).toEqual(onDisk(kept.root, segments));
      }
    }
    expect(fromMemory).toBeGreaterThan(20);
  });

  it('shows a change through a hard link elsewhere, which causes no event, within two seconds', async () => {
    prepareTree(kept.root);
    const outside = await mkdtemp(join(dirname(kept.root), 'outside-'));
    linkSync(join(kept.root, 'a/b/old.txt'), join(outside, 'link'));
    await remembered();
    const time = stillPerformance();
    time.advance(60_000);
    const before = listed(await list(['a', 'b']));
    writeFileSync(join(outside, 'link'), 'longer than before');
    // From memory: no read.
    readCount();
    expect(listed(await list(['a', 'b']))).toEqual(before);
    expect(readCount()).toBe(0);
    time.advance(2_000);
    expect(listed(await list(['a', 'b']))).toEqual(onDisk(kept.root, ['a', 'b']));
    await rm(outside, { recursive: true });
  });

  it('drops the rows of a folder from memory with the first commit that changes one of them', async () => {
    prepareTree(kept.root);
    await remembered();
    const { database } = kept;
    const time = stillPerformance();
    time.advance(60_000);
    const { items } = await list(['a', 'b']);
    await isRemembered(['a', 'b']);
    await database.files.write((tx) => tx.run("UPDATE items SET version = 7 WHERE name = 'beside.txt'"));
    await list(['a', 'b']);
    expect(readCount()).toBe(0);
    await database.files.write((tx) => tx.run("UPDATE items SET version = 7 WHERE name = 'old.txt'"));
    const now = await list(['a', 'b']);
    const at = now.listing.names.indexOf('old.txt');
    expect([items.at(at)?.version, now.items.at(at)?.version]).toEqual([1, 7]);
  });

  it('is not listed from memory once its disk is disconnected or replaced', async () => {
    prepareTree(kept.root);
    await remembered();
    renameSync(kept.root, `${kept.root}-away`);
    await expect(list(['a', 'b'])).rejects.toMatchObject({ reason: 'offline' });
    mkdirSync(kept.root);
    await expect(list(['a', 'b'])).rejects.toMatchObject({ reason: 'offline' });
    rmSync(kept.root, { recursive: true });
    renameSync(`${kept.root}-away`, kept.root);
    expect(listed(await list(['a', 'b']))).toEqual(onDisk(kept.root, ['a', 'b']));
  });

  it('is offline once its marker is deleted', async () => {
    prepareTree(kept.root);
    await remembered();
    rmSync(join(kept.root, '.larder-home'));
    await expect(list(['a', 'b'])).rejects.toMatchObject({ reason: 'offline' });
  });

  it('keeps a folder in memory for its owner and for the recipients of a share', async () => {
    prepareTree(kept.root);
    await remembered();
    const { home } = kept;
    const shared = { ...home, homeRoot: { ...home.homeRoot, exact: 1 } };
    const both = async () => {
      for (const one of [home, shared]) {
        await turn();
        await kept.part().catalogue.list(one, ['a', 'b'], { allowStaleRows: true });
      }
    };
    stillPerformance().advance(60_000);
    await both();
    readCount();
    for (let round = 0; round < 3; round += 1) await both();
    expect(readCount()).toBe(0);
  });

  it('distinguishes spellings of a name', async () => {
    const [composed, decomposed] = ['\u00e9', 'e\u0301'];
    for (const [name, file] of [
      [composed, 'one'],
      [decomposed, 'two'],
    ] as const) {
      mkdirSync(join(kept.root, name));
      writeFileSync(join(kept.root, name, file), '');
    }
    await caughtUp(kept);
    for (const name of [composed, decomposed]) await list([name]);
    for (let round = 0; round < 3; round += 1) {
      expect((await list([composed])).listing.names).toEqual(['one']);
      expect((await list([decomposed])).listing.names).toEqual(['two']);
    }
  });

  it('reads a folder that is not watched each time', async () => {
    const few = await openKeptFolder({ watched: 1 });
    prepareTree(few.root);
    await caughtUp(few);
    const { catalogue, disk } = few.part();
    const run = vi.spyOn(disk, 'run');
    for (let round = 0; round < 3; round += 1) await catalogue.list(few.home, ['a', 'b'], { allowStaleRows: true });
    expect(run.mock.calls.filter(([operation]) => operation === 'list').length).toBe(3);
    await few.close();
  });
});
