import type { ItemTarget } from '../../access/access.ts';
import type { LockRecord } from '../../files/locks/lock-record.ts';
import { mimeType } from '../../files/mime-type.ts';
import { SECOND } from '../../lib/clock.ts';
import { httpDate, isoSeconds } from '../../lib/datetime.ts';
import type { DiskEntry } from '../../storage/disk/disk.ts';
import { activeLocks } from '../lock-xml.ts';
import { DAV, escapeXml, MICROSOFT, NEXTCLOUD, OWNCLOUD } from '../xml/xml-tree.ts';
import { fileId, syncId } from './file-id.ts';
import type { PropertyName } from './requested.ts';
import type { ShareTypes } from './share-types.ts';
import type { Sharees } from './sharees.ts';

/** A resource whose properties are asked for. */
export interface DavResource {
  /** As in `href` elements, percent-encoded. */
  readonly href: string;
  /** Its name for the caller. */
  readonly name: string;
  readonly isFolder: boolean;
  /** Null for a list, such as the top level. */
  readonly entry: Omit<DiskEntry, 'identity' | 'touched'> | null;
  /** With its quotes: of a file's content, or of everything below a folder; null if it is not asked for, or not known. */
  readonly etag: string | null;
  readonly uuid: string | null;
  /** Where it is; null for a list. */
  readonly target: Pick<ItemTarget, 'segments'> | null;
  /** What the caller may do with it, where that is not what the facts say. */
  readonly permissions?: string;
  /** The checksums of the content, separated by spaces; null while none is known. */
  readonly checksums?: string | null;
  /** Bytes of everything below a folder, if asked for. */
  readonly bytesBelow?: number | null;
  /** For an item in the trash: the path it had, below the top level of its program, and when it was deleted. */
  readonly trashed?: { readonly location: string; readonly deletedAt: number };
}

/** What the resources of one reply have in common. */
export interface DavFacts {
  readonly locksOf: (target: NonNullable<DavResource['target']>) => readonly LockRecord[];
  /** The address of a lock's root; null for one that the caller does not reach. */
  readonly lockHref: (lock: LockRecord) => string | null;
  /** Whether the caller may download, and so learn the tags of contents. */
  readonly areTagsVisible: boolean;
  /** Whether the caller may read contents, and so have their hashes. */
  readonly areHashesVisible: boolean;
  /** What the caller may do with files, and with folders, as sync clients spell it. */
  readonly permissions: { readonly file: string; readonly folder: string };
  /** Whether a file of a name and size may have a preview; null where the caller sees none. */
  readonly hasPreview:
    | ((file: { readonly name: string; readonly isDir: boolean; readonly size: number }) => boolean)
    | null;
  /** Whose files they are, if asked for; null in a list, and where the caller is not to know. */
  readonly owner: { readonly username: string; readonly name: string } | null;
  /** How the files are reached; null in a list. */
  readonly mount: 'own' | 'shared' | null;
  /** The uuids of the items that the caller has starred, if asked for. */
  readonly starred: ReadonlySet<string>;
  /** How the caller shares items, if asked for. */
  readonly shareTypes: ShareTypes;
  /** With whom the caller shares items, if asked for. */
  readonly sharees: Sharees;
  /** Bytes; null where there is none. */
  readonly quota: { readonly used: number; readonly available: number } | null;
  /** Milliseconds since the epoch. */
  readonly now: number;
}

type Live = (resource: DavResource, facts: DavFacts) => string | null;

const file =
  (value: (entry: Omit<DiskEntry, 'identity' | 'touched'>) => string): Live =>
  ({ entry, isFolder }) =>
    entry === null || isFolder ? null : value(entry);

const BOTH_SCOPES = ['exclusive', 'shared']
  .map(
    (scope) => `<d:lockentry><d:lockscope><d:${scope}/></d:lockscope><d:locktype><d:write/></d:locktype></d:lockentry>`,
  )
  .join('');

/** RFC 4918 §15: the properties of every resource. Each returns the content of its element; null where it does not apply. */
const DAV_PROPERTIES: Readonly<Record<string, Live>> = {
  creationdate: ({ entry }) => (entry === null ? null : isoSeconds(entry.created)),
  displayname: ({ name }) => escapeXml(name),
  getcontentlength: file(({ size }) => String(size)),
  getcontenttype: file(({ name }) => escapeXml(mimeType(name))),
  // That of a folder tells nothing about contents.
  getetag: ({ etag, isFolder }, { areTagsVisible }) =>
    etag !== null && (isFolder || areTagsVisible) ? escapeXml(etag) : null,
  getlastmodified: ({ entry }) => (entry === null ? null : httpDate(entry.mtime)),
  lockdiscovery: ({ target }, { locksOf, lockHref, now }) =>
    target === null ? '' : activeLocks(locksOf(target), lockHref, now),
  resourcetype: ({ isFolder }) => (isFolder ? '<d:collection/>' : ''),
  supportedlock: ({ target }) => (target === null ? '' : BOTH_SCOPES),
};

/** Sent only to those who name them: they cost more, or mean something to sync clients only (RFC 4331 §2). */
const NAMED_DAV_PROPERTIES: Readonly<Record<string, Live>> = {
  'quota-available-bytes': ({ isFolder }, { quota }) => (isFolder && quota !== null ? String(quota.available) : null),
  'quota-used-bytes': ({ isFolder }, { quota }) => (isFolder && quota !== null ? String(quota.used) : null),
};

