import { whenFree } from '../../workers/pool/when-free.ts';
import type { ImportContext } from '../context.ts';
import type { ExportEntry } from '../exports/entries.ts';
import type { ReadXmp, StatedFacts } from '../exports/plan.ts';
import type { ReadSource } from './part.ts';
import { readTexts } from './read-texts.ts';

/** Reads the XMP beside photos of an import, in workers. */
export function xmpReader(
  { archives }: Pick<ImportContext, 'archives'>,
  source: Pick<ReadSource, 'parts'>,
  signal: AbortSignal,
): ReadXmp {
  const parse = async (text: string | null): Promise<StatedFacts | null> => {
    if (text === null) return null;
    const { takenAt, ...facts } = await whenFree(() => archives.run('xmp', { text }), signal);
    return { ...facts, taken: takenAt === null ? null : Math.floor(takenAt / 1_000), isFavourite: false };
  };
  return (entries: readonly ExportEntry[]) => readTexts(source, entries, parse, signal);
}
