import { randomUUID } from 'node:crypto';
import type { FilesDatabase, Transaction } from '../database/database.ts';
import type { ErrorCode } from '../http/errors.ts';
import type { Clock } from '../lib/clock.ts';
import type { Channel } from '../lib/events.ts';
import { LEFT_OUT, type Note } from './reasons.ts';

/** `waiting` for its turn; `running`, also while the server is stopped. A cancelled or failed one can be resumed. */
export const IMPORT_STATES = ['waiting', 'running', 'done', 'cancelled', 'failed'] as const;
type ImportState = (typeof IMPORT_STATES)[number];

/** Numbers of photos and films. */
interface ImportCounts {
  /** Those that are finished, whatever became of them. */
  readonly handled: number;
  readonly stored: number;
  /** Those whose content was in the home already. */
  readonly known: number;
  /** Times that one was listed in an album. */
  readonly inAlbums: number;
  /** Those without a date in the export. */
  readonly undated: number;
}

export interface ImportRecord extends ImportCounts {
  readonly id: number;
  readonly uuid: string;
  readonly accountId: number;
  /** Names below the home. */
  readonly target: readonly string[];
  /** Where it was started. */
  readonly channel: Channel;
  /** The real path of the folder of the disk that the owner imports; null for archives in the home. */
  readonly folder: string | null;
  /** Of that folder when the import was started, as in `DiskEntry`. */
  readonly folderIdentity: string | null;
  /** Whether folders become albums, where the export has no albums of its own. */
  readonly folderAlbums: boolean;
  readonly state: ImportState;
  /** Why it failed. */
  readonly failure: ErrorCode | null;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly endedAt: number | null;
  /** Photos and films; null until the archives were read. */
  readonly total: number | null;
}

/** An archive of an import. */
export interface ImportArchive {
  /** Which one it is, from 0. */
  readonly number: number;
  /** Null for one that was deleted, and in a folder of the disk. */
  readonly itemId: number | null;
  /** The name that it had when the import was started; in a folder of the disk its path, with a slash at the end if it is unpacked. */
  readonly name: string;
  /** Of its directory; null until it was read. */
  readonly digest: Buffer | null;
}

/** An entry, by its archive and its position there. */
export interface EntryKey {
  readonly archive: number;
  readonly index: number;
}

/** What became of an entry. */
export interface Handled {
  readonly key: EntryKey;
  readonly outcome: 'stored' | 'known' | 'left';
  readonly isUndated: boolean;
  /** In how many albums it was listed. */
  readonly inAlbums: number;
  readonly notes: readonly Note[];
}

/** Imports of folders that are listed for the owner. */
const MAX_OF_FOLDERS = 100;
/** Ended imports of an account whose reports are kept. */
const KEPT = 20;
/**
 * Notes of an import that are kept, of what was left out and of everything else: what differs everywhere says no more if all of it is
 * listed, but must not keep out that something is in the archives only.
 */
const MAX_NOTES = 10_000;

interface ImportRow {
  id: number;
  uuid: string;
  account_id: number;
  target: string;
  channel: Channel;
  folder: string | null;
  folder_identity: string | null;
  folder_albums: number;
  state: ImportState;
  failure: ErrorCode | null;
  created_at: number;
  ended_at: number | null;
  total: number | null;
  handled: number;
  stored: number;
  known: number;
  in_albums: number;
  undated: number;
}

interface NewImport {
  readonly accountId: number;
  readonly target: readonly string[];
  readonly channel: Channel;
  readonly folderAlbums: boolean;
  readonly folder: { readonly path: string; readonly identity: string } | null;
  readonly archives: readonly { readonly itemId: number; readonly name: string }[];
}

