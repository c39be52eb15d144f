import { requireFiniteDepth } from '../../webdav/depth.ts';
import { multistatus, sendMultistatus } from '../../webdav/multistatus.ts';
import { factsOf } from '../../webdav/properties/facts.ts';
import type { DavResource } from '../../webdav/properties/live.ts';
import { requestedProperties } from '../../webdav/properties/requested.ts';
import { responsesFor } from '../../webdav/properties/responses.ts';
import { readXml } from '../../webdav/xml/read-xml.ts';
import type { VersionsCall } from './call.ts';
import { type NamedVersion, namedVersions, versionNamed } from './named-versions.ts';

/** PROPFIND of the versions of a file, or of one of them. The present content is not among them. @throws ApiError */
export async function list(call: VersionsCall): Promise<void> {
  const { context, caller, base, file, name, request, response } = call;
  const depth = requireFiniteDepth(request);
  const requested = requestedProperties(await readXml(request, response));
  const versions = name === '' ? await namedVersions(call) : [await versionNamed(call)];
  const { segments } = await context.files.access.resolveItem(caller, file, 'files/versions/list');
  const { facts } = await factsOf(context, caller, null, requested);
  const describe = (version: NamedVersion) => describeVersion(base, segments.at(-1) ?? '', version);
  const children = name === '' && depth === '0' ? [] : versions.map(describe);
  const write = responsesFor(requested);
  await sendMultistatus(
    response,
    multistatus(name === '' ? [folderOf(call), ...children] : children, (resource) =>
      // Previews are of the present content.
      write(resource, { ...facts, hasPreview: null }, []),
    ),
  );
}

function folderOf({ base }: VersionsCall): DavResource {
  const common = { entry: null, etag: null, uuid: null, target: null };
  return { ...common, href: `${base}/`, name: base.slice(base.lastIndexOf('/') + 1), isFolder: true };
}

/** @param filename of the file, which says what type its contents are of */
function describeVersion(base: string, filename: string, { name, size, mtime }: NamedVersion): DavResource {
  return {
    ...{ href: `${base}/${name}`, name, isFolder: false, etag: null, uuid: null, target: null, permissions: '' },
    entry: { name: filename, isDir: false, size, mtime, created: mtime },
  };
}
