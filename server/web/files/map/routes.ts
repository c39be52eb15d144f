import express, { type Router } from 'express';
import { z } from 'zod';
import { HOME_BASE } from '../../../access/access.ts';
import { rightsOf } from '../../../access/caller.ts';
import { folderPermissions } from '../../../access/rights.ts';
import { checkParameters } from '../../../http/request/check-parameters.ts';
import { text } from '../../../http/request/parameters.ts';
import { browseArea, browseClusters } from '../../../listing/browse/map.ts';
import { t } from '../../../messages/messages.ts';
import { abilitiesIn } from '../abilities.ts';
import { NO_ADDRESS, ROW_DETAILS, rootsFor } from '../context.ts';
import { showFiles } from '../frame.ts';
import { reshareOf } from '../listing/shared-roots.ts';
import { ownPhotos, photoRows } from '../photos/list.ts';
import type { AsFiles } from '../sharing/routes.ts';
import { mapMain } from './page.ts';
import { areaOf, cellOf, type MapView, maxZoomOf, viewAround, viewOf } from './view.ts';

const PHOTOS = '/PHOTOS';
const requested = z.object({ lat: text().optional(), lon: text().optional(), zoom: text().optional() });
const REQUESTED = { details: ROW_DETAILS, address: NO_ADDRESS };
/** Photos in the list below the map, and from which zoom on there is one: of half the world, it would be any. */
const LISTED = 60;
const LIST_FROM = 2;

/** The map of the photos of the own home. */
export function mapPages(asFiles: AsFiles): Router {
  const router = express.Router({ caseSensitive: true });
  router.get(
    '/files/map',
    asFiles(async (_request, response, { parts, links, visitor, caller, query, isForScript }) => {
      const { lat, lon, zoom } = checkParameters(requested, query);
      const tiles = parts.mapTiles();
      const own = await ownPhotos(parts, caller);
      const clustersIn = async (shown: MapView) =>
        own === null
          ? []
          : browseClusters(parts.listing, caller, own.home, parts.photoMap, areaOf(shown), cellOf(shown), REQUESTED);
      let view = viewOf(Number(lat ?? 0), Number(lon ?? 0), Number(zoom ?? 0), maxZoomOf(tiles));
      let found = await clustersIn(view);
      // Without a view in the address, it begins where the photos are.
      if (lat === undefined && lon === undefined && zoom === undefined) {
        view = viewAround(
          found.map(({ area }) => area),
          maxZoomOf(tiles),
        );
        if (view.zoom > 0) found = await clustersIn(view);
      }
      const area = areaOf(view);
      const standing = await photoRows(
        parts,
        caller,
        found.map(({ shown }) => shown),
      );
      const clusters = found.flatMap((cluster, index) => {
        const row = standing[index];
        return row === undefined ? [] : [{ ...cluster, row }];
      });
      const listed =
        own === null || view.zoom < LIST_FROM
          ? []
          : await browseArea(parts.listing, caller, own, area, LISTED, REQUESTED);
      const perms = { ...folderPermissions(rightsOf(caller)), upload: false };
      const roots = await rootsFor(parts, caller);
      const main = mapMain({
        ...{ links, view, clusters, tiles },
        rows: await photoRows(parts, caller, listed),
        photos: roots.find(({ path }) => path === PHOTOS) ?? { name: t('photoBackup.folder'), path: PHOTOS },
        abilities: abilitiesIn(caller.account, { path: HOME_BASE, perms }, reshareOf(caller, null)),
        account: caller.account,
        canOpen: perms.download,
        now: parts.clock.now(),
        icons: `${parts.basePath}/icons`,
        assets: parts.assets,
      });
      const page = {
        title: t('map.heading'),
        at: PHOTOS,
        roots,
        main,
        isCompressed: true,
        ...(tiles === null ? {} : { images: tiles.origin }),
      };
      await showFiles(parts, response, visitor, links, page, isForScript);
    }),
  );
  return router;
}
