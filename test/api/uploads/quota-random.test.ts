import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { wrongCounts } from '../../../dist/server/catalogue/storage-use.js';
import { Connection } from '../../../dist/server/database/connection.js';
import { Random } from '../../model/random.ts';
import { sampled } from '../../support/forms.ts';
import { type Household, openHousehold } from '../../support/households/household.ts';
import { addMembersWithHomes, homeOf, signInAs } from '../../support/households/member.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';

const QUOTA = 1_048_576;
const STEPS = 150;
const NAMES = ['a', 'b', 'box/a', 'box/b', 'box/in/c'];
const asked = process.env.LARDER_SEED;
const SEEDS = asked === undefined ? [1, 2, 3, Math.floor(Math.random() * 0x1_0000_0000)] : [Number(asked)];

let household: Household;
let rows: Connection;
beforeAll(async () => {
  household = await openHousehold();
  await addMembersWithHomes(
    household,
    Object.fromEntries(SEEDS.map((seed) => [`seed${seed}`, { space_quota_max: 1 }])),
  );
  rows = await Connection.open(join(household.folder, '.larder', 'larder.sqlite'));
});
afterAll(async () => {
  await rows.close();
  await household.close();
});

interface Step {
  readonly what: string;
  /** Bytes needed in addition to the present use. */
  readonly needs: number;
  readonly send: () => Promise<Reply>;
}

/** The contents of a home according to its rows, and the next possible steps. */
class Player {
  readonly #api: ApiClient;
  readonly #user: string;
  readonly #random: Random;

  constructor(api: ApiClient, user: string, random: Random) {
    this.#api = api;
    this.#user = user;
    this.#random = random;
  }

  #home(columns: string, more = ''): Promise<Record<string, number>[]> {
    const home = 'SELECT home_id FROM accounts WHERE username = ?';
    return rows.all(`SELECT ${columns} FROM homes WHERE id = (${home}) ${more}`, [this.#user]);
  }

  async taken(): Promise<{ used: number; pieces: number }> {
    const [row] = await this.#home(
      'used, (SELECT coalesce(sum(received), 0) FROM uploads WHERE home_id = homes.id) AS pieces',
    );
    return { used: row?.used ?? Number.NaN, pieces: row?.pieces ?? Number.NaN };
  }

