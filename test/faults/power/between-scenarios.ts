import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'vitest';
import {
  type Move,
  openTwoHomes,
  type Person,
  seenBy,
  type TwoHomes,
  uuidsOf,
  type Where,
} from '../../support/households/two-homes.ts';

/** What must be there after a power cut at a point, and after a failure of the disk: everything as it was, or all of the move. */
export type Outcome = 'before' | 'after';

export interface BetweenCase {
  readonly where: Where;
  readonly name: string;
  readonly point: string;
  readonly cut: Outcome;
  /** Where the disk refuses it there, and that is another one. */
  readonly full?: Outcome;
}

interface Scenario {
  readonly name: string;
  readonly versionsKept: number;
  prepare(put: Put, two: TwoHomes): Promise<void>;
  readonly move: Move;
}

type Put = (person: Person, path: string, ...contents: string[]) => Promise<void>;

const scenarios: readonly Scenario[] = [
  {
    name: 'a folder',
    versionsKept: 20,
    async prepare(put, two) {
      await put('ann', 'trip/doc.txt', 'one', 'two', 'three');
      await put('ann', 'trip/deep/photo.jpg', 'a photo');
      await mkdir(join(two.roots.ann, 'trip', 'empty'));
      await put('mia', 'from ann/other.txt', 'other');
    },
    move: { from: ['ann', 'trip'], to: ['mia', 'from ann'] },
  },
  {
    name: 'a file',
    versionsKept: 20,
    prepare: (put) => put('ann', 'doc.txt', 'one', 'two', 'three'),
    move: { from: ['ann', 'doc.txt'], to: ['mia'] },
  },
  ...([20, 1, 0] as const).map((versionsKept) => ({
    name: `over a file, with ${versionsKept} versions`,
    versionsKept,
    async prepare(put: Put) {
      await put('mia', 'doc.txt', 'mover 1', 'mover 2');
      await put('ann', 'doc.txt', 'target 1', 'target 2', 'target 3');
    },
    move: { from: ['mia', 'doc.txt'], to: ['ann'], overwrite: true } as const,
  })),
];

const OVER = scenarios.slice(2).map(({ name }) => name);
const ALL = scenarios.map(({ name }) => name);

function cases(where: Where, names: readonly string[], point: string, cut: Outcome, full?: Outcome): BetweenCase[] {
  return names.map((name) => ({ where, name, point, cut, ...(full === undefined ? {} : { full }) }));
}

const renames = (where: 'inside' | 'outside') => [
  ...cases(where, ALL, 'files.between.brought', 'before'),
  ...cases(where, ALL, 'storage.move.chosen', 'before'),
  ...cases(where, ALL, 'storage.move.kept-old', 'before'),
  ...cases(where, ['a file'], 'storage.linked', 'after', 'before'),
  ...cases(where, ALL, 'storage.move.named', 'after'),
  ...cases(where, ALL, 'files.between.published', 'after'),
  ...cases(where, ['a folder'], 'files.between.rows', 'after'),
];

/** Every point on the way of a move into another home where it can be interrupted. */
export const allBetween: readonly BetweenCase[] = [
  ...renames('inside'),
  ...renames('outside'),
  ...cases('outside', ALL, 'files.between.erase', 'after'),
  ...cases('outside', ALL, 'files.between.erased', 'after'),
  ...cases('other disk', ALL, 'storage.copy.flush', 'before'),
  ...cases('other disk', ['a folder'], 'files.mirror.flush-folders', 'before'),
  ...cases('other disk', ALL, 'files.between.copied', 'before'),
  ...cases('other disk', ALL, 'files.between.brought', 'before'),
  ...cases('other disk', ['a folder', 'a file'], 'storage.put-back', 'before'),
  ...cases('other disk', ['a folder', 'a file'], 'storage.put-back.named', 'after'),
  ...cases('other disk', OVER, 'storage.publish.chosen', 'before'),
  ...cases('other disk', OVER, 'storage.publish.kept-old', 'before'),
  ...cases('other disk', OVER, 'storage.publish.named', 'after'),
  ...cases('other disk', ALL, 'files.between.published', 'after'),
  ...cases('other disk', ALL, 'files.between.take-out', 'after', 'before'),
  ...cases('other disk', ALL, 'storage.taken-out', 'after'),
  ...cases('other disk', ALL, 'files.between.taken', 'after'),
  ...cases('other disk', ['a folder'], 'files.between.rows', 'after'),
  ...cases('other disk', ALL, 'files.between.erase', 'after'),
  ...cases('other disk', ALL, 'files.between.erased', 'after'),
];

