import { z } from 'zod';
import type { AccountCaller } from '../../../access/caller.ts';
import { addAlbum, addToAlbum, editAlbum, removeFromAlbum } from '../../../albums/change-albums.ts';
import { missingParameter } from '../../../http/errors.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { text } from '../../../http/request/parameters.ts';
import { itemInfo } from '../../../listing/info.ts';
import type { FilesPagesParts } from '../context.ts';
import { withLivePhotos } from '../photos/whole.ts';

type Fields = Readonly<Record<string, unknown>>;
type Act = (
  parts: FilesPagesParts,
  caller: AccountCaller,
  paths: readonly (readonly string[])[],
  fields: Fields,
) => Promise<void>;

const inAlbum = z.object({ album: text() });
const intoAlbum = z.object({ album: text().optional(), title: text().optional() });

/** Actions on items of which all or none succeed. */
const ALBUM_ACTIONS: Readonly<Record<string, Act>> = {
  /** Into an album that exists, or a new one with a title. */
  album: async (parts, caller, paths, fields) => {
    const { album, title = '' } = checkParameters(intoAlbum, fields);
    await addToAlbum(
      parts.albumsContext,
      caller,
      album ?? (await addAlbum(parts.albumsContext, caller, title)).uuid,
      await withLivePhotos(parts, caller, paths),
    );
  },
  albumRemove: async (parts, caller, paths, fields) => {
    const { album } = checkParameters(inAlbum, fields);
    await removeFromAlbum(parts.albumsContext, caller, album, await uuidsOf(parts, caller, paths));
  },
  albumCover: async (parts, caller, paths, fields) => {
    const { album } = checkParameters(inAlbum, fields);
    const [cover] = await uuidsOf(parts, caller, paths.slice(0, 1));
    if (cover === undefined) throw missingParameter('path');
    await editAlbum(parts.albumsContext, caller, album, { cover });
  },
};

export function albumAction(name: string): Act | undefined {
  return Object.hasOwn(ALBUM_ACTIONS, name) ? ALBUM_ACTIONS[name] : undefined;
}

async function uuidsOf(
  parts: FilesPagesParts,
  caller: AccountCaller,
  paths: readonly (readonly string[])[],
): Promise<string[]> {
  const uuids: string[] = [];
  for (const path of paths) {
    const { uuid } = await itemInfo({ ...parts.files, ...parts.listing }, caller, path, {
      details: ['uuid'],
      address: '',
    });
    if (uuid !== undefined) uuids.push(uuid);
  }
  return uuids;
}
