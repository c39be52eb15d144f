import { EventEmitter } from 'node:events';

/** The entry point of an action: `link` is a public web link, `webdav` a program, `larder` the server itself. */
export type Channel = 'app' | 'page' | 'link' | 'webdav' | 'control' | 'larder';

/** The entry point, app and address of an action. */
export interface Origin {
  readonly channel: Channel;
  readonly client: { readonly clientId: string; readonly name: string } | null;
  /** Null if there is none: the control side is on this machine. */
  readonly address: string | null;
}

/** Who did something. Names are those at the time, because the log outlives accounts and clients. */
export interface Actor extends Origin {
  readonly account: { readonly id: number; readonly username: string } | null;
}

/** The server itself. */
export const LARDER: Actor = { channel: 'larder', account: null, client: null, address: null };

/** The owner's side: the panel and the command line. */
export const CONTROL: Origin = { channel: 'control', client: null, address: null };

/** Only the fields of the account that listeners may know. */
export function actorOf({ channel, client, address }: Origin, account: Actor['account']): Actor {
  return { account: account && { id: account.id, username: account.username }, client, address, channel };
}

/** Events by which lower layers notify higher ones. A listener's failure never reaches the emitter. */
export interface LarderEvents {
  'installation.set-up': { actor: Actor };
  /** `values` has the new values of `keys`, except those of secret settings. */
  'settings.changed': { actor: Actor; keys: readonly string[]; values: Readonly<Record<string, unknown>> };
  'account.created': { actor: Actor; accountId: number; username: string };
  'account.deactivated': { actor: Actor; accountId: number; username: string; reason: string };
  'account.activated': { actor: Actor; accountId: number; username: string };
  /** Deleted by an administrator of the account. */
  'account.deleted': { actor: Actor; accountId: number; username: string };
  'account.changed': { actor: Actor; accountId: number; username: string; fields: readonly string[] };
  'group.created': { actor: Actor; groupId: number; name: string };
  /** `from` is the former name, if that changed. */
  'group.changed': { actor: Actor; groupId: number; name: string; fields: readonly string[]; from: string | null };
  'group.removed': { actor: Actor; groupId: number; name: string };
  'role.created': { actor: Actor; roleId: number; name: string };
  'role.changed': { actor: Actor; roleId: number; name: string; fields: readonly string[] };
  /** `accounts` is the number of accounts that had it. */
  /** The owner's definitions of metadata. `values`: the number of values that files lost. */
  'metadata.defined': {
    actor: Actor;
    what: 'type' | 'set' | 'field';
    change: 'added' | 'changed' | 'removed';
    name: string;
    fields?: number;
    values?: number;
  };
  'role.removed': { actor: Actor; roleId: number; name: string; accounts: number };
  /** `path` is the real one, `username` its former owner. */
  'home.released': HomeEvent & { path: string; username: string };
  'home.trashed': HomeEvent & { path: string; username: string };
  'home.restored': HomeEvent & { path: string; username: string };
  /** Permanently, with everything in it. */
  'home.removed': HomeEvent & { path: string; username: string };
  'password.changed': { actor: Actor; username: string };
  'two-step.changed': { actor: Actor; enabled: boolean };
  'recovery-codes.renewed': { actor: Actor };
  /** The password itself is never reported. */
  'app-password.created': { actor: Actor; label: string; isReadOnly: boolean };
  /** `username` is that of the account whose it was. */
  'app-password.removed': { actor: Actor; label: string; username: string };
  /** `to` is the recipient: the name of a group or person. Paths are as the actor sees them. */
  'share.created': ShareEvent;
  'share.changed': ShareEvent;
  'share.removed': ShareEvent;
  /** Of an album that others see; `title` is its title. Nothing is reported of other albums. */
  'album.shared': AlbumShareEvent & { role: 'view' | 'contribute' };
  /** `hasLeft`: the recipient has ended it for itself only. */
  'album.unshared': AlbumShareEvent & { hasLeft?: boolean };
  'album.added': AlbumEvent & { items: number };
  'album.removed': AlbumEvent & { items: number };
  /** `rules` are the options that were set. Only the presence of a password is reported, and nothing of the address. */
  'weblink.created': WeblinkEvent & { kind: 'standing' | 'single' | 'temporary' };
  'weblink.changed': WeblinkEvent;
  /** How many ended at once. */
  'weblink.removed': FileEvent & { links: number; items?: number };
  /** A new private link for a guest, which replaced the previous one. */
  'guest-link.made': { actor: Actor; accountId: number; username: string; name: string };
  'picture.changed': { actor: Actor };
  'profile.changed': { actor: Actor; fields: readonly string[] };
  'session.ended': { actor: Actor; sessions: 'this' | 'one' | 'others' };
  'login.succeeded': { actor: Actor };
  /** An unknown name has no account, and is not reported, because people type passwords there by mistake. */
  'login.failed': { actor: Actor; reason: string };
  'client.added': { actor: Actor; clientId: string; name: string };
  'client.changed': { actor: Actor; clientId: string; name: string; fields: readonly string[] };
  'client.removed': { actor: Actor; clientId: string; name: string };
  'authorization.granted': { actor: Actor; authorizationId: number; scopes: readonly string[] };
  /** The actor has the account and client of the authorization, regardless of who revoked it. */
  'authorization.revoked': { actor: Actor; authorizationId: number; reason: string };
  /** The owner tried an operation as an account, from the panel. `status` is null if there was no reply. */
  'api.tried': { actor: Actor; method: string; operation: string; username: string; status: number | null };
  'doctor.repaired': { actor: Actor; repaired: number; problems: number };
  'backup.made': { actor: Actor; name: string; files: boolean };
  'backup.failed': { actor: Actor; reason: string };
  'backup.removed': { actor: Actor; name: string };
  /** Into a separate folder. */
  'backup.restored': { actor: Actor; name: string; folder: string };
  /** By the owner, from `folder` on the disk to `path` in the home of `username`. */
  'import.started': { actor: Actor; accountId: number; username: string; path: string; folder: string };
  'folder.created': FileEvent & { copiedFrom: string | null };
  'file.created': ContentEvent;
  'file.overwritten': ContentEvent;
  /** `path` is the result, `from` the archive, `items` the number of files and folders in it. */
  'archive.extracted': ItemEvent & { from: string; items: number };
  /** `homeId` is its present home. */
  'item.moved': ItemEvent & { from: string; hasReplaced: boolean; between: AcrossOwners | null };
  'item.trashed': ItemEvent & { trashId: string };
  'item.removed': ItemEvent & { wasInTrash: boolean };
  'item.restored': ItemEvent & { from: string };
  /** `username` is the trash's owner, if there is one. */
  'trash.emptied': HomeEvent & { items: number; username: string | null };
  'file.locked': FileEvent;
  /** `of` is the owner of the lock, if it was another account. */
  'file.unlocked': FileEvent & { of: string | null };
  'comment.added': FileEvent & { commentId: number };
  /** `author` is the user name of the writer, if that is another account. */
  'comment.removed': FileEvent & { commentId: number; author: string | null };
  /** `names` are those of the fields. */
  'metadata.changed': FileEvent & { what: 'label' | 'rating' | 'tags' | 'fields'; names: readonly string[] };
  'version.removed': FileEvent & { version: number };
  /** Versions beyond the limits of number or age. */
  'versions.expired': HomeEvent & { versions: number; username: string | null };
  /** Emitted at the first byte of the content. `version` is the number of a requested earlier version. */
  'item.downloaded': HomeEvent & { path: string; isFolder: boolean; version: number | null };
}

