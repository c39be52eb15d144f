import type { Accounts } from '../../accounts/accounts.ts';
import { ApiError } from '../../http/errors.ts';
import type { FolderImports } from '../../imports/folder-imports.ts';
import type { ImportRecord, Imports } from '../../imports/imports.ts';
import { isoSeconds } from '../../lib/datetime.ts';
import type { Output } from '../contract/contract.ts';
import type { importMethods } from '../contract/imports.ts';
import { ControlError, type Handlers } from '../dispatcher.ts';
import { ownerActor } from '../owner-actor.ts';
import { toControlError } from './to-control-error.ts';

export type ImportHandlers = Pick<Handlers, keyof typeof importMethods>;

/** Names of missing archives in one reply: a name that only looks like one has any number. */
const MAX_MISSING = 20;

interface ImportHandlerParts {
  readonly accounts: Accounts;
  readonly folderImports: FolderImports;
  readonly imports: Pick<Imports, 'notes'>;
}

/** Imports photos from folders of this computer. */
export function importHandlers({ accounts, folderImports, imports }: ImportHandlerParts): ImportHandlers {
  async function view(record: ImportRecord): Promise<Output<'imports.start'>> {
    const { uuid, accountId, folder, target, folderAlbums, state, failure, createdAt, endedAt, total } = record;
    const { handled, stored, known, inAlbums, undated } = record;
    const account = await accounts.byId(accountId);
    return {
      ...{ import: uuid, folder: folder ?? '', target: target.join('/'), folderAlbums, state, failure },
      account: { id: accountId, username: account?.username ?? '', name: account?.name ?? '' },
      ...{ created: isoSeconds(createdAt), ended: endedAt === null ? null : isoSeconds(endedAt) },
      ...{ total, handled, stored, known, inAlbums, undated },
    };
  }

  return {
    'imports.examine': ({ folder, accountId, folderAlbums }) =>
      refusing(async () => {
        const { missing, notes, services, ...found } = await folderImports.examine(folder, accountId, {
          folderAlbums,
        });
        return {
          ...found,
          services: [...services],
          missingCount: missing.length,
          missing: missing.slice(0, MAX_MISSING),
          notes: notes.map((note) => ({ ...note, entries: [...note.entries] })),
        };
      }),
    'imports.cancelExamination': async () => ({ cancelled: folderImports.cancelExamination() }),
    'imports.start': ({ folder, accountId, target, folderAlbums }, origin) =>
      refusing(async () => {
        const names = target.split('/').flatMap((name) => name.trim() || []);
        const by = await ownerActor(accounts, origin);
        return view(await folderImports.start(folder, accountId, names, { folderAlbums }, by));
      }, 'target'),
    'imports.list': async () => ({ imports: await Promise.all((await folderImports.list()).map(view)) }),
    'imports.report': ({ import: uuid, start, limit }) =>
      refusing(async () => {
        const { id } = await folderImports.find(uuid);
        const { total, notes } = await imports.notes(id, start, limit);
        return { total, notes: [...notes] };
      }),
    'imports.cancel': ({ import: uuid }) =>
      refusing(async () => {
        await folderImports.cancel(uuid);
        return { import: uuid };
      }),
    'imports.resume': ({ import: uuid }) =>
      refusing(async () => {
        await folderImports.resume(uuid);
        return { import: uuid };
      }),
  };
}

/** @param field the input that a refusal of the domain is about, if there is one */
async function refusing<T>(work: () => Promise<T>, field?: string): Promise<T> {
  try {
    return await toControlError(work);
  } catch (error) {
    throw error instanceof ApiError ? new ControlError('refused', error.message, field) : error;
  }
}