/** Imports, their progress and their reports. Everything that is needed to continue one is in the database. */
export interface Imports {
  /** Adds a waiting one, and forgets the oldest of the account that have ended. */
  add(one: NewImport): Promise<ImportRecord>;
  /** The newest first. */
  of(accountId: number): Promise<ImportRecord[]>;
  /** Those of folders of the disk, of all accounts, the newest first. */
  ofFolders(): Promise<ImportRecord[]>;
  /** @returns null unless it is of this account */
  byUuid(accountId: number, uuid: string): Promise<ImportRecord | null>;
  byId(id: number): Promise<ImportRecord | null>;
  /** The next one to work on: one that was running comes first, otherwise one of the account that has waited longest. */
  next(): Promise<ImportRecord | null>;
  /**
   * Puts a running import, and what else its account has, behind those of other accounts.
   * @returns false if no other account has one, or it does not run
   */
  giveWay(id: number): Promise<boolean>;
  /** @param from the states that it may have @returns whether it had one of them */
  setState(id: number, state: ImportState, from: readonly ImportState[], failure?: ErrorCode): Promise<boolean>;
  archives(id: number): Promise<ImportArchive[]>;
  setDigest(id: number, archive: number, digest: Buffer): Promise<void>;
  /** Records how many photos and films there are, and what was not understood. */
  setPlan(id: number, total: number, notes: readonly Note[]): Promise<void>;
  /** Entries that were begun, with the names below the home; and those that were handled, with null. */
  entries(id: number): Promise<{ readonly key: EntryKey; readonly path: readonly string[] | null }[]>;
  /** Records under which names entries are being stored, before they are. */
  begin(id: number, entries: readonly { readonly key: EntryKey; readonly path: readonly string[] }[]): Promise<void>;
  /** Records that entries are finished, together with other changes. */
  finish(id: number, entries: readonly Handled[], also: (tx: Transaction<'files'>) => Promise<void>): Promise<void>;
  /** The id of the album that a folder has become; null if it was deleted since, undefined if there was none yet. */
  albumOf(id: number, folder: string): Promise<number | null | undefined>;
  /** The ids of all albums of an import. */
  albums(id: number): Promise<Set<number>>;
  setAlbum(id: number, folder: string, albumId: number): Promise<void>;
  notes(id: number, start: number, limit: number): Promise<{ readonly total: number; readonly notes: Note[] }>;
  /** What is noted as left out, files and folders. @param limit of entries */
  leftOut(id: number, limit: number): Promise<{ readonly total: number; readonly entries: readonly string[] }>;
}

