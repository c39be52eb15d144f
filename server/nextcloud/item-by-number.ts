import { notFound } from '../access/access.ts';
import { uuidLike } from '../catalogue/item-by-uuid.ts';
import { uuidsBeginWith } from '../webdav/properties/file-id.ts';
import type { NextcloudParts } from './context.ts';

/**
 * The item with a number, as the property `fileid` has it. Whether the caller reaches it is decided where it is resolved.
 * @throws ApiError `not_found`
 */
export async function itemWithNumber({ dav }: Pick<NextcloudParts, 'dav'>, number: string): Promise<{ uuid: string }> {
  const uuid = await uuidLike(dav.files.database, uuidsBeginWith(number));
  if (uuid === null) throw notFound();
  return { uuid };
}
