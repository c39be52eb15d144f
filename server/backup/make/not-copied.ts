import { join } from 'node:path';
import { t } from '../../messages/messages.ts';
import { entriesIn } from '../format/entries.ts';
import type { Manifest } from '../format/manifest.ts';

/** A file or folder that the backup does not have as it is in the home. */
export interface NotCopied {
  /** As in the list of files: `homes/ann/photos/one.jpg`. */
  readonly path: string;
  readonly reason: string;
}

const MOST = 1_000;

/** The files that a finished backup lacks, or has in a mixed state. @param folder of the backup */
export async function notCopiedIn(folder: string, { files }: Manifest): Promise<NotCopied[]> {
  const found: NotCopied[] = [];
  if (files === null || files.leftOut + files.absent + files.changed === 0) return found;
  for await (const entry of entriesIn(join(folder, files.list.file))) {
    const { path } = entry;
    if ('leftOut' in entry) found.push({ path, reason: entry.leftOut });
    else if ('absent' in entry) found.push({ path, reason: t('api.backup.reasonRemoved') });
    else if ('sha256' in entry && entry.changed === true) found.push({ path, reason: t('api.backup.reasonChanged') });
    if (found.length === MOST) break;
  }
  return found;
}
