import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { planZip } from '../../../dist/server/files/zip/plan.js';
import { writeZip } from '../../../dist/server/files/zip/write-zip.js';
import { noFailPoints } from '../../../dist/server/lib/process/fail-points.js';
import { openDisk } from '../../../dist/server/storage/disk/disk.js';
import { areaIn } from '../../../dist/server/storage/layout.js';
import { readZip } from '../../support/content/read-zip.ts';
import { openHousehold } from '../../support/households/household.ts';

describe('the download of a folder', () => {
  it('contains more than 65,535 entries', async () => {
    const household = await openHousehold();
    const api = await household.signIn();
    const folder = join(household.home, 'many');
    await mkdir(folder);
    for (let start = 0; start < 66_000; start += 1_000) {
      await Promise.all(Array.from({ length: 1_000 }, (_, index) => mkdir(join(folder, `${start + index}`))));
    }
    expect(
      Object.keys(await readZip((await api.get('files/download', { path: '/ROOT/HOME/many' })).bytes)),
    ).toHaveLength(66_001);
    await household.close();
  });

  it('with a file over 4 GiB uses the fields of ZIP64', async () => {
    // A sparse file takes no space. Without TLS, which does not matter here.
    const root = await mkdtemp(join(tmpdir(), 'larder-zip64-'));
    await mkdir(join(root, 'big'), { recursive: true });
    await writeFile(join(root, '.larder-home'), 'id');
    const file = await open(join(root, 'big', 'sparse.bin'), 'w');
    await file.truncate(2 ** 32 + 10);
    await file.close();
    await writeFile(join(root, 'big', 'z after.txt'), 'behind 4 GiB');
    const disk = openDisk(noFailPoints);
    const home = { id: 'id', homeRoot: { root, homeId: 'id' }, area: areaIn(root) };
    let total = 0;
    let tail: Uint8Array = Buffer.alloc(0);
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        total += chunk.length;
        tail = Buffer.concat([tail, chunk]).subarray(-4_096);
        done();
      },
    });
    const roots = [{ target: { home, segments: ['big'], base: '/ROOT/HOME', top: 0, share: null }, name: 'big' }];
    const plan = await planZip(disk, roots);
    await writeZip(disk, roots, sink, { plan });
    expect(plan?.length).toBe(total);
    await disk.close();
    await rm(root, { recursive: true });
    const end = Buffer.from(tail);
    const locator = end.lastIndexOf(Buffer.from([0x50, 0x4b, 0x06, 0x07]));
    const at = Number(end.readBigUInt64LE(locator + 8)) - (total - end.length);
    expect(end.readUInt32LE(at)).toBe(0x06064b50);
    expect(Number(end.readBigUInt64LE(at + 32))).toBe(3);
    // The entry after the large one: its offset has 64 bits.
    const last = end.lastIndexOf(Buffer.from([0x50, 0x4b, 0x01, 0x02]));
    expect(end.readUInt32LE(last + 42)).toBe(0xffffffff);
    const extra = last + 46 + end.readUInt16LE(last + 28);
    expect(end.readUInt16LE(extra)).toBe(1);
    const offsets = [...Array(3).keys()].map((index) => end.readBigUInt64LE(extra + 4 + 8 * index));
    expect(offsets.at(-1)).toBeGreaterThan(2n ** 32n);
  });
});
