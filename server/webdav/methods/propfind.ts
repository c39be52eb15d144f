import { checkStillShared, type ItemTarget } from '../../access/access.ts';
import { rightsOf } from '../../access/caller.ts';
import { permit } from '../../access/rights.ts';
import { onStorage } from '../../access/storage-failure.ts';
import { tagReader } from '../../access/tag-reader.ts';
import type { FolderContent } from '../../catalogue/catalogue.ts';
import { bytesBelowEach } from '../../catalogue/folder-sums.ts';
import { folderTags } from '../../catalogue/folder-tags.ts';
import { folderId } from '../../catalogue/listings/folder-items.ts';
import { deadProperties, deadPropertiesOf, deadPropertyBytesIn } from '../../files/dead-properties.ts';
import { ApiError } from '../../http/errors.ts';
import { hrefOf } from '../address.ts';
import type { DavCall, DavContext } from '../context.ts';
import { requireFiniteDepth } from '../depth.ts';
import { asAddressed, type DavPlace, locate, placeOf } from '../locate.ts';
import { MAX_ENTRIES, multistatus, multistatusOfBatches, sendMultistatus } from '../multistatus.ts';
import { type Child, childrenOf, type KnownBelow, withBelow } from '../properties/children.ts';
import { factsOf, keyOfFacts } from '../properties/facts.ts';
import { listTag, taggedEntries } from '../properties/list-tag.ts';
import type { DavResource } from '../properties/live.ts';
import { LIST_LETTERS, permissionLettersAt } from '../properties/permission-letters.ts';
import {
  isPermissions,
  namedIn,
  needsSums,
  needsTags,
  type RequestedProperties,
  requestedProperties,
} from '../properties/requested.ts';
import { resourceAt } from '../properties/resource-at.ts';
import { responsesFor } from '../properties/responses.ts';
import { checksumsIn } from '../stated-checksums.ts';
import { readXml } from '../xml/read-xml.ts';

/** Bytes of properties that clients have stored with the entries of a folder, up to which they are read together. */
const MAX_STORED = 4 * 1024 * 1024;
/** Entries whose properties are read together otherwise. */
const FEW = 20;

/** RFC 4918 §9.1: the properties of a resource, and with `Depth: 1` those of what is in it. */
export async function propfind(call: DavCall): Promise<void> {
  const { context, caller, address, request, response } = call;
  const depth = requireFiniteDepth(request);
  const requested = requestedProperties(await readXml(request, response));
  permit(rightsOf(caller), 'files/browse');
  const place = await locate(context, caller, address.segments);
  const query = { call, requested, withChildren: depth === '1' };
  if (place.kind === 'list') return listReply(query, place);
  const target = await context.files.access.resolveItem(caller, place.path, 'files/browse');
  // Before a client follows a move, it asks whether the former name is gone. It may differ in its Unicode form only.
  return itemReply(query, depth === '0' ? asAddressed(address, target) : target);
}

interface PropfindRequest {
  readonly call: DavCall;
  readonly requested: RequestedProperties;
  readonly withChildren: boolean;
}

async function listReply(
  { call, requested, withChildren }: PropfindRequest,
  { entries }: DavPlace & { kind: 'list' },
): Promise<void> {
  const { context, caller, address, response } = call;
  const { prefix, segments } = address;
  const { facts } = await factsOf(context, caller, null, requested);
  const tagged = needsTags(requested)
    ? await taggedEntries(context, caller, entries)
    : entries.map((entry) => ({ entry, etag: null }));
  const own = {
    ...listResource(hrefOf(prefix, segments, true), segments.at(-1) ?? ''),
    etag: needsTags(requested) ? listTag(tagged) : null,
  };
  const needsLetters = namedIn(requested).some(isPermissions);
  const resources = [own];
  if (withChildren) {
    for (const { entry, etag } of tagged) {
      const { name, isFolder, path } = entry;
      const href = hrefOf(prefix, [...segments, name], isFolder);
      const resource = isFolder
        ? { ...listResource(href, name), etag, permissions: needsLetters ? await lettersOf(call, path) : '' }
        : await sharedFile(call, path, requested);
      if (resource !== null) resources.push({ ...resource, href, name });
    }
  }
  const write = responsesFor(requested);
  await sendMultistatus(
    response,
    multistatus(resources, (resource) => write(resource, facts, [])),
  );
}

/** The letters of a folder or list that a list contains. */
async function lettersOf({ context, caller }: DavCall, path: readonly string[]): Promise<string> {
  try {
    if ((await placeOf(context, caller, path)).kind === 'list') return LIST_LETTERS;
    const target = await context.files.access.resolveItem(caller, path, 'files/browse');
    return permissionLettersAt(rightsOf(caller), target, true);
  } catch (error) {
    // It has just ended.
    if (error instanceof ApiError && error.code === 'not_found') return LIST_LETTERS;
    throw error;
  }
}

