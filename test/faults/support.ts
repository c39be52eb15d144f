import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import { lanAddresses } from '../../dist/server/tls/lan-addresses.js';
import { type Household, openHousehold } from '../support/households/household.ts';
import { startServer } from '../support/households/server-process.ts';
import { ApiClient } from '../support/requests/api-client.ts';

/** Names in a folder of the household's work area. */
export async function areaOf(household: Household, name: 'incoming' | 'trash' | 'versions'): Promise<string[]> {
  return (await readdir(join(household.folder, '.larder', name))).sort();
}

/** Rows and disk agree, and nothing is left over. */
export async function expectAllWell(household: Household, continued = 0): Promise<void> {
  // What goes on behind an answer, such as erasing, has a moment for it.
  await expect
    .poll(async () => {
      const { ok, problems, notes } = (await household.control('doctor')) as Record<string, unknown>;
      const strays = (notes as string[]).filter((note) => /belongs to nothing|interrupted|is left of/.test(note));
      return { ok, problems, strays };
    })
    .toEqual({ ok: true, problems: [], strays: [] });
  expect(await areaOf(household, 'incoming')).toHaveLength(continued);
}

/**
 * A household that is served by a process of its own while the power is cut, and by this one before and after: a start is
 * the dearest part of such a test.
 */
export class PowerCuts {
  readonly household: Household;
  readonly #points: string;
  api: ApiClient;

  private constructor(household: Household, api: ApiClient, points: string) {
    this.household = household;
    this.api = api;
    this.#points = points;
  }

  static async open(): Promise<PowerCuts> {
    const household = await openHousehold({ addresses: lanAddresses });
    return new PowerCuts(household, await household.signIn(), await mkdtemp(join(tmpdir(), 'larder-points-')));
  }

  /** Does the work with the power cut armed, shows that it came there, and goes on afterwards. */
  async at(point: string, work: (api: ApiClient) => Promise<unknown>, morePoints = ''): Promise<void> {
    const { household } = this;
    try {
      await household.whileStopped(async () => {
        const failPoints = `${this.#points};${point}=kill;${morePoints}`;
        const { child, port } = await startServer(household.folder, { failPoints });
        const ended = once(child, 'exit');
        try {
          const token = this.api.token_ ?? '';
          // What goes on behind an answer is cut too.
          await Promise.allSettled([work(new ApiClient({ port, ca: household.ca, token }))]);
          await expect.poll(() => child.signalCode, { message: `${point} was not reached` }).toBe('SIGKILL');
          expect(existsSync(join(this.#points, `${point}.reached`))).toBe(true);
        } finally {
          child.kill('SIGKILL');
          if (child.exitCode === null && child.signalCode === null) await ended;
          await rm(join(this.#points, `${point}.reached`), { force: true });
        }
      });
    } finally {
      this.#follow();
    }
  }

  /** Does the work while the disk fails at some points, and goes on without failures after a start. */
  async failing(actions: string, work: (api: ApiClient) => Promise<unknown>): Promise<void> {
    await this.household.restart({ failPoints: `${this.#points};${actions}` });
    this.#follow();
    try {
      await work(this.api);
    } finally {
      await this.household.restart();
      this.#follow();
    }
  }

  /** Every start has another port. */
  #follow(): void {
    const { port, ca } = this.household;
    this.api = new ApiClient({ port, ca, ...(this.api.token_ === undefined ? {} : { token: this.api.token_ }) });
  }

  async close(): Promise<void> {
    await this.household.close();
    await rm(this.#points, { recursive: true, force: true });
  }
}

/** A household of this process whose disk fails at some points. */
export async function openFailing(actions: string) {
  const points = await mkdtemp(join(tmpdir(), 'larder-points-'));
  const household = await openHousehold({ config: { failPoints: `${points};${actions}` } });
  return {
    household,
    api: await household.signIn(),
    hasReached: (point: string) => existsSync(join(points, `${point}.reached`)),
    /** Does `meanwhile` while the server stands at the point, then lets it go on. */
    async whilePausedAt<T>(point: string, work: Promise<T>, meanwhile: () => Promise<void>): Promise<T> {
      await expect.poll(() => existsSync(join(points, `${point}.reached`))).toBe(true);
      await meanwhile();
      await writeFile(join(points, `${point}.go`), '');
      return work;
    },
    /** Without failures from now on. */
    heal: () => household.restart({ failPoints: '' }),
    async close() {
      await household.close();
      await rm(points, { recursive: true, force: true });
    },
  };
}

export type Failing = Awaited<ReturnType<typeof openFailing>>;
