import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isOnBattery } from '../../dist/server/storage/battery.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { itemsIn } from '../support/households/items-in.ts';
import type { ApiClient } from '../support/requests/api-client.ts';

let supplies = '';
beforeEach(async () => {
  supplies = await mkdtemp(join(tmpdir(), 'larder-power-'));
});
afterEach(() => rm(supplies, { recursive: true, force: true }));

/** Describes a supply of power as Linux does. */
async function supply(name: string, facts: Record<string, string>): Promise<void> {
  await mkdir(join(supplies, name), { recursive: true });
  for (const [file, value] of Object.entries(facts)) await writeFile(join(supplies, name, file), `${value}\n`);
}

const BATTERY = { type: 'Battery', status: 'Discharging' };
const MAINS = { type: 'Mains', online: '1' };
const UNPLUGGED = { type: 'Mains', online: '0' };

describe('a computer', () => {
  it.each<[string, Record<string, Record<string, string>>, boolean]>([
    ['without batteries', {}, false],
    ['with a plug alone', { AC: MAINS }, false],
    ['that is unplugged', { AC: UNPLUGGED, BAT0: BATTERY }, true],
    ['that does not say whether it is plugged in', { BAT0: BATTERY }, true],
    ['that is charging', { AC: MAINS, BAT0: { type: 'Battery', status: 'Charging' } }, false],
    ['whose second battery is used', { AC: UNPLUGGED, BAT0: { type: 'Battery', status: 'Full' }, BAT1: BATTERY }, true],
    ['that is supplied by USB', { USB: { type: 'USB', online: '1' }, BAT0: BATTERY }, false],
    ['with a mouse', { mouse: { ...BATTERY, scope: 'Device' } }, false],
    ['with a folder that says nothing', { odd: {} }, false],
  ])('%s', async (_what, described, expected) => {
    for (const [name, facts] of Object.entries(described)) await supply(name, facts);
    expect(await isOnBattery(supplies)).toBe(expected);
  });

  it('without information about its power supplies', async () => {
    expect(await isOnBattery(join(supplies, 'none'))).toBe(false);
  });
});

describe('hashing in the background', () => {
  let household: Household;
  let api: ApiClient;
  afterEach(() => household?.close());

  async function open(): Promise<void> {
    const config = { hashDelay: 0.1, hashRate: 1_000, powerSupplies: supplies };
    household = await openHousehold({ config });
    api = await household.signIn();
  }

  /** Files that last changed an hour ago count as complete. */
  async function put(name: string, content: string, root = household.home): Promise<void> {
    const old = Date.now() / 1_000 - 3_600;
    await writeFile(join(root, name), content);
    await utimes(join(root, name), old, old);
    await api.get('files/browse', { path: '/ROOT/HOME' });
  }

  const progress = () => household.control('hashing.get');
  const hashed = (name: string, content: string) =>
    itemsIn(
      household.folder,
      'lower(hex(sha256)) = ? AND name = ?',
      createHash('sha256').update(content).digest('hex'),
      basename(name),
    );

  it('reports what is left, pauses for the owner, also after a restart, and continues', async () => {
    await open();
    await household.control('settings.update', { hashingPaused: true });
    expect(await progress()).toEqual({ state: 'paused', files: 0, bytes: 0 });
    await put('one.txt', 'one');
    await put('three.txt', 'three');
    await expect.poll(progress).toEqual({ state: 'paused', files: 2, bytes: 8 });
    await household.restart();
    api = await household.signIn();
    expect(await progress()).toEqual({ state: 'paused', files: 2, bytes: 8 });
    expect(await hashed('one.txt', 'one')).toEqual([]);
    await household.control('settings.update', { hashingPaused: false });
    await expect.poll(() => hashed('one.txt', 'one')).not.toEqual([]);
    await expect.poll(progress).toEqual({ state: 'done', files: 0, bytes: 0 });
  });

  it('does not count files in the trash', async () => {
    await open();
    await household.control('settings.update', { hashingPaused: true });
    await put('one.txt', 'one');
    await expect.poll(progress).toMatchObject({ files: 1 });
    await api.post('files/delete', { path: '/ROOT/HOME/one.txt' });
    expect(await progress()).toEqual({ state: 'paused', files: 0, bytes: 0 });
  });

  it('pauses while the computer runs on battery', async () => {
    await supply('AC', UNPLUGGED);
    await supply('BAT0', BATTERY);
    await open();
    await put('one.txt', 'one');
    await expect.poll(progress).toEqual({ state: 'battery', files: 1, bytes: 3 });
    await supply('AC', MAINS);
    await expect.poll(progress).toEqual({ state: 'done', files: 0, bytes: 0 });
    expect(await hashed('one.txt', 'one')).not.toEqual([]);
  });

  it('reports that it is off', async () => {
    household = await openHousehold({ config: { hashRate: 0, powerSupplies: supplies } });
    expect(await progress()).toEqual({ state: 'off', files: 0, bytes: 0 });
  });
});
