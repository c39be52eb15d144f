import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { ApiClient } from '../../support/requests/api-client.ts';
import { openTunnel, type Tunnel } from '../../support/requests/tunnel.ts';

// A phone with many photos, over a connection that breaks again and again: an app that uses only the API.

const PHOTOS = 10_000;
const CONCURRENCY = 6;
/** Photos of one question. */
const BATCH = 1_000;
/** The connection breaks after so many uploads. */
const CUT_EVERY = 379;

let household: Household;
let tunnel: Tunnel;
/** A folder that counts as another disk. */
let usb = '';

beforeAll(async () => {
  usb = await mkdtemp(join(tmpdir(), 'larder-usb-'));
  household = await openHousehold({
    disksUnder: async (path) => ({ name: 'usb', disks: new Set([path.startsWith(usb) ? 'sdb' : 'sda']) }),
  });
  tunnel = await openTunnel(() => household.port);
});
afterAll(async () => {
  await tunnel?.cut();
  await household?.close();
  await rm(usb, { recursive: true, force: true });
});

const FOLDER = '/ROOT/HOME/Photos/Phone';

/** The content of a photo: every hundredth is the same as the one before. */
const contentOf = (number: number) => `photo ${number % 100 === 99 ? number - 1 : number}`;
const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');

interface Item {
  readonly name: string;
  readonly size: number;
  readonly sha256: string;
}

it('a phone stores each photo once over a breaking connection, and gets all confirmed after a backup', {
  timeout: 1_800_000,
}, async () => {
  const { token_: token = '' } = await household.signIn();
  const phone = new ApiClient({ port: tunnel.port, ca: household.ca, token });
  const items = Array.from({ length: PHOTOS }, (_, number): Item => {
    const content = contentOf(number);
    return { name: `IMG_${number}.jpg`, size: Buffer.byteLength(content), sha256: digest(content) };
  });
  let uploads = 0;
  let cuts = 0;
  // One after the other: a tunnel that is being closed cannot be opened.
  let changes: Promise<void> = Promise.resolve();
  const change = (work: () => Promise<void>) => {
    changes = changes.then(work);
    return changes;
  };

  /** Calls again until the server answers. */
  async function patiently<T>(call: () => Promise<T>): Promise<T> {
    for (;;) {
      try {
        return await call();
      } catch {
        await change(tunnel.mend);
      }
    }
  }

  async function ask(operation: string, field: string, some: readonly Item[]): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    for (let start = 0; start < some.length; start += BATCH) {
      const text = JSON.stringify(some.slice(start, start + BATCH));
      const { status, body } = await patiently(() => phone.post(operation, { path: '/ROOT/HOME', items: text }));
      expect(status).toBe(200);
      found.push(...(body.data[field] as Record<string, unknown>[]));
    }
    return found;
  }

  const contents = new Map(items.map((item) => [item.sha256, item]));
  let wanted = (await ask('files/known', 'missing', [...contents.values()])) as unknown as Item[];
  expect(wanted).toHaveLength(contents.size);
  // Whether an upload whose reply was lost has arrived, the next question says.
  while (wanted.length > 0) {
    const left = [...wanted];
    const send = async () => {
      for (let item = left.pop(); item !== undefined; item = left.pop()) {
        const { name, sha256 } = item;
        uploads += 1;
        if (uploads % CUT_EVERY === 0) {
          cuts += 1;
          await change(tunnel.cut);
        }
        const query = { filePath: `${FOLDER}/${name}`, sha256 };
        const headers = { 'If-None-Match': '*' };
        const sent = await phone.put(query, contentOf(Number(name.slice(4, -4))), headers).catch(() => null);
        if (sent === null) await change(tunnel.mend);
        else expect(sent.status).toBe(201);
      }
    };
    await Promise.all(Array.from({ length: CONCURRENCY }, send));
    wanted = (await ask('files/known', 'missing', wanted)) as unknown as Item[];
  }
  expect(cuts).toBeGreaterThan(20);

  const place = join(household.home, 'Photos/Phone');
  const names = await readdir(place);
  const stored = await Promise.all(names.map(async (name) => digest(await readFile(join(place, name)))));
  expect(stored.sort()).toEqual([...contents.keys()].sort());

  const before = await ask('files/receipt', 'items', items);
  expect(before.filter((one) => one.stored === true && one.backup === null)).toHaveLength(PHOTOS);
  await household.control('settings.update', { backupFolder: usb, backupFiles: true });
  const { madeAt } = (await household.control('backup.make')) as { madeAt: string };
  const after = await ask('files/receipt', 'items', items);
  const since = new Date(madeAt).toISOString();
  expect(after.map(({ name }) => name)).toEqual(items.map(({ name }) => name));
  expect(after.every(({ stored: isStored }) => isStored === true)).toBe(true);
  expect(new Set(after.map(({ backup }) => JSON.stringify(backup)))).toEqual(
    new Set([JSON.stringify({ disk: 'usb', since })]),
  );
});
