import { checkStillShared } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import { onStorage } from '../access/storage-failure.ts';
import type { DownloadContext } from '../files/download/context.ts';
import { extensionOf, fileKind } from '../lib/names/file-types.ts';
import type { TextPart } from '../lib/text/matching-parts.ts';
import { inheritFile } from '../storage/content/inherited-file.ts';
import { closeFile } from '../storage/content/send-bytes.ts';
import { JobError } from '../workers/job-error.ts';
import { textReaderOf } from '../workers/text/kinds.ts';

/**
 * The passage of a file that matches the words of a search by contents, to be shown beside the hit. It needs the same rights as
 * the search.
 * @param words folded (`searchFold`)
 * @returns null if there is none, or if the text cannot be read now
 * @throws ApiError `not_found`, `permission_denied`, `invalid_path` for a folder, `storage_offline`
 */
export async function readPassage(
  { access, disk, texts }: DownloadContext,
  caller: Caller,
  path: readonly string[],
  words: readonly string[],
): Promise<readonly TextPart[] | null> {
  const target = await access.resolveItem(caller, path, 'files/search:contents');
  const name = target.segments.at(-1) ?? '';
  const reader = textReaderOf(extensionOf(name), fileKind(name, false).type);
  if (reader === null || words.length === 0) return null;
  const { home, segments } = target;
  return onStorage(async () => {
    const opened = await disk.run('open', { homeRoot: home.homeRoot, segments });
    try {
      await checkStillShared(target);
      const file = inheritFile(home.homeRoot, opened);
      const { parts } = await texts.run('passage', { file, reader, words: [...words] });
      return parts;
    } catch (error) {
      // A document that cannot be read, has just been replaced, or has to wait is found all the same.
      if (error instanceof JobError) return null;
      throw error;
    } finally {
      await closeFile(opened.fd);
    }
  });
}