export function createImports(database: FilesDatabase, clock: Clock): Imports {
  const one = async (where: string, params: (string | number)[]) => {
    const row = await database.get<ImportRow>(`SELECT * FROM imports WHERE ${where}`, params);
    return row === undefined ? null : recordOf(row);
  };

  return {
    add({ accountId, target, channel, folderAlbums, folder, archives }) {
      return database.write(async (tx) => {
        await tx.run(
          `DELETE FROM imports WHERE id IN (
             SELECT id FROM imports WHERE account_id = ? AND state NOT IN ('waiting', 'running')
             ORDER BY id DESC LIMIT -1 OFFSET ${KEPT - 1})`,
          [accountId],
        );
        const row = await tx.get<ImportRow>(
          `INSERT INTO imports (uuid, account_id, target, channel, folder, folder_identity, folder_albums, state, created_at)
           VALUES (?, ?, ?, ?, ?, ?, ?, 'waiting', ?) RETURNING *`,
          [
            ...[randomUUID(), accountId, JSON.stringify(target), channel],
            ...[folder?.path ?? null, folder?.identity ?? null, folderAlbums ? 1 : 0, clock.now()],
          ],
        );
        if (row === undefined) throw new Error('the import was not inserted');
        await tx.run(
          `INSERT INTO import_archives (import_id, archive, item_id, name)
           SELECT ?1, key, value->>0, value->>1 FROM json_each(?2)`,
          [row.id, JSON.stringify(archives.map(({ itemId, name }) => [itemId, name]))],
        );
        return recordOf(row);
      });
    },

    async of(accountId) {
      const sql = 'SELECT * FROM imports WHERE account_id = ? ORDER BY id DESC';
      return (await database.all<ImportRow>(sql, [accountId])).map(recordOf);
    },

    async ofFolders() {
      const sql = `SELECT * FROM imports WHERE folder IS NOT NULL ORDER BY id DESC LIMIT ${MAX_OF_FOLDERS}`;
      return (await database.all<ImportRow>(sql, [])).map(recordOf);
    },

    byUuid: (accountId, uuid) => one('uuid = ? AND account_id = ?', [uuid, accountId]),
    byId: (id) => one('id = ?', [id]),
    next: () => one(`state IN ('waiting', 'running') ORDER BY state = 'waiting', turn, id LIMIT 1`, []),

    giveWay: (id) =>
      database.write(async (tx) => {
        const { changes } = await tx.run(
          `UPDATE imports SET state = 'waiting' WHERE id = ?1 AND state = 'running' AND EXISTS (
             SELECT 1 FROM imports AS other
             WHERE other.state IN ('waiting', 'running') AND other.account_id <> imports.account_id)`,
          [id],
        );
        if (changes === 0) return false;
        await tx.run(
          `UPDATE imports SET turn = 1 + (SELECT max(turn) FROM imports WHERE state IN ('waiting', 'running'))
           WHERE account_id = (SELECT account_id FROM imports WHERE id = ?) AND state = 'waiting'`,
          [id],
        );
        return true;
      }),

    async setState(id, state, from, failure) {
      const hasEnded = state !== 'waiting' && state !== 'running';
      return database.write(async (tx) => {
        const { changes } = await tx.run(
          `UPDATE imports SET state = ?2, failure = ?3, ended_at = ?4
           WHERE id = ?1 AND state IN (SELECT value FROM json_each(?5))`,
          [id, state, failure ?? null, hasEnded ? clock.now() : null, JSON.stringify(from)],
        );
        if (changes > 0 && state === 'done') {
          await tx.run('DELETE FROM import_entries WHERE import_id = ?', [id]);
          await tx.run('DELETE FROM import_files WHERE import_id = ?', [id]);
        }
        return changes > 0;
      });
    },

    async archives(id) {
      const rows = await database.all<{ number: number; item_id: number | null; name: string; digest: Buffer | null }>(
        'SELECT archive AS number, item_id, name, digest FROM import_archives WHERE import_id = ? ORDER BY archive',
        [id],
      );
      return rows.map(({ number, item_id: itemId, name, digest }) => ({ number, itemId, name, digest }));
    },

    async setDigest(id, archive, digest) {
      await database.write((tx) =>
        tx.run('UPDATE import_archives SET digest = ? WHERE import_id = ? AND archive = ?', [digest, id, archive]),
      );
    },

    async setPlan(id, total, notes) {
      await database.write(async (tx) => {
        await tx.run('UPDATE imports SET total = ? WHERE id = ?', [total, id]);
        await insertNotes(tx, id, notes);
      });
    },

    async entries(id) {
      const rows = await database.all<{ archive: number; entry: number; path: string | null }>(
        'SELECT archive, entry, path FROM import_entries WHERE import_id = ?',
        [id],
      );
      return rows.map(({ archive, entry, path }) => ({
        key: { archive, index: entry },
        path: path === null ? null : (JSON.parse(path) as string[]),
      }));
    },

    async begin(id, entries) {
      await database.write((tx) =>
        tx.run(
          `INSERT INTO import_entries (import_id, archive, entry, path)
           SELECT ?1, value->>0, value->>1, value->>2 FROM json_each(?2) WHERE true
           ON CONFLICT DO UPDATE SET path = excluded.path`,
          [id, JSON.stringify(entries.map(({ key, path }) => [key.archive, key.index, JSON.stringify(path)]))],
        ),
      );
    },

    async finish(id, entries, also) {
      const count = (is: (one: Handled) => boolean) => entries.filter(is).length;
      const keys = JSON.stringify(entries.map(({ key }) => [key.archive, key.index]));
      await database.write(async (tx) => {
        await tx.run(
          `INSERT INTO import_entries (import_id, archive, entry, path)
           SELECT ?1, value->>0, value->>1, NULL FROM json_each(?2) WHERE true
           ON CONFLICT DO UPDATE SET path = NULL`,
          [id, keys],
        );
        await tx.run(
          `UPDATE imports SET handled = handled + ?2, stored = stored + ?3, known = known + ?4,
             undated = undated + ?5, in_albums = in_albums + ?6 WHERE id = ?1`,
          [
            ...[id, entries.length, count(({ outcome }) => outcome === 'stored')],
            ...[count(({ outcome }) => outcome === 'known'), count(({ isUndated }) => isUndated)],
            entries.reduce((sum, { inAlbums }) => sum + inAlbums, 0),
          ],
        );
        await insertNotes(
          tx,
          id,
          entries.flatMap(({ notes }) => notes),
        );
        await also(tx);
      });
    },

    async albumOf(id, folder) {
      const row = await database.get<{ album_id: number | null }>(
        'SELECT album_id FROM import_albums WHERE import_id = ? AND folder = ?',
        [id, folder],
      );
      return row?.album_id;
    },

    async albums(id) {
      const rows = await database.all<{ album_id: number | null }>(
        'SELECT album_id FROM import_albums WHERE import_id = ?',
        [id],
      );
      return new Set(rows.flatMap(({ album_id: albumId }) => albumId ?? []));
    },

    async setAlbum(id, folder, albumId) {
      await database.write((tx) =>
        tx.run('INSERT INTO import_albums (import_id, folder, album_id) VALUES (?, ?, ?) ON CONFLICT DO NOTHING', [
          id,
          folder,
          albumId,
        ]),
      );
    },

    async notes(id, start, limit) {
      const [notes, count] = await Promise.all([
        database.all<Note>(
          'SELECT entry, reason FROM import_notes WHERE import_id = ? ORDER BY entry, reason LIMIT ? OFFSET ?',
          [id, limit, start],
        ),
        database.get<{ count: number }>('SELECT count(*) AS count FROM import_notes WHERE import_id = ?', [id]),
      ]);
      return { total: count?.count ?? 0, notes };
    },

    async leftOut(id, limit) {
      const rows = await database.all<{ entry: string; total: number }>(
        `SELECT entry, count(*) OVER () AS total FROM import_notes
         WHERE import_id = ? AND reason IN (SELECT value FROM json_each(?)) ORDER BY entry LIMIT ?`,
        [id, JSON.stringify(LEFT_OUT), limit],
      );
      return { total: rows[0]?.total ?? 0, entries: rows.map(({ entry }) => entry) };
    },
  };
}

