import { rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import { partsOf, type StoredPart } from '../../files/upload/parts/part-rows.ts';
import type { PartsPlace } from '../../files/upload/parts/receive-part.ts';
import { hrefOf } from '../../webdav/address.ts';
import { requireFiniteDepth } from '../../webdav/depth.ts';
import { multistatus, sendMultistatus } from '../../webdav/multistatus.ts';
import { factsOf } from '../../webdav/properties/facts.ts';
import type { DavResource } from '../../webdav/properties/live.ts';
import { requestedProperties } from '../../webdav/properties/requested.ts';
import { responsesFor } from '../../webdav/properties/responses.ts';
import { readXml } from '../../webdav/xml/read-xml.ts';
import { transferOf, type UploadsCall } from './call.ts';

/** PROPFIND: the parts that are there, for clients that continue. */
export async function list(call: UploadsCall): Promise<void> {
  const { context, caller, address, request, response } = call;
  const depth = requireFiniteDepth(request);
  const requested = requestedProperties(await readXml(request, response));
  permit(rightsOf(caller), 'files/upload');
  const place = await transferOf(call);
  const parts = depth === '1' ? await partsOf(context.files.uploadRows, place.upload.id) : [];
  const { facts } = await factsOf(context, caller, null, requested);
  const write = responsesFor(requested);
  const { prefix, id } = address;
  await sendMultistatus(
    response,
    multistatus(resources(place, prefix, id, parts), (resource) => write(resource, facts, [])),
  );
}

function* resources(
  { upload }: PartsPlace,
  prefix: string,
  id: string,
  parts: readonly StoredPart[],
): Generator<DavResource> {
  const common = { uuid: null, target: null };
  yield {
    ...common,
    ...{ href: hrefOf(prefix, [id], true), name: id, isFolder: true, etag: null },
    entry: entryOf(id, true, 0, upload.updatedAt),
  };
  for (const { name, file, size, receivedAt } of parts) {
    yield {
      ...common,
      ...{ href: hrefOf(prefix, [id, name], false), name, isFolder: false, etag: `"${file}"` },
      entry: entryOf(name, false, size, receivedAt),
    };
  }
}

function entryOf(name: string, isDir: boolean, size: number, time: number): DavResource['entry'] {
  return { name, isDir, size, mtime: time, created: time };
}
