import type { Household } from '../households/household.ts';

export interface ActivityRow {
  readonly id: number;
  readonly at: string;
  readonly kind: string;
  readonly group: string;
  readonly accountId: number | null;
  readonly username: string | null;
  readonly clientId: string | null;
  readonly client: string | null;
  readonly channel: string;
  readonly address: string | null;
  readonly subject: string;
  readonly details: Record<string, unknown>;
}

export interface ActivityPage {
  readonly entries: ActivityRow[];
  readonly next: number | null;
}

/** The activity log as returned to the owner, newest first. */
export async function activityOf(household: Household, query: Record<string, unknown> = {}): Promise<ActivityPage> {
  return (await household.control('activity.list', { limit: 500, ...query })) as unknown as ActivityPage;
}

/** The rows that some work adds, in order. */
export async function rowsOf(household: Household, work: () => Promise<unknown>): Promise<ActivityRow[]> {
  const before = (await activityOf(household, { limit: 1 })).entries[0]?.id ?? 0;
  await work();
  const { entries } = await activityOf(household);
  return entries.filter(({ id }) => id > before).reverse();
}