  async outside(): Promise<void> {
    const real = join(homeOf(household, this.#user), `outside${this.#random.below(3)}`);
    if (this.#random.chance(0.4)) await writeFile(real, Buffer.alloc(this.#random.below(QUOTA)));
    else await rm(real, { force: true });
    await this.#api.get('files/browse', { path: '/ROOT/HOME' });
  }

  async next(): Promise<Step | null> {
    const random = this.#random;
    const what = random.weighted({
      upload: 8,
      chunked: 3,
      piece: 3,
      copy: 4,
      copyFolder: 2,
      delete: 3,
      erase: 2,
      restore: 2,
      empty: 1,
      version: 3,
      forget: 2,
      move: 2,
    });
    const post = (operation: string, form: Record<string, string | number>) => () => this.#api.post(operation, form);
    const path = `/ROOT/HOME/${random.pick(NAMES)}`;
    const files = await this.#files();
    const file = files.length === 0 ? null : random.pick(files);
    const bytes = random.below(QUOTA / 3);
    switch (what) {
      case 'upload':
        return { what, needs: bytes, send: () => this.#api.put({ filePath: path }, Buffer.alloc(bytes)) };
      case 'chunked':
        return {
          what,
          needs: bytes,
          send: () => this.#api.put({ filePath: path }, Readable.from([Buffer.alloc(bytes)])),
        };
      case 'piece':
        return this.#piece(bytes + 2);
      case 'copy':
        if (file === null) return null;
        return {
          what,
          needs: file.size,
          send: post('files/copy', { path: file.path, copyTo: '/ROOT/HOME', overwrite: 1 }),
        };
      case 'copyFolder': {
        const inside = files.filter((one) => one.path.startsWith('/ROOT/HOME/box/'));
        if (inside.length === 0) return null;
        const made = await this.#api.post('files/createfolder', { path: '/ROOT/HOME', name: `to${random.next()}` });
        const needs = inside.reduce((sum, { size }) => sum + size, 0);
        return { what, needs, send: post('files/copy', { path: '/ROOT/HOME/box', copyTo: made.body.data.path }) };
      }
      case 'delete':
      case 'erase':
        if (file === null) return null;
        return { what, needs: 0, send: post('files/delete', { path: file.path, permanent: Number(what === 'erase') }) };
      case 'move':
        if (file === null) return null;
        return {
          what,
          needs: 0,
          send: post('files/rename', { path: file.path, newName: random.pick(['a', 'b']), overwrite: 1 }),
        };
      case 'restore': {
        const { body } = await this.#api.get('files/browse', { path: '/TRASH' });
        const [first] = body.data.files;
        return first === undefined ? null : { what, needs: 0, send: post('files/trash/restore', { path: first.path }) };
      }
      case 'empty':
        return { what, needs: 0, send: post('files/trash/empty', {}) };
      default: {
        if (file === null) return null;
        const { body } = await this.#api.get('files/versions/list', { path: file.path });
        const old = body.data.versions.slice(1);
        if (old.length === 0) return null;
        const { version, size } = random.pick<{ version: number; size: number }>(old);
        return what === 'version'
          ? { what, needs: size, send: post('files/versions/restore', { path: file.path, version }) }
          : { what, needs: 0, send: post('files/versions/delete', { path: file.path, version }) };
      }
    }
  }

  async #files(): Promise<{ path: string; size: number }[]> {
    const query = { path: '/ROOT/HOME', recursive: '1', itemType: 'files', 'details[]': ['fileSize'] };
    const { body } = await this.#api.get('files/browse', query);
    return body.data.files.map(({ path, fileSize }: { path: string; fileSize: number }) => ({ path, size: fileSize }));
  }

  /** The first half of an upload, or the rest of one. */
  async #piece(bytes: number): Promise<Step> {
    const path = '/ROOT/HOME/pieces';
    const [known] = await this.#home(
      '(SELECT received FROM uploads WHERE home_id = homes.id) AS received, (SELECT total_size FROM uploads WHERE home_id = homes.id) AS total',
    );
    const begun = known?.received ?? 0;
    const total = begun > 0 ? (known?.total ?? bytes) : bytes;
    const end = begun > 0 ? total : Math.floor(total / 2);
    const query = { path, totalSize: total, startByte: begun };
    return { what: 'piece', needs: total - begun, send: () => this.#api.put(query, Buffer.alloc(end - begun)) };
  }
}

it.each(sampled(SEEDS, 1))(
  'only uploads that fit into the quota are accepted, and the usage is counted correctly, seed %i',
  async (seed) => {
    const random = new Random(seed);
    const player = new Player(await signInAs(household, `seed${seed}`), `seed${seed}`, random);
    let outside = false;
    let refusals = 0;
    for (let count = 0; count < STEPS; count += 1) {
      if (count % 30 === 0) await household.control('settings.update', { versionsKept: random.pick([20, 2, 0]) });
      if (random.chance(0.03)) {
        await player.outside();
        outside = true;
      }
      const step = await player.next();
      if (step === null) continue;
      const before = await player.taken();
      const reply = await step.send();
      const after = await player.taken();
      const told = `step ${count}, ${step.what} of ${step.needs} with ${JSON.stringify(before)}: ${reply.text.slice(0, 300)}`;
      const isTooMuch = step.needs > 0 && before.used + before.pieces + step.needs > QUOTA;
      expect(reply.body.code === 'quota_exceeded', told).toBe(isTooMuch);
      expect(await wrongCounts(rows), told).toEqual([]);
      if (reply.status === 507) {
        refusals += 1;
        expect(after, told).toEqual(before);
        expect(reply.body.details, told).toMatchObject({ quota: QUOTA });
      } else expect([200, 201, 409], told).toContain(reply.status);
      if (!outside) expect(after.used + after.pieces, told).toBeLessThanOrEqual(QUOTA);
    }
    expect(refusals).toBeGreaterThan(5);
  },
);
