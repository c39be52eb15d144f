import type { FilesDatabase } from '../database/database.ts';
import { locationsOf } from './places.ts';

/** How many items of something, such as an album, are in a folder. */
export interface CountInFolder {
  /** What is counted for. */
  readonly of: number;
  /** Id of the folder, or of the item itself if that is a root. */
  readonly folder: number;
  readonly count: number;
}

/**
 * Adds up the counts of folders that are in their places: what is in the trash, or below a missing folder, does not count.
 * @returns by `of`; without those for which nothing is left
 */
export async function countsThere(
  database: Pick<FilesDatabase, 'all'>,
  counts: readonly CountInFolder[],
): Promise<Map<number, number>> {
  const places = await locationsOf(database, [...new Set(counts.map(({ folder }) => folder))]);
  const sums = new Map<number, number>();
  for (const { of, folder, count } of counts) {
    if (places.get(folder)?.state === 'there') sums.set(of, (sums.get(of) ?? 0) + count);
  }
  return sums;
}
