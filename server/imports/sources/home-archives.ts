import { locationsOf } from '../../catalogue/places.ts';
import { ApiError } from '../../http/errors.ts';
import { unlessAborted } from '../../lib/async/unless-aborted.ts';
import { t } from '../../messages/messages.ts';
import { inheritFile } from '../../storage/content/inherited-file.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import type { ImportContext, Importing } from '../context.ts';
import type { ExportEntry } from '../exports/entries.ts';
import type { ImportRecord } from '../imports.ts';
import type { Note } from '../reasons.ts';
import { digestOf, entriesOf, readArchive, type WithArchive } from './archive-part.ts';
import { MAX_ENTRIES, type Part, type ReadSource } from './part.ts';

/**
 * Reads the directories of all archives of an import that are in the home.
 * @throws ApiError `not_found` for an archive that was deleted, `conflict` for one that is no longer the same; `unsafe_archive`,
 * `corrupt_file`, `unsupported_media`
 */
export async function readHomeArchives(
  context: ImportContext,
  importing: Importing,
  { id }: Pick<ImportRecord, 'id'>,
  signal: AbortSignal,
): Promise<ReadSource> {
  const parts = new Map<number, Part>();
  const entries: ExportEntry[] = [];
  const notes: Note[] = [];
  const archives = await context.imports.archives(id);
  for (const { number, itemId, digest: known } of archives) {
    signal.throwIfAborted();
    if (itemId === null) throw notFound();
    const part = await unlessAborted(readArchive(context, archiveAt(context, importing, itemId), signal), signal);
    const digest = digestOf(part);
    if (known === null) await context.imports.setDigest(id, number, digest);
    else if (!digest.equals(known)) throw new ApiError('conflict', t('api.imports.changed'));
    parts.set(number, part);
    const listed = entriesOf(part, number);
    for (const note of listed.notes) notes.push(note);
    for (const entry of listed.entries) entries.push(entry);
    if (entries.length > MAX_ENTRIES) {
      throw new ApiError('upload_too_large', t('api.imports.tooManyTogether', { max: MAX_ENTRIES }));
    }
  }
  return { parts, entries, notes, unpacked: 0, names: archives.map(({ name }) => name) };
}

/** Opens an archive wherever it is in the home now. It throws ApiError `not_found` if it is no longer there. */
function archiveAt({ disk, database }: ImportContext, { home }: Importing, itemId: number): WithArchive {
  return async (work) => {
    const location = (await locationsOf(database, [itemId])).get(itemId);
    if (location?.state !== 'there' || location.homeId !== home.id) throw notFound();
    const opened = await disk.run('open', { homeRoot: home.homeRoot, segments: location.segments });
    try {
      return await work(inheritFile(home.homeRoot, opened));
    } finally {
      await closeFile(opened.fd);
    }
  };
}

function notFound(): ApiError {
  return new ApiError('not_found', t('api.access.notFound'));
}
