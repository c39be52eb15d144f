import type { AccountCaller } from '../../access/caller.ts';
import type { Home } from '../../catalogue/homes.ts';
import { itemsThere } from '../../catalogue/newest.ts';
import { type MapArea, type PhotoCluster, type PhotoMap, photosWithin } from '../../catalogue/photo-places.ts';
import type { PhotoTimeline } from '../../catalogue/photos.ts';
import type { BrowseContext, RequestedDetails } from '../listing.ts';
import { type ListedPhoto, listedPhotos } from './photos.ts';

/** Photos near each other, and one of them, which stands for all. */
interface ListedCluster extends Pick<PhotoCluster, 'count' | 'latitude' | 'longitude' | 'area'> {
  readonly shown: ListedPhoto;
}

interface OnMap {
  readonly home: Home;
  readonly timeline: PhotoTimeline;
}

/** Photos and films of the caller's own home on a part of the map. @param cell in which those near each other are, in degrees */
export async function browseClusters(
  context: BrowseContext,
  caller: AccountCaller,
  home: Home,
  clustersOf: PhotoMap,
  area: MapArea,
  cell: number,
  requested: RequestedDetails,
): Promise<ListedCluster[]> {
  const clusters = await clustersOf(home.id, area, cell);
  const items = await itemsThere(
    context.database,
    clusters.map(({ last }) => last),
  );
  const uuids = new Map(items.map(({ item }) => [item.id, item.uuid]));
  const files = await listedPhotos(
    context,
    caller,
    items.map((placed) => ({ ...placed, local: 0 })),
    requested,
  );
  const byUuid = new Map(files.map((file) => [file.uuid, file]));
  return clusters.flatMap(({ last, ...cluster }) => {
    const shown = byUuid.get(uuids.get(last));
    return shown === undefined ? [] : [{ ...cluster, shown }];
  });
}

/** The newest of those that were taken in an area. */
export async function browseArea(
  context: BrowseContext,
  caller: AccountCaller,
  { home, timeline }: OnMap,
  area: MapArea,
  limit: number,
  requested: RequestedDetails,
): Promise<ListedPhoto[]> {
  const items = await photosWithin(context.database, home.id, timeline, area, limit);
  return listedPhotos(context, caller, items, requested);
}
