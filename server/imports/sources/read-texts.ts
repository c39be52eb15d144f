import { unlessAborted } from '../../lib/async/unless-aborted.ts';
import { MAX_TEXT, MAX_TEXTS } from '../../workers/archives/archive-jobs.ts';
import type { ExportEntry } from '../exports/entries.ts';
import type { ReadSource } from './part.ts';

/** Bytes of the texts that are read at a time. */
const TEXTS_BYTES = 4 * 1024 ** 2;

/**
 * Reads texts of an import, and makes of each what `parse` makes of it.
 * @param requested entries of at most `MAX_TEXT` bytes; larger ones are left out
 */
export async function readTexts<T>(
  { parts }: Pick<ReadSource, 'parts'>,
  requested: readonly ExportEntry[],
  parse: (text: string | null) => T | Promise<T>,
  signal: AbortSignal,
): Promise<Map<ExportEntry, T>> {
  const read = new Map<ExportEntry, T>();
  const byPart = new Map<number, ExportEntry[]>();
  for (const entry of requested) {
    if (entry.size > MAX_TEXT) continue;
    const own = byPart.get(entry.archive);
    if (own === undefined) byPart.set(entry.archive, [entry]);
    else own.push(entry);
  }
  for (const [number, own] of byPart) {
    for (const some of groupsOf(own)) {
      signal.throwIfAborted();
      const texts = await unlessAborted(parts.get(number)?.texts(some, signal) ?? Promise.resolve([]), signal);
      for (const [index, entry] of some.entries()) read.set(entry, await parse(texts[index] ?? null));
    }
  }
  return read;
}

/** As many as are read at a time. */
function* groupsOf(entries: readonly ExportEntry[]): Generator<readonly ExportEntry[]> {
  let group: ExportEntry[] = [];
  let bytes = 0;
  for (const entry of entries) {
    if (group.length === MAX_TEXTS || (group.length > 0 && bytes + entry.size > TEXTS_BYTES)) {
      yield group;
      [group, bytes] = [[], 0];
    }
    group.push(entry);
    bytes += entry.size;
  }
  if (group.length > 0) yield group;
}
