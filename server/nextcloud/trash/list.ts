import { notFound } from '../../access/access.ts';
import { rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import { bytesBelowEach } from '../../catalogue/folder-sums.ts';
import { rootId, TRASH_ROOT } from '../../catalogue/items.ts';
import { quoted } from '../../files/content-tag.ts';
import { listTrash, type TrashedItem } from '../../files/trash/trash-rows.ts';
import { isHiddenName } from '../../lib/names/hidden-names.ts';
import { requireFiniteDepth } from '../../webdav/depth.ts';
import { multistatus, sendMultistatus } from '../../webdav/multistatus.ts';
import { factsOf } from '../../webdav/properties/facts.ts';
import type { DavResource } from '../../webdav/properties/live.ts';
import { needsSums, type RequestedProperties, requestedProperties } from '../../webdav/properties/requested.ts';
import { responsesFor } from '../../webdav/properties/responses.ts';
import { readXml } from '../../webdav/xml/read-xml.ts';
import type { TrashCall } from './call.ts';
import { formerLocations, permissionsOf } from './facts.ts';
import { listInside } from './list-inside.ts';

/**
 * PROPFIND of the trash, newest first, or of one item; for a folder with depth 1, also of what is in it.
 * @throws ApiError `not_found` also for a credential that is limited to less than the whole home
 */
export async function list(call: TrashCall): Promise<void> {
  const { context, caller, id, request, response } = call;
  const depth = requireFiniteDepth(request);
  if (id !== '' && depth === '1') return listInside(call);
  const requested = requestedProperties(await readXml(request, response));
  permit(rightsOf(caller), 'files/browse');
  const home = await context.files.access.homeOf(caller);
  const items = id === '' && depth === '0' ? [] : await listTrash(context.files, home);
  const shown = items.filter((item) => (id === '' ? item.isDir || !isHiddenName(item.name) : item.id === id));
  const [first] = shown;
  if (id !== '' && first === undefined) throw notFound();
  const { facts } = await factsOf(context, caller, null, requested);
  const locationOf = await formerLocations(call);
  const describe = await describing(call, home.id, requested, locationOf);
  const resources = shown.map(describe);
  const write = responsesFor(requested);
  await sendMultistatus(
    response,
    multistatus(id === '' ? [trashItself(call), ...resources] : resources, (resource) => write(resource, facts, [])),
  );
}

function trashItself({ base }: TrashCall): DavResource {
  const common = { entry: null, etag: null, uuid: null, target: null };
  return { ...common, href: `${base}/`, name: 'trash', isFolder: true };
}

/** How the items are described: everything that is read for all of them is read here. */
async function describing(
  { context, caller, base }: TrashCall,
  homeId: string,
  requested: RequestedProperties,
  locationOf: (item: TrashedItem) => string,
): Promise<(item: TrashedItem) => DavResource> {
  const { database } = context.files;
  const bytes = needsSums(requested)
    ? await bytesBelowEach(database, await rootId(database, homeId, TRASH_ROOT))
    : null;
  const permissions = permissionsOf(caller);
  return (item) => {
    const { id, itemId, uuid, name, isDir, size, mtime, tag, isProven, deletedAt } = item;
    return {
      href: `${base}/${id}${isDir ? '/' : ''}`,
      name,
      isFolder: isDir,
      entry: { name, isDir, size, mtime, created: mtime },
      etag: isDir || !isProven ? null : quoted(tag),
      uuid,
      target: null,
      permissions,
      bytesBelow: isDir ? (bytes?.get(itemId) ?? null) : null,
      trashed: { location: locationOf(item), deletedAt },
    };
  };
}
