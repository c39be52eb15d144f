import { z } from 'zod';
import type { AccountCaller } from '../../access/caller.ts';
import { InvalidValue } from '../../fields/invalid-value.ts';
import { createFolder } from '../../files/create-folder.ts';
import { copyItem } from '../../files/move/copy.ts';
import { moveItem, renameItem } from '../../files/move/move.ts';
import type { Moved } from '../../files/move/transfer-options.ts';
import { deleteItem } from '../../files/trash/delete.ts';
import { emptyOwnTrash } from '../../files/trash/empty-trash.ts';
import { deleteFromTrash, restoreItem } from '../../files/trash/trash.ts';
import { abandonUpload } from '../../files/upload/chunks.ts';
import { uploadTarget } from '../../files/upload/target.ts';
import { ApiError, type ErrorCode } from '../../http/errors.ts';
import { checkParameters } from '../../http/request/check-parameters.ts';
import { flag, text, textList, virtualPath, virtualPaths } from '../../http/request/parameters.ts';
import { foldName } from '../../lib/names/names.ts';
import { itemInfo } from '../../listing/info.ts';
import type { MessageKey } from '../../messages/catalogue.ts';
import { t } from '../../messages/messages.ts';
import { addTags } from '../../metadata/tags.ts';
import { shareItem } from '../../sharing/share.ts';
import { starItem, unstarItem } from '../../stars/operations.ts';
import { albumAction } from './albums/actions.ts';
import { type FilesPagesParts, namesIn, segmentsOf } from './context.ts';
import { createText } from './editing/save-text.ts';
import { freeName } from './free-name.ts';
import { withParts } from './photos/whole.ts';
import { recipientIn, rightsIn } from './sharing/entered.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The result for one item. */
export interface Outcome {
  readonly path: string;
  /** Its new path. */
  readonly to?: string;
  /**
   * Of an item that was moved or renamed, so that undoing it concerns the same item. Undefined if it cannot be undone, as the item
   * has replaced another one and has its history now.
   */
  readonly uuid?: string | undefined;
  readonly error?: string;
  readonly code?: ErrorCode;
}

interface Action {
  /** @returns the item's path afterwards, or what a move has done; null when it has no path */
  readonly run: (
    parts: FilesPagesParts,
    caller: AccountCaller,
    path: readonly string[],
    fields: Fields,
    /** Of the item that is meant; undefined for the one that is there. */
    uuid?: string,
  ) => Promise<string | Moved | null>;
  /** The result, by its name in the messages. */
  readonly done: string;
}

const target = z.object({ to: virtualPath(), overwrite: flag().default(false) });
const named = z.object({ name: text() });
const [entered, box] = [text().default(''), text().default('')];
const shared = z.object({ to: entered, level: entered, download: box, comments: box, further: box, unnamed: box });

const ACTIONS: Record<string, Action> = {
  'create-folder': {
    done: 'created',
    run: async ({ files }, caller, path, fields) =>
      (await createFolder(files, caller, path, checkParameters(named, fields).name.trim())).path,
  },
  'create-file': {
    done: 'created',
    run: (parts, caller, path, fields) => createText(parts, caller, path, checkParameters(named, fields).name.trim()),
  },
  rename: {
    done: 'renamed',
    run: ({ files }, caller, path, fields, uuid) =>
      renameItem(files, caller, { path, uuid }, checkParameters(named, fields).name.trim(), { overwrite: false }),
  },
  move: {
    done: 'moved',
    run: ({ files }, caller, path, fields, uuid) => {
      const { to, overwrite } = checkParameters(target, fields);
      return moveItem(files, caller, { path, uuid }, to, { overwrite });
    },
  },
  copy: {
    done: 'copied',
    run: ({ files }, caller, path, fields) => {
      const { to, overwrite } = checkParameters(target, fields);
      return copyItem(files, caller, path, to, { overwrite });
    },
  },
  delete: {
    done: 'deleted',
    run: async ({ files }, caller, path) => {
      const id = await deleteItem(files, caller, path);
      return id === null ? null : `/TRASH/${id}`;
    },
  },
  restore: { done: 'restored', run: ({ files }, caller, path) => restoreItem(files, caller, path) },
  erase: {
    done: 'erased',
    run: async ({ files }, caller, path) => {
      await deleteFromTrash(files, caller, path);
      return null;
    },
  },
  /** Received chunks count for the quota until the upload is cancelled. */
  'cancel-upload': {
    done: '',
    run: async ({ files }, caller, path, fields) => {
      const { upload_id: uploadId } = checkParameters(z.object({ upload_id: text().optional() }), fields);
      await abandonUpload(files, caller, await uploadTarget(files, caller, { path }), uploadId);
      return null;
    },
  },
  tag: {
    done: 'tagged',
    run: (parts, caller, path, fields) =>
      addTag(parts, caller, path, checkParameters(z.object({ tag: text() }), fields).tag),
  },
  /** The same share of several items. */
  'share-with': {
    done: 'shared',
    run: async ({ sharing }, caller, path, fields) => {
      const entered = checkParameters(shared, fields);
      await shareItem(sharing, caller, path, { ...recipientIn(entered), ...rightsIn(entered) });
      return `/${path.join('/')}`;
    },
  },
  star: {
    done: 'starred',
    run: (parts, caller, path) => unlessSo('already_starred', starItem(parts.files, parts.stars, caller, path)),
  },
  unstar: {
    done: 'unstarred',
    run: (parts, caller, path) => unlessSo('not_starred', unstarItem(parts.files, parts.stars, caller, path)),
  },
};

