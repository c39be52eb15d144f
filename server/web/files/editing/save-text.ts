import { Readable } from 'node:stream';
import type { AccountCaller } from '../../../access/caller.ts';
import { checkNewName } from '../../../files/create-folder.ts';
import { readStart } from '../../../files/download/read-start.ts';
import { prepareUpload } from '../../../files/upload/plan.ts';
import { publishUpload } from '../../../files/upload/publish.ts';
import { ApiError } from '../../../http/errors.ts';
import type { Preconditions } from '../../../http/request/preconditions.ts';
import { extensionOf, fileKind } from '../../../lib/names/file-types.ts';
import { foldName } from '../../../lib/names/names.ts';
import { contentOf, editedText, MAX_EDITED, type TextFormat } from '../../../lib/text/edited-text.ts';
import { itemInfo } from '../../../listing/info.ts';
import { t } from '../../../messages/messages.ts';
import { isShownAsText } from '../../viewer/kinds.ts';
import { canEditIn } from '../abilities.ts';
import { type FilesPagesParts, listFolder, NO_ADDRESS, namesIn } from '../context.ts';
import { freeName } from '../free-name.ts';
import type { EditedFile } from './page.ts';

/**
 * The text of a file, to be edited. It counts as a download.
 * @returns null for a file that is too large, in another encoding, or no text
 * @throws ApiError `not_found`, `permission_denied`, `invalid_path` for a folder
 */
export async function textToEdit(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
): Promise<EditedFile | null> {
  // Read before the content: if that changes in between, saving is refused rather than what has changed is lost.
  const etag = await tagAt(parts, caller, path);
  const { content, size } = await readStart(parts.files, caller, path, MAX_EDITED);
  const edited = etag === null || size > MAX_EDITED ? null : editedText(content);
  if (edited === null || etag === null) return null;
  // A line feed within a cell is not the end of a row.
  if (edited.isMixed && TABLES.has(extensionOf(path.at(-1) ?? ''))) return null;
  return { ...edited, etag };
}

const TABLES: ReadonlySet<string> = new Set(['csv', 'tsv']);

/** The tag of a content, with its quotes; null while it is not known. @throws ApiError `not_found`, `permission_denied` */
export async function tagAt(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
): Promise<string | null> {
  const options = { details: ['etag'] as const, address: NO_ADDRESS };
  return (await itemInfo({ ...parts.files, ...parts.listing }, caller, path, options)).etag ?? null;
}

/**
 * Saves a text as the new content of its file; the content before becomes a version.
 * @param etag of the content that was edited; empty for a file that was not there
 * @throws ApiError `precondition_failed` with the present tag, if the file has changed; those of an upload
 */
export async function saveText(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
  { text, format, etag }: { readonly text: string; readonly format: TextFormat; readonly etag: string },
): Promise<void> {
  const condition = etag === '' ? { ifNoneMatch: '*' as const } : { ifMatch: [etag] };
  const conditions: Preconditions = { ifMatch: null, ifNoneMatch: null, ifUnmodifiedSince: null, ...condition };
  const content = contentOf(text, format);
  // It could not be opened here again.
  if (content.length > MAX_EDITED) throw new ApiError('upload_too_large', t('editing.tooLong'));
  const plan = await prepareUpload(parts.files, caller, {
    location: { path },
    bytes: content.length,
    chunk: null,
    conditions,
  });
  try {
    await plan.receive(Readable.from([content], { objectMode: false }));
    await publishUpload(parts.files, caller, plan);
  } catch (error) {
    await plan.drop();
    throw error;
  }
}

/** Whether a file has this text already. It counts as a download. @throws ApiError `not_found`, `permission_denied` */
export async function hasText(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
  { text, format }: { readonly text: string; readonly format: TextFormat },
): Promise<boolean> {
  const expected = contentOf(text, format);
  const { content, size } = await readStart(parts.files, caller, path, MAX_EDITED);
  return size === expected.length && content.equals(expected);
}

/**
 * Saves a text beside its file, under a free name.
 * @returns the path of the new file
 * @throws ApiError like `saveText`
 */
export async function saveCopy(
  parts: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
  edited: { readonly text: string; readonly format: TextFormat },
): Promise<string> {
  const folder = path.slice(0, -1);
  const there = new Set((await namesIn(parts, caller, folder)).map(foldName));
  const copy = [...folder, freeName(there, path.at(-1) ?? '')];
  await saveText(parts, caller, copy, { ...edited, etag: '' });
  return `/${copy.join('/')}`;
}

/**
 * Creates an empty text file in a folder. A name that is not that of a text gets an extension that says so.
 * @returns its path
 * @throws ApiError `invalid_name`, `already_exists`, `permission_denied` where it could not be edited; those of an upload
 */
export async function createText(
  parts: FilesPagesParts,
  caller: AccountCaller,
  folder: readonly string[],
  typed: string,
): Promise<string> {
  checkNewName(typed);
  const name = isShownAsText(typed, fileKind(typed, false).type) ? typed : `${typed}.txt`;
  const { perms } = (await listFolder(parts, caller, folder, { limit: 1 })).meta;
  if (!canEditIn(perms)) throw new ApiError('permission_denied', t('files.errors.noPermission'));
  const path = [...folder, name];
  try {
    await saveText(parts, caller, path, { text: '', format: { ending: 'lf', hasMark: false }, etag: '' });
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'precondition_failed') throw error;
    throw new ApiError('already_exists', t('editing.nameTaken', { name }), { cause: error });
  }
  return `/${path.join('/')}`;
}
