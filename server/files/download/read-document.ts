import { checkStillShared, type ItemTarget, virtualPathOf } from '../../access/access.ts';
import type { Caller } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { type InheritedFile, inheritFile } from '../../storage/content/inherited-file.ts';
import { closeFile } from '../../storage/content/send-bytes.ts';
import type { SheetReader, TextReader } from '../../workers/text/kinds.ts';
import type { Sheets } from '../../workers/text/sheets/collector.ts';
import { emitItemEvent } from '../emit.ts';
import { openVersion } from '../versions/versions.ts';
import type { DownloadContext } from './context.ts';
import { unlessUnreadable } from './read-text.ts';

interface DocumentText {
  readonly text: string;
  /** Whether the rest is left out. */
  readonly isCut: boolean;
}

/**
 * The beginning of the text of a document, for people to read, as a worker extracts it. It counts as a download.
 * @param version of an earlier content; null for the present one
 * @returns null if it cannot be read: it is damaged, encrypted, or too large
 * @throws ApiError `permission_denied`, `not_found`, `invalid_path` for a folder, `too_many_requests` when too many others wait
 */
export function readDocument(
  context: DownloadContext,
  caller: Caller,
  path: readonly string[],
  reader: TextReader,
  version: number | null = null,
): Promise<DocumentText | null> {
  return read(context, caller, { path, version }, (file) => context.texts.run('text', { file, reader }));
}

/** The cells of a spreadsheet, for people to read, like the text of a document. */
export function readSheets(
  context: DownloadContext,
  caller: Caller,
  path: readonly string[],
  reader: SheetReader,
  version: number | null = null,
): Promise<Sheets | null> {
  return read(context, caller, { path, version }, (file) => context.texts.run('sheets', { file, reader }));
}

async function read<Output>(
  context: DownloadContext,
  caller: Caller,
  { path, version }: { readonly path: readonly string[]; readonly version: number | null },
  job: (file: InheritedFile) => Promise<Output>,
): Promise<Output | null> {
  const action = version === null ? 'files/download' : 'files/download:version';
  const target = await context.access.resolveItem(caller, path, action);
  return onStorage(async () => {
    const opened = await open(context, target, version);
    try {
      await checkStillShared(target);
      const found = await unlessUnreadable(job(opened.inherit()));
      const what = { path: virtualPathOf(target), isFolder: false, version };
      if (found !== null) emitItemEvent(context, 'item.downloaded', caller, target, what);
      return found;
    } finally {
      await closeFile(opened.fd);
    }
  });
}

async function open(
  context: DownloadContext,
  target: ItemTarget,
  version: number | null,
): Promise<{ readonly fd: number; inherit(): InheritedFile }> {
  if (version !== null) return openVersion(context, target, version);
  const { homeRoot } = target.home;
  const opened = await context.disk.run('open', { homeRoot, segments: target.segments });
  return { fd: opened.fd, inherit: () => inheritFile(homeRoot, opened) };
}
