import { Installation } from '../../support/households/server-process.ts';
import type { ApiClient, Reply } from '../../support/requests/api-client.ts';
import { APP_RACES } from './races-of-apps.ts';
import { DAV_RACES } from './races-of-dav.ts';
import { FILE_RACES } from './races-of-files.ts';
import { openPeople, PEOPLE_RACES, type People, resetRace } from './races-of-people.ts';

/** Where races are run, and who runs. */
export interface Arena {
  readonly installation: Installation;
  /** The owner's. */
  readonly api: ApiClient;
  readonly people: People;
  /** Different in every round, for names that nobody has had. */
  readonly round: number;
}

/** @returns what must not be, in a sentence, or null */
export type Race = (arena: Arena) => Promise<string | null>;

export interface RaceReport {
  readonly races: number;
  readonly rounds: number;
  readonly complaints: readonly string[];
}

/** How many run in each race, over a connection each. */
export const RUNNERS = 20;

/** Each race in each round, one after the other; all who run in one begin at the same moment. */
export async function races(rounds: number): Promise<RaceReport> {
  const installation = await Installation.create();
  const complaints: string[] = [];
  const all = { ...FILE_RACES, ...DAV_RACES, ...APP_RACES, ...PEOPLE_RACES };
  let people: People | null = null;
  try {
    const api = await installation.start();
    people = await openPeople(installation, api);
    for (let round = 0; round < rounds && complaints.length === 0; round += 1) {
      for (const [name, race] of Object.entries(all)) {
        const complaint = await race({ installation, api, people, round }).catch((error: unknown) => String(error));
        if (complaint !== null) complaints.push(`Round ${round}, ${name}: ${complaint}`);
      }
      const { problems, notes } = await installation.doctor();
      complaints.push(...problems.map((text) => `Round ${round}, the doctor says: ${text}`));
      complaints.push(...notes.filter((text) => /other programs have been at work/.test(text)));
    }
    const reset = await resetRace({ people });
    if (reset !== null) complaints.push(`a link for a new password: ${reset}`);
    return { races: Object.keys(all).length + 1, rounds, complaints };
  } finally {
    await people?.close();
    await installation.remove();
  }
}

/** All at once. @param run of the one with this number */
export function together<T>(run: (n: number) => Promise<T>, count = RUNNERS): Promise<T[]> {
  return Promise.all(Array.from({ length: count }, (_, n) => run(n)));
}

/** How often each status came, as `200: 1, 409: 19`. */
export function told(replies: readonly Pick<Reply, 'status'>[]): string {
  const counts = new Map<number, number>();
  for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1);
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([status, count]) => `${status}: ${count}`)
    .join(', ');
}

/** @returns a complaint unless it is just this */
export function expectTold(replies: readonly Pick<Reply, 'status'>[], wanted: string): string | null {
  const seen = told(replies);
  return seen === wanted ? null : `${seen} instead of ${wanted}`;
}