/** A file that is shared by itself; null when another program has removed it. */
async function sharedFile(
  { context, caller }: DavCall,
  path: readonly string[],
  requested: RequestedProperties,
): Promise<DavResource | null> {
  try {
    const target = await context.files.access.resolveItem(caller, path, 'files/browse');
    return (await resourceAt(context, caller, target, requested)).resource;
  } catch (error) {
    if (error instanceof ApiError && error.code === 'not_found') return null;
    throw error;
  }
}

function listResource(href: string, name: string): DavResource {
  return { href, name, isFolder: true, entry: null, etag: null, uuid: null, target: null, permissions: LIST_LETTERS };
}

async function itemReply({ call, requested, withChildren }: PropfindRequest, target: ItemTarget): Promise<void> {
  const { context, caller, address, response } = call;
  const { database } = context.files;
  const { resource: own, itemId } = await resourceAt(context, caller, target, requested);
  const href = hrefOf(address.prefix, address.segments, own.isFolder);
  const { facts, hasLocks } = await factsOf(context, caller, { target, address }, requested);
  const write = responsesFor(requested);
  const properties = itemId === null || !write.needsStored ? [] : await deadProperties(database, itemId);
  const self = { ...own, href, name: address.segments.at(-1) ?? own.name };
  if (!own.isFolder || !withChildren) {
    await sendMultistatus(
      response,
      multistatus([self], () => write(self, facts, properties)),
    );
    return;
  }
  const content = await contentOf(context, target, needsTags(requested));
  await checkStillShared(target);
  // A folder whose first item was just found does not know its own row yet.
  const parentId = content.items.parentId ?? (await folderId(database, target.home.id, content.listing.folders));
  const bytesStored = parentId === null || !write.needsStored ? 0 : await deadPropertyBytesIn(database, parentId);
  const checksums = write.needsHashes && parentId !== null ? await checksumsIn(database, parentId) : null;
  const children = childrenOf(content, target, href, checksums);
  const below: KnownBelow = {
    bytes: needsSums(requested) && parentId !== null ? await bytesBelowEach(database, parentId) : null,
    tags: needsTags(requested)
      ? await folderTags(database, tagReader(caller.account, target.share), folderIdsIn(content))
      : null,
  };
  const ownElement = () => write(self, facts, properties);
  if (bytesStored > 0) {
    // What clients have stored may be much more than may be in memory at the same time.
    const atOnce = bytesStored > MAX_STORED ? FEW : content.listing.names.length;
    return sendMultistatus(response, multistatusOfBatches(elements(ownElement(), atOnce)));
  }
  const bodies = () =>
    multistatus(withSelf(children()), (resource) =>
      resource === null ? ownElement() : write(withBelow(resource, below), facts, []),
    );
  // A reply that follows from the content of the folder alone is made once.
  const isPlain =
    write.isOfContent && !hasLocks && properties.length === 0 && content.listing.names.length <= MAX_ENTRIES;
  if (!isPlain) return sendMultistatus(response, bodies());
  const key = JSON.stringify([
    'propfind',
    href,
    // A share has a name of its own for each of its recipients.
    self.name,
    requested,
    // It changes with the tag of every folder in it.
    self.etag,
    keyOfFacts(facts),
    self.entry?.mtime,
  ]);
  const body = await context.bodies.of(content, key, content.listing.names.length, async () => bodies());
  await sendMultistatus(response, body ?? bodies());

  async function* elements(first: string, atOnce: number): AsyncGenerator<string[]> {
    yield [first];
    for (const some of batchesOf(children(), atOnce)) {
      const ids = some.flatMap(({ itemId: id }) => (id === undefined ? [] : [id]));
      const stored = await deadPropertiesOf(database, ids);
      yield some.map((child) => write(withBelow(child, below), facts, stored.get(child.itemId ?? 0) ?? []));
    }
  }
}

/** @param wantsTags whether the folders in it need their rows, which are made for what other programs have just put there */
async function contentOf({ files }: DavContext, target: ItemTarget, wantsTags: boolean): Promise<FolderContent> {
  const { catalogue } = files;
  const content = await onStorage(() => catalogue.list(target.home, target.segments, { allowStaleRows: true }));
  if (!wantsTags || folderIdsIn(content).length === content.listing.folderCount) return content;
  return onStorage(() => catalogue.list(target.home, target.segments));
}

function folderIdsIn({ listing, items }: FolderContent): number[] {
  return Array.from({ length: listing.folderCount }, (_, index) => items.at(index)?.id).filter(
    (id) => id !== undefined,
  );
}

/** Null stands for the folder itself. */
function* withSelf(children: Iterable<Child>): Generator<Child | null> {
  yield null;
  yield* children;
}

function* batchesOf<T>(all: Iterable<T>, atOnce: number): Generator<T[]> {
  let batch: T[] = [];
  for (const one of all) {
    if (batch.push(one) < atOnce) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
