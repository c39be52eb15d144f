import { type ItemTarget, isTop, notFound } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import type { FileAction } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { lockKey } from '../../files/context.ts';
import { checkNewName } from '../../files/create-folder.ts';
import { checkItemConditions } from '../../files/item-conditions.ts';
import { checkEntryUnlocked } from '../../files/locks/locks.ts';
import { copyFolderAlone, copyItem } from '../../files/move/copy.ts';
import { moveItem, moveTargetAction, renameItem } from '../../files/move/move.ts';
import type { TransferOptions } from '../../files/move/transfer-options.ts';
import { trashReplaced } from '../../files/trash/delete.ts';
import { restoreTrashed } from '../../files/trash/trash.ts';
import { ApiError } from '../../http/errors.ts';
import { awaitFailPoint } from '../../lib/process/fail-points.ts';
import { t } from '../../messages/messages.ts';
import type { DiskEntry, Found } from '../../storage/disk/disk.ts';
import { nullIfGone } from '../../storage/errors.ts';
import { destinationOf } from '../address.ts';
import { checkIf } from '../check-if.ts';
import type { DavCall, DavContext } from '../context.ts';
import { depthOfWhole, refuseFolderAlone, requireDepth } from '../depth.ts';
import { missingFolderAsConflict } from '../failure.ts';
import { asAddressed, checkIsAddressed, locateEntry, locateItem } from '../locate.ts';
import { mayOverwrite } from '../overwrite.ts';
import { programOf } from '../program.ts';

/** RFC 4918 §9.8. */
export async function copy(call: DavCall): Promise<void> {
  const depth = requireDepth(call.request, ['0', 'infinity']);
  await transfer(call, {
    removesSource: false,
    actionOf: () => 'files/copy',
    intoOf: () => () => 'files/copy:into',
    async run({ context, caller, path, entry, folder, name, newName, options }) {
      // §9.8.3: the folder itself, without what is in it.
      if (entry.isDir && depth === '0')
        await copyFolderAlone(context.files, caller, path, folder, { ...options, name });
      else await copyItem(context.files, caller, path, folder, { ...options, name: newName });
    },
  });
}

/** RFC 4918 §9.9. A file that is replaced keeps its identity: programs save so, by way of a temporary file. */
export async function move(call: DavCall): Promise<void> {
  const depth = depthOfWhole(call.request);
  await transfer(call, {
    removesSource: true,
    checkSource: ({ isDir }) => refuseFolderAlone(depth, isDir),
    actionOf: (isRename) => (isRename ? 'files/rename' : 'files/move'),
    intoOf: (source, isRename) => (isRename ? () => 'files/rename' : moveTargetAction(source, false)),
    async run({ context, caller, path, folder, name, newName, isRename, options }) {
      const all = { ...options, keepsReplaced: true, program: programOf(caller) };
      if (isRename) await renameItem(context.files, caller, path, name, all);
      else await moveItem(context.files, caller, path, folder, { ...all, name: newName });
    },
  });
}

interface Transfer {
  readonly context: DavContext;
  readonly caller: AccountCaller;
  /** The virtual path of the source. */
  readonly path: readonly string[];
  readonly entry: DiskEntry;
  /** The virtual path of the destination folder, and the name in it. */
  readonly folder: readonly string[];
  readonly name: string;
  /** The same if it differs from the name of the source. */
  readonly newName: string | undefined;
  /** Whether the item stays in its folder. */
  readonly isRename: boolean;
  readonly options: TransferOptions;
}

/** What a method needs, and does. Permissions are checked before anything is looked up, as in the API. */
interface Transferring {
  readonly removesSource: boolean;
  /** @throws ApiError for a source that the request cannot be about */
  readonly checkSource?: (entry: DiskEntry) => void;
  actionOf(isRename: boolean): FileAction;
  intoOf(source: ItemTarget, isRename: boolean): (folder: ItemTarget) => FileAction;
  run(transfer: Transfer): Promise<void>;
}