/** @throws ApiError with a sentence for people where the tag cannot be one */
async function addTag(
  { metadataContext }: FilesPagesParts,
  caller: AccountCaller,
  path: readonly string[],
  tag: string,
): Promise<string> {
  try {
    await addTags(metadataContext, caller, path, [tag.trim()]);
  } catch (error) {
    if (!(error instanceof InvalidValue)) throw error;
    const { kind, max = 0 } = error.fault;
    throw new ApiError('invalid_parameter', t('details.problems.mark', { kind, max }));
  }
  return `/${path.join('/')}`;
}

/** Most items per request. */
const MAX_ITEMS = 100;
const items = z.object({ path: virtualPaths(MAX_ITEMS), uuid: textList().optional(), whole: flag().default(false) });

export function isAction(name: string): boolean {
  return name === 'empty-trash' || Object.hasOwn(ACTIONS, name) || albumAction(name) !== undefined;
}

/** The result, by its name in the messages. */
export function doneBy(name: string): string {
  if (name === 'album') return 'intoAlbum';
  return name === 'empty-trash' ? 'emptied' : (ACTIONS[name]?.done ?? '');
}

/**
 * Performs an action on several items, one after the other. A failure for one does not stop the others.
 * @throws ApiError when the request itself is wrong
 */
export async function act(
  parts: FilesPagesParts,
  caller: AccountCaller,
  name: string,
  fields: Fields,
): Promise<Outcome[]> {
  if (name === 'empty-trash') {
    await emptyOwnTrash(parts.files, caller);
    return [];
  }
  const action = Object.hasOwn(ACTIONS, name) ? ACTIONS[name] : undefined;
  const onAlbum = albumAction(name);
  if (action === undefined && onAlbum === undefined) throw new ApiError('not_found', t('api.requests.unknownAction'));
  if (fields.path === undefined) throw new ApiError('missing_parameter', t('files.errors.nothingChosen'));
  const { path: named, uuid: uuids = [], whole } = checkParameters(items, fields);
  const paths = whole ? await withParts(parts, caller, named) : named;
  if (action === undefined) {
    await onAlbum?.(parts, caller, paths, fields);
    return paths.map((path) => ({ path: `/${path.join('/')}` }));
  }
  const outcomes: Outcome[] = [];
  for (const [index, segments] of paths.entries()) {
    const path = `/${segments.join('/')}`;
    try {
      const done = await action.run(parts, caller, segments, fields, uuids[index]);
      if (done === null) outcomes.push({ path });
      else if (typeof done === 'string') outcomes.push({ path, to: done });
      else {
        const uuid = done.hasReplaced ? undefined : await uuidAt(parts, caller, done.path);
        outcomes.push({ path, to: done.path, uuid });
      }
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      // It was named by its uuid, too, and something else is there now.
      const isOther = uuids[index] !== undefined && error.details?.parameter === 'uuid';
      outcomes.push({ path, error: isOther ? t('files.errors.movedOn') : sentenceOf(error), code: error.code });
    }
  }
  return outcomes;
}

/** Undefined if the item has been moved on since. */
async function uuidAt(parts: FilesPagesParts, caller: AccountCaller, path: string): Promise<string | undefined> {
  const info = await itemInfo({ ...parts.files, ...parts.listing }, caller, segmentsOf(path), {
    details: ['uuid'],
    address: '',
  }).catch((error) => {
    if (error instanceof ApiError) return null;
    throw error;
  });
  return info?.uuid;
}

/** Which of these names exist in a folder already, each with a free one, so that nothing is replaced by accident. */
export async function takenNames(
  parts: FilesPagesParts,
  caller: AccountCaller,
  fields: Fields,
): Promise<{ name: string; free: string }[]> {
  const { path, name: names } = checkParameters(z.object({ path: virtualPath(), name: textList() }), fields);
  const there = new Set((await namesIn(parts, caller, path)).map(foldName));
  const taken = names.filter((name) => there.has(foldName(name)));
  // Two files of one name get two numbers, and none gets the name of another new one.
  const used = new Set([...there, ...names.map(foldName)]);
  return taken.map((name) => {
    const free = freeName(used, name);
    used.add(foldName(free));
    return { name, free };
  });
}

const SENTENCES = {
  permission_denied: 'files.errors.noPermission',
  not_found: 'files.errors.notFound',
  storage_offline: 'files.errors.storageOffline',
  disk_full: 'files.errors.diskFull',
  temporarily_unavailable: 'files.errors.unavailable',
} as const satisfies Partial<Record<ErrorCode, MessageKey>>;

/** The failure as a text of the pages; the API's own text where that is clear enough. */
export function sentenceOf(error: ApiError): string {
  return error.code in SENTENCES ? t(SENTENCES[error.code as keyof typeof SENTENCES]) : error.message;
}

/** The page to return to: the one that listed the item before the action. */
export function backFrom(name: string, path: string, links: { folder(path: string): string }, done: string): string {
  const isTrash = name === 'empty-trash' || path.startsWith('/TRASH');
  const parent = name === 'create-folder' ? path : `/${segmentsOf(path).slice(0, -1).join('/')}`;
  const address = links.folder(isTrash ? '/TRASH' : parent);
  return `${address}&done=${done}`;
}

async function unlessSo(code: string, doing: Promise<void>): Promise<null> {
  await doing.catch((error) => {
    if (!(error instanceof ApiError) || error.code !== code) throw error;
  });
  return null;
}