async function insertNotes(tx: Transaction<'files'>, id: number, notes: readonly Note[]): Promise<void> {
  for (const isLeftOut of [true, false]) {
    const kind = notes.filter(({ reason }) => LEFT_OUT.includes(reason) === isLeftOut).slice(0, MAX_NOTES);
    if (kind.length === 0) continue;
    const list = kind.map(({ entry, reason }) => [entry.slice(0, 1_000).toWellFormed(), reason]);
    await tx.run(
      `INSERT INTO import_notes (import_id, entry, reason) SELECT ?1, value->>0, value->>1 FROM json_each(?2)
       WHERE (SELECT count(*) FROM import_notes
         WHERE import_id = ?1 AND (reason IN (SELECT value FROM json_each(?3))) = ?4) + key < ${MAX_NOTES}
       ON CONFLICT DO NOTHING`,
      [id, JSON.stringify(list), JSON.stringify(LEFT_OUT), isLeftOut ? 1 : 0],
    );
  }
}

function recordOf(row: ImportRow): ImportRecord {
  const { id, uuid, channel, folder, state, failure, total, handled, stored, known, undated } = row;
  return {
    ...{ id, uuid, channel, folder, state, failure, total, handled, stored, known, undated },
    accountId: row.account_id,
    folderIdentity: row.folder_identity,
    target: JSON.parse(row.target) as string[],
    createdAt: row.created_at,
    endedAt: row.ended_at,
    inAlbums: row.in_albums,
    folderAlbums: row.folder_albums === 1,
  };
}