export interface HomeEvent {
  actor: Actor;
  homeId: string;
  /** The user name of the home's owner, if it is shared with the actor. */
  owner?: string;
  /** The web link that was used: then paths are those of the home's owner. */
  link?: LinkVisit;
}

/** The number of a web link; its address gives access, and must not be logged. */
export interface LinkVisit {
  readonly number: number;
  /** The visitor's name, as they entered it; empty if they did not. */
  readonly visitor: string;
}

/** Paths are virtual, as the actor sees them. */
interface FileEvent extends HomeEvent {
  itemId: number;
  path: string;
}

interface ShareEvent extends FileEvent {
  shareId: number;
  /** The recipient, and its kind. */
  to: string;
  kind: 'user' | 'group' | 'guest';
  rights: readonly string[];
}

interface AlbumEvent {
  actor: Actor;
  title: string;
  /** The user name of its owner, if that is another account. */
  owner?: string;
}

interface AlbumShareEvent extends AlbumEvent {
  /** The recipient, and its kind. */
  to: string;
  kind: 'user' | 'group' | 'guest';
}

interface WeblinkEvent extends FileEvent {
  number: number;
  rules: readonly string[];
  /** Of a link to several items, of which the path is one. */
  items?: number;
}

interface ContentEvent extends FileEvent {
  size: number;
  version: number;
  /** The source of content that was not uploaded: the path of another file, or the number of a version. */
  copiedFrom: string | null;
  restoredFrom: number | null;
}

/** For a move to another home: the source home, and the user names of both owners, if they exist. */
interface AcrossOwners {
  fromHomeId: string;
  fromOwner: string | null;
  toOwner: string | null;
}

interface ItemEvent extends FileEvent {
  isFolder: boolean;
}

export interface Events {
  emit<Name extends keyof LarderEvents>(name: Name, payload: LarderEvents[Name]): void;
  /** Returns the function that unsubscribes. */
  on<Name extends keyof LarderEvents>(name: Name, listener: (payload: LarderEvents[Name]) => void): () => void;
}

export function createEvents(onListenerError: (error: unknown, name: string) => void): Events {
  const emitter = new EventEmitter();
  emitter.setMaxListeners(100);
  return {
    emit(name, payload) {
      for (const listener of emitter.listeners(name)) {
        try {
          listener(payload);
        } catch (error) {
          onListenerError(error, name);
        }
      }
    },
    on(name, listener) {
      emitter.on(name, listener);
      return () => emitter.off(name, listener);
    },
  };
}
