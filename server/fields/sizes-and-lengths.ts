import type { DatabaseReader } from '../database/database.ts';

/** Pixels, as displayed. */
export interface PictureSize {
  readonly width: number;
  readonly height: number;
}

/** How long films and music are, as read from them (`1:02:03`, `3:45`), by the uuids of their items. */
export async function lengthsOf(
  database: Pick<DatabaseReader, 'all'>,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (uuids.length === 0) return new Map();
  const rows = await database.all<{ uuid: string; value: string }>(
    `SELECT i.uuid, t.value FROM json_each(?1) w
     CROSS JOIN items i ON i.uuid = w.value
     CROSS JOIN metadata_fields f ON f.system IN ('video.duration', 'audio.duration')
     CROSS JOIN metadata_values v ON v.item_id = i.id AND v.field_id = f.id AND v.position = 0
     CROSS JOIN metadata_terms t ON t.id = v.term_id`,
    [JSON.stringify(uuids)],
  );
  return new Map(rows.map(({ uuid, value }) => [uuid, value]));
}

const TEXT = /^(\d+) × (\d+)$/;

/**
 * The sizes of pictures and films whose embedded metadata has been read, by the uuids of their items.
 * @param uuids others than pictures and films have none
 */
export async function pictureSizesOf(
  database: Pick<DatabaseReader, 'all'>,
  uuids: readonly string[],
): Promise<ReadonlyMap<string, PictureSize>> {
  if (uuids.length === 0) return new Map();
  const rows = await database.all<{ uuid: string; value: string }>(
    `SELECT i.uuid, t.value FROM json_each(?1) w
     CROSS JOIN items i ON i.uuid = w.value
     CROSS JOIN metadata_fields f ON f.system IN ('image.dimensions', 'video.dimensions')
     CROSS JOIN metadata_values v ON v.item_id = i.id AND v.field_id = f.id AND v.position = 0
     CROSS JOIN metadata_terms t ON t.id = v.term_id`,
    [JSON.stringify(uuids)],
  );
  return new Map(
    rows.flatMap(({ uuid, value }) => {
      const [, width, height] = TEXT.exec(value) ?? [];
      const size = { width: Number(width), height: Number(height) };
      return size.width > 0 && size.height > 0 ? [[uuid, size] as const] : [];
    }),
  );
}