async function transfer(
  call: DavCall,
  { removesSource, checkSource, actionOf, intoOf, run }: Transferring,
): Promise<void> {
  const { context, address, request, response } = call;
  const { access } = context.files;
  const mayReplace = mayOverwrite(request.headers.overwrite);
  const destination = destinationOf(request, context, call.caller);
  const { caller, conditions, checkAgain: checkIfAgain } = await checkIf(call);
  const path = await locateItem(context, caller, address.segments);
  const { folder, name } = await missingFolderAsConflict(() => locateEntry(context, caller, destination.segments));
  const isRename = path.slice(0, -1).join('/') === folder.join('/');
  const source = asAddressed(address, await access.resolveItem(caller, path, actionOf(isRename)));
  const into = await missingFolderAsConflict(() => access.resolveItem(caller, folder, intoOf(source, isRename)));
  const named = { ...into, segments: [...into.segments, name] };
  const target = asAddressed(destination, named);
  const newName = name === path.at(-1) ? undefined : name;
  if (newName !== undefined) checkNewName(newName);
  const found = await foundAt(context, source);
  if (found === null) throw notFound();
  const { entry } = found;
  checkSource?.(entry);
  refuseOverlap(source, target, mayReplace);

  const checkAgain = async (replaced?: readonly string[]) => {
    await checkIfAgain(replaced);
    if (removesSource) await checkIsAddressed(context, address, source);
  };

  /** @returns whether something was replaced @throws OtherWasFirst */
  async function tryOnce(): Promise<boolean> {
    const present = (await foundAt(context, target))?.entry ?? null;
    if (present !== null && !mayReplace) throw existsAlready();
    // A file becomes a version of the file that it replaces. Anything else goes to the trash first.
    const isVersion = present !== null && !present.isDir && !entry.isDir;
    const options = { overwrite: isVersion, conditions };
    const one = { context, caller, path, entry, folder, name, newName, isRename, options };
    const work = (check?: () => Promise<void>) =>
      missingFolderAsConflict(() => run({ ...one, options: { ...options, check } })).catch((error) => {
        // Another spelling of the name is a conflict, also with what is there.
        const isTaken =
          error instanceof ApiError && error.code === 'already_exists' && error.details?.filename === name;
        throw isTaken ? new OtherWasFirst(error) : error;
      });
    if (present === null || isVersion) await work(() => checkAgain());
    else {
      // What would be refused anyway is refused before anything is replaced.
      if (removesSource && isTop(source)) throw new ApiError('invalid_path', t('api.files.fixedRoot'));
      if (removesSource) await checkEntryUnlocked(context.files, caller, source);
      await checkItemConditions(context.files, caller, source, found, conditions);
      await replacing(one, () => work(() => checkAgain(destination.segments)), checkAgain);
    }
    return present !== null;
  }

  const hasReplaced = await untilFirst(tryOnce, mayReplace);
  response.statusCode = hasReplaced ? 204 : 201;
  response.end();
}

/** Another request has stored something at the destination since it was read. */
class OtherWasFirst extends Error {
  readonly refusal: ApiError;

  constructor(refusal: ApiError) {
    super(refusal.message);
    this.refusal = refusal;
  }
}

/** Times that something else may come first. */
const MAX_TRIES = 10;

/** What came first is replaced in its turn, or is there already (RFC 4918 §10.6). */
async function untilFirst<T>(tryOnce: () => Promise<T>, mayReplace: boolean): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await tryOnce();
    } catch (error) {
      if (!(error instanceof OtherWasFirst)) throw error;
      if (!mayReplace) throw existsAlready(error.refusal);
      if (tries === MAX_TRIES) throw error.refusal;
    }
  }
}

/**
 * Puts what is replaced into the trash, and back if the work fails.
 * @param check throws when it must not be replaced: evaluated with it locked
 */
async function replacing(
  { context: { files }, caller, folder, name }: Transfer,
  work: () => Promise<void>,
  check: () => Promise<void>,
): Promise<void> {
  const replaced = await trashReplaced(files, caller, [...folder, name], check).catch((error) => {
    throw error instanceof ApiError && error.code === 'not_found' ? new OtherWasFirst(error) : error;
  });
  try {
    await awaitFailPoint(files.failPoints, 'webdav.replace.trashed');
    await work();
  } catch (error) {
    // It was replaced, though by something else.
    if (error instanceof OtherWasFirst) throw error;
    // Without this, it stays in the trash of its owner.
    await restoreTrashed(files, caller, replaced).catch((failure) =>
      files.log.error({ err: failure }, 'failed to restore what was to be replaced: it stays in the trash'),
    );
    throw error;
  }
}

/** RFC 4918 §9.8.5, §9.9.4, for `Overwrite: F`. */
function existsAlready(cause?: unknown): ApiError {
  return new ApiError('precondition_failed', t('api.webdav.exists'), cause === undefined ? {} : { cause });
}

/** Before anything is replaced. @throws ApiError `permission_denied` (RFC 4918 §9.8.5, §9.9.4) */
function refuseOverlap(source: ItemTarget, target: ItemTarget, mayReplace: boolean): void {
  const [from, to] = [`${lockKey(source.home, source.segments)}/`, `${lockKey(target.home, target.segments)}/`];
  if (from === to && source.segments.at(-1) === target.segments.at(-1)) {
    throw new ApiError('permission_denied', t('api.webdav.sameItem'));
  }
  if (from !== to && to.startsWith(from)) throw new ApiError('permission_denied', t('api.access.intoItself'));
  if (mayReplace && from !== to && from.startsWith(to))
    throw new ApiError('permission_denied', t('api.webdav.insideDestination'));
}

function foundAt({ files }: DavContext, { home, segments }: ItemTarget): Promise<Found | null> {
  return onStorage(() => files.disk.run('stat', { homeRoot: home.homeRoot, segments }).catch(nullIfGone));
}
