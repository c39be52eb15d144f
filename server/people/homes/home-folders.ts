import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { fillHomeTemplate, type TemplateValues } from '../../accounts/home-template.ts';
import type { HomeRecord, Homes } from '../../catalogue/homes.ts';
import type { AccountsTransaction } from '../../database/database.ts';
import type { FilesContext } from '../../files/context.ts';
import { invalidNameText } from '../../files/create-folder.ts';
import { createHomeTrash, type HomeTrash } from '../../files/trash/home-trash.ts';
import type { Actor } from '../../lib/events.ts';
import { foldName, newNameProblem } from '../../lib/names/names.ts';
import { normalized } from '../../lib/names/normalized.ts';
import { t } from '../../messages/messages.ts';
import { isOnline } from '../../storage/disk/disk.ts';
import { ACCESS_MODES, type HomeAccess } from '../../storage/homes/home-access.ts';
import { prepareHome, UnfitFolder } from '../../storage/homes/prepare-home.ts';
import type { Layout } from '../../storage/layout.ts';
import { AREA_FOLDER } from '../../storage/paths/folder-handle.ts';
import { realPathToBe } from '../../storage/paths/inspect-path.ts';
import { type HomeUse, useOf } from './home-adoption.ts';
import { isSame, readHomePath } from './home-path.ts';
import { type AllowedLocation, checkLocation, type RequestedBy, refused } from './home-rules.ts';

interface RequestedLocation {
  /** The absolute path of the home itself. */
  readonly path?: string | undefined;
  /** A path with placeholders, absolute or below the folder of homes; empty or absent: the default location. */
  readonly template?: string | undefined;
  readonly account: TemplateValues;
  readonly by: RequestedBy;
}

/** A home that is ready on the disk, and in the database once `record` was called in a transaction that succeeded. */
export interface CreatedHome {
  readonly homeId: string;
  /** Absolute. */
  readonly root: string;
  /** Whether an orphaned home was taken over, with its files and versions. */
  readonly isTakenOver: boolean;
  /** Called in the transaction that assigns it to an account. @throws FieldProblem when it was assigned meanwhile */
  record(tx: AccountsTransaction): Promise<void>;
  /** Called when that transaction failed: removes what was created, and leaves what existed. After a success it does nothing. */
  undo(): Promise<void>;
}

interface HomeOptions {
  /** Also accepts a folder with files, or an orphaned home: only for the owner. */
  readonly adopt: boolean;
  /** Creates nothing if there is no folder. */
  readonly mustExist?: boolean;
  /** HomeOwner rules apply; by default the owner's with `adopt`, otherwise an administrator's. */
  readonly by?: RequestedBy;
}

/** Creates and releases homes. Every refusal is a FieldProblem `homefolder` with a sentence for the caller. */
export interface HomeFolders {
  /**
   * The real absolute path of a new home. Nothing is created.
   * @throws FieldProblem `homefolder`
   */
  location(requested: RequestedLocation): Promise<string>;
  /** Whether a path can become a home, as far as it can be told without creating anything. @throws FieldProblem `homefolder` */
  examine(path: string, options: HomeOptions): Promise<void>;
  /**
   * Creates the home at a path from `place`, or uses an empty folder.
   * @throws FieldProblem `homefolder`; nothing is left then
   */
  create(path: string, options: HomeOptions): Promise<CreatedHome>;
  /** Leaves the home as an orphaned one. Called within the transaction that takes it from its account. */
  release(homeId: string, username: string, by: Actor, tx: AccountsTransaction): Promise<void>;
  /** For a released home. @throws FieldProblem `homefolder`; it stays where it is then */
  moveToTrash(homeId: string, username: string, by: Actor): Promise<void>;
  /** All homes outside of the trash, or those in it. */
  list(which: 'in-place' | 'trashed'): Promise<ListedHome[]>;
  byId(homeId: string): Promise<ListedHome | null>;
  readonly trash: HomeTrash;
}

export interface ListedHome extends HomeRecord {
  readonly isOnline: boolean;
}

