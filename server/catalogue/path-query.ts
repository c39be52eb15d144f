import { FILES_ROOT } from './items.ts';

/**
 * SQL for `WITH RECURSIVE`: the rows of the folders on a path, each with its depth below the root of a home's files, as far as
 * they exist.
 * @param homeId the parameter with the id of the home, such as `?1`
 * @param names the parameter with the folders' names as a JSON list, the root's own first
 */
export function way(homeId: string, names: string): string {
  return `way (id, depth) AS (
    SELECT id, 0 FROM items WHERE home_id = ${homeId} AND parent_id IS NULL AND name = '${FILES_ROOT}'
    UNION ALL
    SELECT items.id, depth + 1 FROM way CROSS JOIN items ON items.parent_id = way.id AND items.missing_since IS NULL
      AND items.is_dir = 1 AND items.name = json_extract(${names}, '$[' || (depth + 1) || ']')
  )`;
}
