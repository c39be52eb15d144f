import { createHmac } from 'node:crypto';
import type { FilesDatabase } from '../database/database.ts';
import { ignoreFailure } from '../lib/async/ignore-failure.ts';
import { folderIdAt } from './listings/folder-items.ts';

/** A folder, and the number of the last change in it and in everything below it. */
interface Changed {
  readonly id: number;
  readonly uuid: string;
  readonly number: number;
  readonly epoch: Buffer;
  /** Changed folders whose number was not passed up to the folders above. */
  readonly pending: number;
}

/** Deeper than any path. */
const DEEPEST = 1_000;

/** The numbers that were not passed up, with the folders above that they concern. */
const UP = `up (id, number, depth) AS (
    SELECT folder_id, own, 0 FROM folder_changes WHERE own > below
    UNION ALL
    SELECT items.parent_id, up.number, up.depth + 1 FROM up CROSS JOIN items ON items.id = up.id
    WHERE items.parent_id IS NOT NULL AND up.depth < ${DEEPEST}
  ), highest (id, number) AS MATERIALIZED (SELECT id, max(number) FROM up GROUP BY id)`;

/** Changed folders from which on it costs less to pass their numbers up once than to do so for every reader. */
const MANY = 200;

/** Bytes of a tag: 144 bits, so that no two are the same by chance. */
const TAG_BYTES = 18;

/**
 * The entity tags of folders, with their quotes, by the ids of their rows. A tag changes when anything below the folder changes: an
 * entry comes, goes, gets another name, kind or content. What other programs change counts once the catalogue has seen it. Tags are
 * keyed for each account, so that nobody learns from them how much others do, and opaque: no number can be seen.
 * @param reader for whom they are (`access/tag-reader.ts`)
 * @param ids of folders; others have no tag
 */
export async function folderTags(
  database: Pick<FilesDatabase, 'all' | 'write'>,
  reader: string,
  ids: readonly number[],
): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await database.all<Changed>(
    `WITH RECURSIVE ${UP}
     SELECT items.id, items.uuid, max(coalesce(below, 0), coalesce(highest.number, 0)) AS number, epoch,
       (SELECT count(*) FROM folder_changes WHERE own > below) AS pending
     FROM json_each(?) requested
       CROSS JOIN items ON items.id = requested.value
       CROSS JOIN change_number
       LEFT JOIN folder_changes ON folder_changes.folder_id = items.id
       LEFT JOIN highest ON highest.id = items.id
     WHERE items.is_dir = 1`,
    [JSON.stringify(ids)],
  );
  // Readers of a disk that is full or cannot be written have their tags all the same.
  if ((rows[0]?.pending ?? 0) >= MANY) await ignoreFailure(passUp(database), 'failed to store the tags of folders');
  return new Map(rows.map((row) => [row.id, tagOf(row, reader)]));
}

/** The tag of the folder at a path below the root of a home's files; null when the catalogue has none there. */
export async function folderTagAt(
  database: Pick<FilesDatabase, 'all' | 'get' | 'write'>,
  reader: string,
  homeId: string,
  segments: readonly string[],
): Promise<string | null> {
  const id = await folderIdAt(database, homeId, segments);
  return id === null ? null : ((await folderTags(database, reader, [id])).get(id) ?? null);
}

function tagOf({ uuid, number, epoch }: Changed, reader: string): string {
  const digest = createHmac('sha256', epoch).update(`${reader} ${uuid} ${number}`).digest();
  return `"${digest.subarray(0, TAG_BYTES).toString('base64url')}"`;
}

/** Stores the numbers of changes with the folders above. */
async function passUp(database: Pick<FilesDatabase, 'write'>): Promise<void> {
  await database.write((tx) =>
    tx.run(
      `WITH RECURSIVE ${UP}
       INSERT INTO folder_changes (folder_id, own, below)
         SELECT highest.id, 0, highest.number FROM highest WHERE true
         ON CONFLICT (folder_id) DO UPDATE SET below = max(below, excluded.below)`,
    ),
  );
}