export function createHomeFolders({
  files,
  homes,
  layout,
  homeAccess,
}: {
  files: FilesContext;
  homes: Homes;
  layout: Layout;
  homeAccess: HomeAccess;
}): HomeFolders {
  const trash = createHomeTrash({ files, homes, layout });
  /** Folded paths of homes being created, until they have a row. */
  const claimed = new Set<string>();

  const check = async (path: string, by: RequestedBy): Promise<AllowedLocation> =>
    checkLocation(path, { layout, allowed: files.settings.values.homeLocations, homes: await homes.records(), by });

  function requestedPath({ path, template, account }: RequestedLocation): string {
    if (path !== undefined && path !== '') return path;
    const filled = template ? fillHomeTemplate(template.trim(), account) : normalized(account.username, 'NFC');
    // A generated path must satisfy the strict rules, whatever a disk would accept.
    if ('path' in readHomePath(filled)) return filled;
    const parts = filled.split('/');
    if (parts.length > 1) throw refused(t('api.homes.nested'));
    const problem = newNameProblem(filled);
    if (problem !== null) throw refused(invalidNameText(problem));
    return join(layout.homes, filled);
  }

  function read(text: string): string {
    const result = readHomePath(text);
    if ('problem' in result) throw refused(result.problem);
    return result.path;
  }

  async function examined(
    root: string,
    { adopt, mustExist = false, by = adopt ? 'owner' : 'api' }: HomeOptions,
  ): Promise<{ location: AllowedLocation; use: HomeUse }> {
    if (adopt && by !== 'owner') throw refused(t('api.homes.adoptOwnerOnly'));
    const location = await check(root, by);
    return { location, use: await useOf(location, { adopt, mustExist, by, homes, disk: files.disk }) };
  }

  async function make(location: AllowedLocation, use: HomeUse): Promise<CreatedHome> {
    const { path: root, isOutside, mayMake } = location;
    const homeId = use.homeId ?? randomUUID();
    const area = isOutside ? join(root, AREA_FOLDER) : layout.larder;
    const made = await prepareHome({
      root,
      realRoot: await realPathToBe(root),
      newArea: isOutside ? area : null,
      area,
      newId: use.homeId === null ? homeId : null,
      mayMake,
      mode: ACCESS_MODES[homeAccess].home,
      failPoints: files.failPoints,
    }).catch((error) => {
      throw error instanceof UnfitFolder ? refused(error.message) : error;
    });
    let isRecorded = false;
    return {
      homeId,
      root,
      isTakenOver: use.orphan !== null,
      async record(tx) {
        if (use.orphan === null) await homes.add(tx, homeId, root);
        else await takeOver(tx, homeId, root);
        tx.afterCommit(() => {
          isRecorded = true;
          claimed.delete(foldName(root));
        });
      },
      async undo() {
        if (isRecorded) return;
        await made.undo();
        claimed.delete(foldName(root));
      },
    };
  }

  async function takeOver(tx: AccountsTransaction, homeId: string, root: string): Promise<void> {
    const now = await homes.recordOf(homeId, tx);
    if (now === null || now.accountId !== null || now.trashed !== null) {
      throw refused(t('api.homes.changedMeanwhile'));
    }
    if (!isSame(now.homeRoot.root, root)) await homes.relocate(tx, homeId, root);
  }

  const listed = async (home: HomeRecord): Promise<ListedHome> => ({
    ...home,
    isOnline: await isOnline(files.disk, home.homeRoot),
  });

  return {
    async location(requested) {
      return (await check(read(requestedPath(requested)), requested.by)).path;
    },

    async examine(path, options) {
      await examined(read(path), options);
    },

    async create(path, options) {
      const root = read(path);
      const claim = foldName(root);
      if (claimed.has(claim)) throw refused(t('api.homes.beingCreated'));
      claimed.add(claim);
      try {
        const { location, use } = await examined(root, options);
        return await make(location, use);
      } catch (error) {
        claimed.delete(claim);
        throw error;
      }
    },

    async release(homeId, username, by, tx) {
      await homes.setFormerUser(tx, homeId, username);
      const home = await homes.recordOf(homeId, tx);
      if (home === null) return;
      const path = home.homeRoot.root;
      tx.afterCommit(() => files.events.emit('home.released', { actor: by, homeId, path, username }));
    },

    moveToTrash: async (homeId, username, by) => {
      await trash.put(homeId, username, by);
    },

    list: async (which) => {
      const requested = (await homes.records()).filter(({ trashed }) => (trashed === null) === (which === 'in-place'));
      return Promise.all(requested.map(listed));
    },

    byId: async (homeId) => {
      const home = await homes.recordOf(homeId);
      return home === null ? null : listed(home);
    },

    trash,
  };
}
