import { rm } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import { expect } from 'vitest';
import { areaOf, expectAllWell, type PowerCuts } from '../support.ts';
import { newWorld, type Outcome, type Scenario, scenarios, snapshot } from './scenarios.ts';

export interface Case {
  readonly scenario: Scenario;
  readonly point: string;
  readonly outcome: Outcome;
  /** Further points, such as a disk without hard links. */
  readonly more?: string;
}

export const allCases: readonly Case[] = scenarios.flatMap((scenario) =>
  Object.entries(scenario.points).map(([point, outcome]) => ({ scenario, point, outcome })),
);

/** The cases that stand for the others where time is short. @throws for one that is not in the table */
export function casesOf(chosen: readonly (readonly [scenario: string, point: string])[]): Case[] {
  return chosen.map(([name, point]) => {
    const found = allCases.find((one) => one.scenario.name === name && one.point === point);
    if (found === undefined) throw new Error(`there is no case of ${name} at ${point}`);
    return found;
  });
}

let count = 0;

/** What is there before and after a scenario that nothing interrupts. */
async function expected({ household, api }: PowerCuts, scenario: Scenario) {
  const world = await newWorld(household, api, scenario, `whole ${++count}`);
  const before = await snapshot(world, api);
  const reply = await scenario.run(world, api);
  expect(reply.status, reply.text).toBeLessThan(300);
  const after = await snapshot(world, api);
  expect(after).not.toEqual(before);
  await rm(world.real, { recursive: true });
  return { before, after };
}

/** Cuts the power at the point and holds what is there afterwards against the two states that may be. */
export async function cutIn(cuts: PowerCuts, { scenario, point, outcome, more = '' }: Case): Promise<void> {
  const states = await expected(cuts, scenario);
  const { length: others } = await areaOf(cuts.household, 'incoming');
  const world = await newWorld(cuts.household, cuts.api, scenario, `cut ${++count}`);
  await cuts.at(point, (api) => scenario.run(world, api), more);
  expect(await snapshot(world, cuts.api)).toEqual(states[outcome]);
  await expectAllWell(cuts.household, others + (outcome === 'before' && scenario.continued ? 1 : 0));
  // What was interrupted can be done again, whatever had become of it.
  if (outcome === 'before') {
    expect((await scenario.run(world, cuts.api)).status).toBeLessThan(300);
    expect(await snapshot(world, cuts.api)).toEqual(states.after);
    await expectAllWell(cuts.household, others);
  }
  await rm(world.real, { recursive: true });
}

/**
 * Lets the disk fail at the point. What it refused before anything had changed is as it was at once; what fails later is
 * finished or undone by the next start.
 */
export async function failIn(cuts: PowerCuts, one: Case, action: 'enospc' | 'eio'): Promise<void> {
  const { scenario, point, outcome } = one;
  const states = await expected(cuts, scenario);
  const { length: others } = await areaOf(cuts.household, 'incoming');
  const world = await newWorld(cuts.household, cuts.api, scenario, `failed ${++count}`);
  await cuts.failing(`${point}=${action}`, async (api) => {
    const reply = await scenario.run(world, api);
    if (outcome === 'before') {
      const isFull = action === 'enospc' && point.startsWith('storage.');
      if (isFull) expect([reply.status, reply.body.code]).toEqual([507, 'disk_full']);
      else expect(reply.status).toBeGreaterThanOrEqual(500);
      expect(await snapshot(world, api)).toEqual(states.before);
    }
    const { problems } = await cuts.household.control('doctor');
    expect(problems).toEqual([]);
  });
  const found = await snapshot(world, cuts.api);
  const isAsBefore = isDeepStrictEqual(found, states.before);
  expect(found).toEqual(isAsBefore || outcome === 'before' ? states.before : states.after);
  await expectAllWell(cuts.household, others + (isAsBefore && scenario.continued ? 1 : 0));
  if (isAsBefore) {
    expect((await scenario.run(world, cuts.api)).status).toBeLessThan(300);
    expect(await snapshot(world, cuts.api)).toEqual(states.after);
    await expectAllWell(cuts.household, others);
  }
  await rm(world.real, { recursive: true });
}
