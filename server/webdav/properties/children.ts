import type { ItemTarget } from '../../access/access.ts';
import type { FolderContent } from '../../catalogue/catalogue.ts';
import { quoted } from '../../files/content-tag.ts';
import type { DiskListing } from '../../storage/disk/disk.ts';
import { listingEntry } from '../../storage/disk/disk-entry.ts';
import type { KnownChecksums } from '../stated-checksums.ts';
import type { DavResource } from './live.ts';

export type Child = DavResource & { readonly itemId?: number | undefined };

/** Those of a row count only for the listed content, as long as nothing has touched the file since. */
function checksumsAt(listing: DiskListing, index: number, known: KnownChecksums | undefined): string | null {
  if (known === undefined) return null;
  const { identity, touched } = listingEntry(listing, index);
  return known.identity === identity && known.touched === touched ? known.text : null;
}

/** The entries of a folder, one after the other, so that few of them are in memory at the same time. */
export function childrenOf(
  { listing, items }: FolderContent,
  target: ItemTarget,
  href: string,
  checksums: ReadonlyMap<number, KnownChecksums> | null,
) {
  const before = `${href}${href.endsWith('/') ? '' : '/'}`;
  return function* children(): Generator<Child> {
    for (let index = 0; index < listing.names.length; index += 1) {
      const isFolder = index < listing.folderCount;
      const name = listing.names[index] ?? '';
      const size = listing.sizes[index] ?? 0;
      const item = items.at(index);
      yield {
        href: `${before}${encodeURIComponent(name.toWellFormed())}${isFolder ? '/' : ''}`,
        name,
        isFolder,
        entry: { name, isDir: isFolder, size, mtime: listing.mtimes[index] ?? 0, created: listing.created[index] ?? 0 },
        etag: isFolder || item === undefined ? null : quoted(item.tag),
        uuid: item?.uuid ?? null,
        target: { segments: [...target.segments, name] },
        checksums: checksumsAt(listing, index, item === undefined ? undefined : checksums?.get(item.id)),
        itemId: item?.id,
      };
    }
  };
}

/** What is known of everything below folders, by the ids of their rows; null for what is not asked for. */
export interface KnownBelow {
  readonly bytes: ReadonlyMap<number, number> | null;
  readonly tags: ReadonlyMap<number, string> | null;
}

export function withBelow(resource: Child, { bytes, tags }: KnownBelow): Child {
  if (!resource.isFolder || (bytes === null && tags === null)) return resource;
  const id = resource.itemId ?? 0;
  return { ...resource, bytesBelow: bytes?.get(id) ?? null, etag: tags?.get(id) ?? null };
}
