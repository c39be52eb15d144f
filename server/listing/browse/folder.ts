import { checkStillShared, type ItemTarget } from '../../access/access.ts';
import { type Caller, rightsOf } from '../../access/caller.ts';
import { onStorage } from '../../access/storage-failure.ts';
import type { FolderContent } from '../../catalogue/catalogue.ts';
import { SUCCESS_HEAD } from '../../http/response/envelope.ts';
import { SerializedBody } from '../../http/response/serialized-body.ts';
import { StreamedList } from '../../http/response/streamed-list.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import { arrange, paginate } from '../arrange.ts';
import { type DetailKey, describe, type ItemFacts, type ListedItem, NO_FACTS, sourceOf } from '../details.ts';
import {
  type BrowseContext,
  type BrowseOptions,
  factsIn,
  folderMeta,
  type Listing,
  needsRows,
  partsWithFacts,
} from '../listing.ts';
import { type ListingBodies, MAX_ENTRIES } from '../listing-bodies.ts';

/** Number of entries from which on a listing is streamed: in memory, as objects and text, it takes 1 KB per entry. */
const STREAMED_FROM = 1_000;

/** Whether all details follow from the content of the folder. */
const areOfFolder = (details: readonly DetailKey[]): boolean => details.every((key) => sourceOf(key) === 'folder');

/** @throws ApiError `not_found`, also for a file; `storage_offline` */
export async function browseFolder(
  context: BrowseContext,
  caller: Caller,
  target: ItemTarget,
  options: BrowseOptions,
): Promise<Listing> {
  const content = await contentOf(context, target);
  return whole(context, content, await describeFolder(context, caller, target, content, options));
}

/** The same as a reply: serialised, where it can be used again, and streamed where it is long. */
export async function folderReply(
  context: BrowseContext & { readonly bodies: ListingBodies },
  caller: Caller,
  target: ItemTarget,
  options: BrowseOptions,
): Promise<Listing | StreamedList | SerializedBody> {
  const content = await contentOf(context, target);
  const entries = Math.min(options.limit ?? Number.POSITIVE_INFINITY, content.listing.names.length);
  if (entries <= MAX_ENTRIES && areOfFolder(options.details)) {
    const key = bodyKey(folderMeta(target, content, rightsOf(caller)), options);
    const body = await context.bodies.of(content, key, entries, async () =>
      serialized(await describeFolder(context, caller, target, content, options)),
    );
    if (body !== null) return new SerializedBody(body);
  }
  const described = await describeFolder(context, caller, target, content, options);
  if (described.page.length < STREAMED_FROM) return whole(context, content, described);
  const { meta, page, facts, listed } = described;
  const files = needsRows(facts) ? listedParts(context, content, described) : mapped(page, (index) => listed(index));
  return new StreamedList('files', files, () => ({}), { meta });
}

async function whole(context: BrowseContext, content: FolderContent, described: DescribedFolder): Promise<Listing> {
  const { meta, page, facts, listed } = described;
  if (!needsRows(facts)) return { meta, files: page.map((index) => listed(index)) };
  const files: ListedItem[] = [];
  for await (const item of listedParts(context, content, described)) files.push(item);
  return { meta, files };
}

/** With what is read from their rows, for a part of the entries at a time. */
async function* listedParts(
  context: BrowseContext,
  content: FolderContent,
  { page, facts: known, listed }: DescribedFolder,
): AsyncGenerator<ListedItem> {
  for await (const { part, facts } of partsWithFacts(context, known, content, page)) {
    for (const index of part) yield listed(index, facts);
  }
}

async function contentOf({ catalogue }: BrowseContext, target: ItemTarget): Promise<FolderContent> {
  const content = await onStorage(() => catalogue.list(target.home, target.segments, { allowStaleRows: true }));
  await checkStillShared(target);
  return content;
}

/** A page of a folder, as indexes in its content, and what describes one of them. */
interface DescribedFolder {
  readonly meta: Listing['meta'];
  readonly page: readonly number[];
  readonly facts: ItemFacts;
  /** @param facts other than those of the folder */
  readonly listed: (index: number, facts?: ItemFacts) => ListedItem;
}

async function describeFolder(
  context: BrowseContext,
  caller: Caller,
  target: ItemTarget,
  content: FolderContent,
  options: BrowseOptions,
): Promise<DescribedFolder> {
  const known: ItemFacts = areOfFolder(options.details) ? NO_FACTS : await factsIn(context, caller, target, options);
  const meta = folderMeta(target, content, rightsOf(caller));
  const now = context.clock.now();
  const { page, paging } = paginate(arrange(content, options), options);
  const listed = (index: number, facts = known): ListedItem => {
    const entry = listingEntry(content.listing, index);
    const item = content.items.at(index);
    return describe({ entry, item, path: `${meta.path}/${entry.name}`, facts }, options.details, now);
  };
  return { meta: { ...meta, ...paging }, page, facts: known, listed };
}

/** Everything that a body depends on beside the content and the clock. */
function bodyKey(
  meta: Listing['meta'],
  { details, itemType, sort, order, hidden, start, limit }: BrowseOptions,
): string {
  return JSON.stringify([meta, details, itemType, sort, order, hidden === true, String(start), String(limit)]);
}

function* serialized({ meta, page, listed }: DescribedFolder): Generator<string> {
  let before = `${SUCCESS_HEAD}{"meta":${JSON.stringify(meta)},"files":[`;
  for (const index of page) {
    yield before + JSON.stringify(listed(index));
    before = ',';
  }
  yield before === ',' ? ']}}' : `${before}]}}`;
}

function* mapped<From, To>(all: Iterable<From>, make: (one: From) => To): Generator<To> {
  for (const one of all) yield make(one);
}
