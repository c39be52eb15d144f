import type { Database } from '../database/database.ts';
import { tokenize } from '../lib/text/tokenizer.ts';

/** Longer queries are truncated, in characters and in words. */
const MAX_QUERY = 2_000;
const MAX_PHRASES = 32;
/** Letters of scripts that are indexed by letter, in all phrases together. */
const MAX_WORDS = 128;

/** Items that contain all words of a query, best first: whole words before words that only begin with them. */
interface ContentHits {
  readonly ids: readonly number[];
  /** Whether there are more. */
  readonly isCut: boolean;
}

/**
 * Files of a home, not missing, that contain every word of a text. A term with punctuation, such as `foo-bar` or `a.b@c.de`,
 * matches its parts in sequence; there is no query syntax. One-letter words match whole words only, longer ones also the
 * beginning of words. Hits include items in the trash.
 * @param limit of hits
 */
export async function searchContents(
  database: Pick<Database, 'all'>,
  homeId: string,
  text: string,
  limit: number,
): Promise<ContentHits> {
  const phrases = phrasesOf(text);
  if (phrases.length === 0) return { ids: [], isCut: false };
  const whole = phrases.map((words) => `"${words.join(' ')}"`);
  const begun = whole.map((phrase, index) => ((phrases[index]?.at(-1)?.length ?? 0) > 1 ? `${phrase} *` : phrase));
  const ids = await hits(database, homeId, whole.join(' AND '), limit + 1);
  if (ids.length <= limit && begun.some((phrase, index) => phrase !== whole[index])) {
    const known = new Set(ids);
    const more = await hits(database, homeId, begun.join(' AND '), limit + 1);
    ids.push(...more.filter((id) => !known.has(id)));
  }
  return { ids: ids.slice(0, limit), isCut: ids.length > limit };
}

/** The words of a query, each as the sequence of index words it stands for. */
export function phrasesOf(text: string): string[][] {
  const phrases = new Map<string, string[]>();
  let count = 0;
  for (const part of text.slice(0, MAX_QUERY).split(/\s+/u)) {
    const words = tokenize(part).slice(0, MAX_WORDS - count);
    if (words.length === 0 || phrases.size === MAX_PHRASES) continue;
    count += words.length;
    phrases.set(words.join(' '), words);
  }
  return [...phrases.values()];
}

async function hits(database: Pick<Database, 'all'>, homeId: string, match: string, limit: number): Promise<number[]> {
  const rows = await database.all<{ id: number }>(
    `SELECT i.id FROM texts CROSS JOIN items i ON i.id = texts.rowid
     WHERE texts MATCH ? AND i.home_id = ? AND i.missing_since IS NULL ORDER BY texts.rank, i.id LIMIT ?`,
    [match, homeId, limit],
  );
  return rows.map(({ id }) => id);
}
