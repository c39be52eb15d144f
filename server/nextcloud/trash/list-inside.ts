import { rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import { bytesBelowEach, sumBelow } from '../../catalogue/folder-sums.ts';
import { quoted } from '../../files/content-tag.ts';
import { type InTrash, inTrashAt, inTrashBelow } from '../../files/trash/inside-trash.ts';
import { isHiddenName } from '../../lib/names/hidden-names.ts';
import { hrefOf } from '../../webdav/address.ts';
import { requireFiniteDepth } from '../../webdav/depth.ts';
import { multistatus, sendMultistatus } from '../../webdav/multistatus.ts';
import { factsOf } from '../../webdav/properties/facts.ts';
import type { DavResource } from '../../webdav/properties/live.ts';
import { needsSums, requestedProperties } from '../../webdav/properties/requested.ts';
import { responsesFor } from '../../webdav/properties/responses.ts';
import { readXml } from '../../webdav/xml/read-xml.ts';
import type { TrashCall } from './call.ts';
import { formerLocations, permissionsOf } from './facts.ts';

/**
 * PROPFIND of a deleted item or of something in a deleted folder, with depth 1 also of what is in it. Only the deleted item itself can
 * be restored or deleted.
 * @throws ApiError `not_found`
 */
export async function listInside(call: TrashCall): Promise<void> {
  const { context, caller, base, id, below, request, response } = call;
  const { files } = context;
  const depth = requireFiniteDepth(request);
  const requested = requestedProperties(await readXml(request, response));
  permit(rightsOf(caller), 'files/browse');
  const home = await files.access.homeOf(caller);
  const self = await inTrashAt(files, home, id, below);
  const withChildren = depth === '1' && self.entry.isDir;
  const { folder, children } = withChildren
    ? await inTrashBelow(files, home, id, below)
    : { folder: self, children: [] };
  const locationOf = await formerLocations(call);
  const wantsSums = needsSums(requested);
  const ownBytes = wantsSums && folder.row !== null ? (await sumBelow(files.database, folder.row.id)).bytes : null;
  const bytes = wantsSums && folder.row !== null ? await bytesBelowEach(files.database, folder.row.id) : null;
  const own = permissionsOf(caller);

  function resourceOf({ item, entry, row }: InTrash, names: readonly string[], bytesBelow: number | null): DavResource {
    const isItem = names.length === 0;
    return {
      href: hrefOf(base, [id, ...names], entry.isDir),
      name: entry.name,
      isFolder: entry.isDir,
      entry,
      etag: isItem && !entry.isDir && item.isProven ? quoted(item.tag) : null,
      uuid: row?.uuid ?? null,
      target: null,
      permissions: isItem ? own : '',
      bytesBelow: entry.isDir ? bytesBelow : null,
      trashed: { location: [locationOf(item), ...names].join('/'), deletedAt: item.deletedAt },
    };
  }

  const { facts } = await factsOf(context, caller, null, requested);
  const write = responsesFor(requested);
  function* resources(): Generator<DavResource> {
    yield resourceOf(folder, below, ownBytes);
    for (const child of children) {
      const { entry, row } = child;
      if (!entry.isDir && isHiddenName(entry.name)) continue;
      yield resourceOf(child, [...below, entry.name], row === null ? null : (bytes?.get(row.id) ?? 0));
    }
  }
  await sendMultistatus(
    response,
    multistatus(resources(), (resource) => write(resource, facts, [])),
  );
}