/** @throws for one that is not in the table */
export function betweenCases(chosen: readonly (readonly [where: Where, name: string, point: string])[]): BetweenCase[] {
  return chosen.map(([where, name, point]) => {
    const found = allBetween.find((one) => one.where === where && one.name === name && one.point === point);
    if (found === undefined) throw new Error(`there is no case of ${name} at ${point}, ${where}`);
    return found;
  });
}

/** Homes in one kind of place, and everything that is tried between them. */
export class BetweenFaults {
  readonly two: TwoHomes;
  /** The folder of the fail points. */
  readonly points: string;

  private constructor(two: TwoHomes, points: string) {
    this.two = two;
    this.points = points;
  }

  static async open(where: Where): Promise<BetweenFaults> {
    return new BetweenFaults(await openTwoHomes(where), await mkdtemp(join(tmpdir(), 'larder-points-')));
  }

  /** What both people see, and what is counted of each. */
  async seen(): Promise<unknown> {
    const { two } = this;
    // Old contents over the limit are forgotten once an hour where a crash kept them from it.
    await two.household.larder.maintenance();
    const homes = { ann: await seenBy(two, 'ann'), mia: await seenBy(two, 'mia') };
    return { ...homes, used: await two.rows('SELECT username, used FROM accounts JOIN homes ON homes.id = home_id') };
  }

  /** Clears both homes, and makes what the scenario needs. */
  async prepare(name: string): Promise<Scenario> {
    const { two } = this;
    const scenario = scenarios.find((one) => one.name === name);
    if (scenario === undefined) throw new Error(`there is no scenario ${name}`);
    await two.household.control('settings.update', { versionsKept: 20 });
    for (const person of ['ann', 'mia'] as const) {
      const api = two.api(person);
      for (const { path } of (await api.get('files/browse', { path: '/ROOT/HOME' })).body.data.files)
        await api.post('files/delete', { path, permanent: 1 });
      await api.post('files/trash/empty');
    }
    const put: Put = async (person, path, ...contents) => {
      for (const content of contents) {
        const reply = await two.api(person).put({ filePath: `/ROOT/HOME/${path}` }, content);
        expect(reply.status, reply.text).toBeLessThan(300);
      }
    };
    await scenario.prepare(put, two);
    await two.household.control('settings.update', { versionsKept: scenario.versionsKept });
    return scenario;
  }

  /**
   * @param action what happens at the point
   * @param afterwards done before the server starts again
   * @returns what the mover said; null when it was killed there
   */
  async moveFailing({ move }: Scenario, point: string, action: string, afterwards = async () => {}) {
    const failPoints = `${this.points};${point}=${action}`;
    const moved = await this.two.move({ moves: [move], failPoints, afterwards });
    const reached = join(this.points, `${point}.reached`);
    expect(existsSync(reached), `${point} was not reached`).toBe(true);
    await rm(reached);
    return moved;
  }

  /** Holds what is there after a failure and a start against the two states that may be. */
  async failIn({ name, point, cut, full = cut }: BetweenCase, action: 'kill' | 'enospc' | 'eio'): Promise<void> {
    const { two } = this;
    const scenario = await this.prepare(name);
    const states = { before: await this.seen(), after: await this.#whole(scenario) };
    await this.prepare(name);
    const uuids = Object.values(await uuidsOf(two, scenario.move.from[0])).sort();
    const moved = await this.moveFailing(scenario, point, action);
    if (action === 'kill') expect(moved).toBeNull();
    // What is no refusal, and no change either, is known at the next start only.
    const isRefused = action === 'enospc' || (action === 'eio' && point.startsWith('storage.'));
    const outcome = isRefused ? full : cut;
    if (action === 'enospc' && outcome === 'before') {
      // Without a start in between.
      expect([moved?.results[0]?.code, moved?.pending]).toEqual([expect.stringMatching(/disk_full/), []]);
    }
    await two.expectAllWell();
    expect(await this.seen()).toEqual(states[outcome]);
    const owner = (outcome === 'before' ? scenario.move.from : scenario.move.to)[0];
    expect(Object.values(await uuidsOf(two, owner))).toEqual(expect.arrayContaining(uuids));
    // What was interrupted can be done again.
    if (outcome === 'before') {
      expect(await two.moveOne(scenario.move)).toHaveProperty('path');
      expect(await this.seen()).toEqual(states.after);
      await two.expectAllWell();
    }
  }

  readonly #known = new Map<string, unknown>();

  /** What is there after the scenario when nothing interrupts it. */
  async #whole(scenario: Scenario): Promise<unknown> {
    if (!this.#known.has(scenario.name)) {
      expect(await this.two.moveOne(scenario.move)).toHaveProperty('path');
      this.#known.set(scenario.name, await this.seen());
      await this.two.expectAllWell();
    }
    return this.#known.get(scenario.name);
  }

  async close(): Promise<void> {
    await this.two.close();
    await rm(this.points, { recursive: true, force: true });
  }
}