const OWNCLOUD_PROPERTIES: Readonly<Record<string, Live>> = {
  // Apps read that of an item in the trash as a number.
  id: ({ uuid, trashed }) => (uuid === null ? null : trashed === undefined ? syncId(uuid) : fileId(uuid)),
  fileid: ({ uuid }) => (uuid === null ? null : fileId(uuid)),
  favorite: ({ entry, uuid }, { starred }) => (entry === null ? null : starred.has(uuid ?? '') ? '1' : '0'),
  'owner-id': ({ entry }, { owner }) => (entry === null || owner === null ? null : escapeXml(owner.username)),
  'owner-display-name': ({ entry }, { owner }) => (entry === null || owner === null ? null : escapeXml(owner.name)),
  permissions: ({ isFolder, entry, permissions: own }, { permissions }) =>
    own ?? (entry === null ? '' : isFolder ? permissions.folder : permissions.file),
  'share-types': ({ entry, uuid }, { shareTypes }) =>
    entry === null
      ? null
      : (shareTypes[uuid ?? ''] ?? []).map((type) => `<oc:share-type>${type}</oc:share-type>`).join(''),
  size: ({ entry, isFolder, bytesBelow }) =>
    isFolder ? (typeof bytesBelow === 'number' ? String(bytesBelow) : null) : String(entry?.size ?? 0),
  checksums: ({ checksums, isFolder }, { areHashesVisible }) =>
    isFolder || !areHashesVisible || !checksums ? null : `<oc:checksum>${escapeXml(checksums)}</oc:checksum>`,
};

/** Apps for phones show a picture only where `has-preview` is true. */
const NEXTCLOUD_PROPERTIES: Readonly<Record<string, Live>> = {
  // In seconds.
  creation_time: ({ entry }) => (entry === null ? null : String(Math.floor(entry.created / SECOND))),
  'has-preview': ({ entry }, { hasPreview }) => String(entry !== null && (hasPreview?.(entry) ?? false)),
  // Encryption by clients is announced by no capability.
  'is-encrypted': ({ entry }) => (entry === null ? null : '0'),
  // Files of one's own are of no type.
  'mount-type': ({ entry }, { mount }) => (entry === null || mount === null ? null : mount === 'own' ? '' : mount),
  sharees: ({ entry, uuid }, { sharees }) =>
    entry === null
      ? null
      : (sharees[uuid ?? ''] ?? [])
          .map(({ id, name, type }) => {
            const names = `<nc:id>${escapeXml(id)}</nc:id><nc:display-name>${escapeXml(name)}</nc:display-name>`;
            return `<nc:sharee>${names}<nc:type>${type}</nc:type></nc:sharee>`;
          })
          .join(''),
  'trashbin-filename': ({ name, trashed }) => (trashed === undefined ? null : escapeXml(name)),
  'trashbin-original-location': ({ trashed }) => (trashed === undefined ? null : escapeXml(trashed.location)),
  // Seconds since the epoch.
  'trashbin-deletion-time': ({ trashed }) =>
    trashed === undefined ? null : String(Math.floor(trashed.deletedAt / 1000)),
};

/** What Windows sets beside properties that are stored for it (`stored-times.ts`). */
const MICROSOFT_PROPERTIES: Readonly<Record<string, Live>> = {
  Win32LastModifiedTime: ({ entry }) => (entry === null ? null : httpDate(entry.mtime)),
};

/** The properties that this server computes, by namespace, and the prefixes of the namespaces in replies; null without one. */
const TABLES: Readonly<
  Record<string, { readonly prefix: string | null; readonly table: Readonly<Record<string, Live>> }>
> = {
  [DAV]: { prefix: 'd', table: { ...NAMED_DAV_PROPERTIES, ...DAV_PROPERTIES } },
  [OWNCLOUD]: { prefix: 'oc', table: OWNCLOUD_PROPERTIES },
  [NEXTCLOUD]: { prefix: 'nc', table: NEXTCLOUD_PROPERTIES },
  [MICROSOFT]: { prefix: null, table: MICROSOFT_PROPERTIES },
};

const ALWAYS = Object.keys(DAV_PROPERTIES).map((name) => ({ namespace: DAV, name }));

/** The properties of `allprop` and `propname`, beside those that clients have stored. */
export function liveNames(): readonly PropertyName[] {
  return ALWAYS;
}

/** Whether clients cannot store a property of this name, because the server computes it. */
export function isLive({ namespace, name }: PropertyName): boolean {
  return liveOf({ namespace, name }) !== undefined;
}

function liveOf({ namespace, name }: PropertyName): Live | undefined {
  const table = Object.hasOwn(TABLES, namespace) ? TABLES[namespace]?.table : undefined;
  return table !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;
}

/** Computes one property as an element with the prefixes of the reply; null where it does not apply. */
export type PropertyWriter = (resource: DavResource, facts: DavFacts) => string | null;

/** @returns undefined for a property that the server does not compute */
export function liveProperty(property: PropertyName): PropertyWriter | undefined {
  const live = liveOf(property);
  if (live === undefined) return undefined;
  const prefix = TABLES[property.namespace]?.prefix ?? null;
  const tag = prefix === null ? property.name : `${prefix}:${property.name}`;
  const start = prefix === null ? `${tag} xmlns="${escapeXml(property.namespace)}"` : tag;
  return (resource, facts) => {
    const content = live(resource, facts);
    if (content === null) return null;
    return content === '' ? `<${start}/>` : `<${start}>${content}</${tag}>`;
  };
}
