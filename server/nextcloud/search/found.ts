import { type ItemTarget, shownName, virtualPathOf } from '../../access/access.ts';
import { rightsOf } from '../../access/caller.ts';
import { tagReader } from '../../access/tag-reader.ts';
import { sumBelow } from '../../catalogue/folder-sums.ts';
import { folderTags } from '../../catalogue/folder-tags.ts';
import { entryOf } from '../../catalogue/items.ts';
import { quoted } from '../../files/content-tag.ts';
import { deadPropertiesOf } from '../../files/dead-properties.ts';
import { hrefOf } from '../../webdav/address.ts';
import type { DavCall } from '../../webdav/context.ts';
import { multistatusOfBatches, sendMultistatus } from '../../webdav/multistatus.ts';
import { factsOf } from '../../webdav/properties/facts.ts';
import type { DavFacts, DavResource } from '../../webdav/properties/live.ts';
import { permissionLettersAt } from '../../webdav/properties/permission-letters.ts';
import { needsSums, needsTags, type RequestedProperties } from '../../webdav/properties/requested.ts';
import { responsesFor } from '../../webdav/properties/responses.ts';
import { checksumsOfEach } from '../../webdav/stated-checksums.ts';
import type { FoundItem } from './scope.ts';

/** Items that are described together. */
const BATCH_SIZE = 20;
/** Folders of one reply whose sizes are added up: each takes a pass through everything below it. */
const MAX_SUMS = 50;

/** What is looked up of several items at once, by the ids of their rows. */
interface KnownOfItems {
  /** Of folders. */
  readonly tags: ReadonlyMap<number, string>;
  /** Of files. */
  readonly checksums: ReadonlyMap<number, string>;
}

/** Sends the properties of items from several folders. They are described from the catalogue. */
export async function sendFound(
  { context, caller, address: { prefix }, response }: Pick<DavCall, 'context' | 'caller' | 'address' | 'response'>,
  requested: RequestedProperties,
  found: readonly FoundItem[],
): Promise<void> {
  const { database } = context.files;
  const write = responsesFor(requested);
  const known = new Map<string, Promise<DavFacts>>();
  let sums = 0;

  /** Alike for everything that is reached through one share. */
  function factsAt({ target, address }: FoundItem): Promise<DavFacts> {
    const top: ItemTarget = { ...target, segments: target.segments.slice(0, target.top) };
    const path = virtualPathOf(top);
    const segments = address.slice(0, address.length - (target.segments.length - target.top));
    const facts =
      known.get(path) ??
      factsOf(context, caller, { target: top, address: { prefix, segments } }, requested).then((one) => one.facts);
    known.set(path, facts);
    return facts;
  }

  async function resourceOf(one: FoundItem, { tags, checksums }: KnownOfItems): Promise<DavResource> {
    const { item, target, address } = one;
    const { isDir: isFolder, uuid, id } = item;
    const wantsSum = isFolder && needsSums(requested) && sums < MAX_SUMS;
    if (wantsSum) sums += 1;
    return {
      href: hrefOf(prefix, address, isFolder),
      name: address.at(-1) ?? shownName(target, item.name),
      isFolder,
      entry: entryOf(item),
      etag: isFolder ? (tags.get(id) ?? null) : quoted(item.tag),
      uuid,
      target,
      permissions: permissionLettersAt(rightsOf(caller), target, isFolder),
      checksums: checksums.get(id) ?? null,
      bytesBelow: wantsSum ? (await sumBelow({ all: database.allAside }, id)).bytes : null,
    };
  }

  /** The tags of folders, which may be reached through several shares. */
  async function tagsOf(some: readonly FoundItem[]): Promise<Map<number, string>> {
    const byReader = new Map<string, number[]>();
    for (const { item, target } of some) {
      if (!item.isDir) continue;
      const reader = tagReader(caller.account, target.share);
      byReader.set(reader, [...(byReader.get(reader) ?? []), item.id]);
    }
    const tags = await Promise.all([...byReader].map(([reader, ids]) => folderTags(database, reader, ids)));
    return new Map(tags.flatMap((one) => [...one]));
  }

  async function* batches(): AsyncGenerator<string[]> {
    for (let start = 0; start < found.length; start += BATCH_SIZE) {
      const some = found.slice(start, start + BATCH_SIZE);
      const ids = some.map(({ item }) => item.id);
      const tags = needsTags(requested) ? await tagsOf(some) : new Map();
      const checksums = write.needsHashes ? await checksumsOfEach(database, ids) : new Map();
      const stored = write.needsStored ? await deadPropertiesOf(database, ids) : new Map();
      const elements: string[] = [];
      for (const one of some) {
        elements.push(
          write(await resourceOf(one, { tags, checksums }), await factsAt(one), stored.get(one.item.id) ?? []),
        );
      }
      yield elements;
    }
  }

  await sendMultistatus(response, multistatusOfBatches(batches()));
}
