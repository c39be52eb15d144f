import { EventEmitter } from 'node:events';

/** By what way somebody comes in: `link` is a public web link, `larder` what the server does on its own. */
export type Door = 'app' | 'page' | 'link' | 'control' | 'larder';

/** By which way, through which app and from which address. */
export interface Origin {
  readonly door: Door;
  readonly client: { readonly clientId: string; readonly name: string } | null;
  /** Null where there is none: the control side is on this machine. */
  readonly address: string | null;
}

/** Who did something. The names are those of the time: what is told outlives accounts and clients. */
export interface Actor extends Origin {
  readonly account: { readonly id: number; readonly username: string } | null;
}

/** The server itself. */
export const LARDER: Actor = { door: 'larder', account: null, client: null, address: null };

/** The owner's side: the panel and the command line. */
export const CONTROL: Origin = { door: 'control', client: null, address: null };

/** Of an account only what listeners may know: there is more in it than that. */
export function actorOf({ door, client, address }: Origin, account: Actor['account']): Actor {
  return { account: account && { id: account.id, username: account.username }, client, address, door };
}

/** What lower floors tell higher ones. A listener's failure never reaches the teller. */
export interface LarderEvents {
  'installation.set-up': { actor: Actor };
  /** `values` has the new values of `keys`, but those of secret settings. */
  'settings.changed': { actor: Actor; keys: readonly string[]; values: Readonly<Record<string, unknown>> };
  'account.created': { actor: Actor; accountId: number; username: string };
  'account.deactivated': { actor: Actor; accountId: number; username: string; reason: string };
  'account.activated': { actor: Actor; accountId: number; username: string };
  /** By somebody above the account. */
  'account.deleted': { actor: Actor; accountId: number; username: string };
  'account.changed': { actor: Actor; accountId: number; username: string; fields: readonly string[] };
  'group.created': { actor: Actor; groupId: number; name: string };
  /** `from` is the name it had, where that is what changed. */
  'group.changed': { actor: Actor; groupId: number; name: string; fields: readonly string[]; from: string | null };
  'group.removed': { actor: Actor; groupId: number; name: string };
  'role.created': { actor: Actor; roleId: number; name: string };
  'role.changed': { actor: Actor; roleId: number; name: string; fields: readonly string[] };
  /** `accounts` is how many had it. */
  /** What the owner defined about metadata. `values`: what files had there, and have no more. */
  'metadata.defined': {
    actor: Actor;
    what: 'type' | 'set' | 'field';
    change: 'added' | 'changed' | 'removed';
    name: string;
    fields?: number;
    values?: number;
  };
  'role.removed': { actor: Actor; roleId: number; name: string; accounts: number };
  /** `path` is the real one, `username` whose home it was. */
  'home.released': HomeEvent & { path: string; username: string };
  'home.trashed': HomeEvent & { path: string; username: string };
  'home.restored': HomeEvent & { path: string; username: string };
  /** For good, with everything in it. */
  'home.removed': HomeEvent & { path: string; username: string };
  'password.changed': { actor: Actor; username: string };
  'two-step.changed': { actor: Actor; enabled: boolean };
  'recovery-codes.renewed': { actor: Actor };
  /** `to` is who it is for: the name of a group, or of a person. Paths are as the actor has them. */
  'share.created': ShareEvent;
  'share.changed': ShareEvent;
  'share.removed': ShareEvent;
  /** `rules` are the options that were set. Passwords are told as being there, and nothing of the address is. */
  'weblink.created': WeblinkEvent & { kind: 'standing' | 'single' | 'temporary' };
  'weblink.changed': WeblinkEvent;
  /** How many ended at once. */
  'weblink.removed': FileEvent & { links: number };
  /** A private link was made for a guest, and the one before it ended. */
  'guest-link.made': { actor: Actor; accountId: number; username: string; name: string };
  'picture.changed': { actor: Actor };
  'profile.changed': { actor: Actor; fields: readonly string[] };
  'session.ended': { actor: Actor; sessions: 'this' | 'one' | 'others' };
  'login.succeeded': { actor: Actor };
  /** Without an account for a name that nobody has, and without that name: people type their password there. */
  'login.failed': { actor: Actor; reason: string };
  'client.added': { actor: Actor; clientId: string; name: string };
  'client.changed': { actor: Actor; clientId: string; name: string; fields: readonly string[] };
  'client.removed': { actor: Actor; clientId: string; name: string };
  'authorization.granted': { actor: Actor; authorizationId: number; scopes: readonly string[] };
  /** The actor has the account that gave it and the client that had it, whoever takes it back. */
  'authorization.revoked': { actor: Actor; authorizationId: number; reason: string };
  /** The owner had an operation carried out as somebody, from the panel. `status` is null when no answer came of it. */
  'api.tried': { actor: Actor; method: string; operation: string; username: string; status: number | null };
  'doctor.repaired': { actor: Actor; repaired: number; problems: number };
  'backup.made': { actor: Actor; name: string; files: boolean };
  'backup.failed': { actor: Actor; reason: string };
  'backup.removed': { actor: Actor; name: string };
  /** Into a folder of its own. */
  'backup.restored': { actor: Actor; name: string; folder: string };
  'folder.created': FileEvent & { copiedFrom: string | null };
  'file.created': ContentEvent;
  'file.overwritten': ContentEvent;
  /** `path` is what appeared, `from` the archive it came out of, `items` the files and folders that were in that. */
  'archive.extracted': ItemEvent & { from: string; items: number };
  /** `homeId` is where it is now. */
  'item.moved': ItemEvent & { from: string; hasReplaced: boolean; between: AcrossOwners | null };
  'item.trashed': ItemEvent & { trashId: string };
  'item.removed': ItemEvent & { wasInTrash: boolean };
  'item.restored': ItemEvent & { from: string };
  /** `username` is whose trash it is, where it is somebody's. */
  'trash.emptied': HomeEvent & { items: number; username: string | null };
  'file.locked': FileEvent;
  /** `of` is whose lock it was, where it was somebody else's. */
  'file.unlocked': FileEvent & { of: string | null };
  'comment.added': FileEvent & { commentId: number };
  /** `author` is the user name of whoever wrote it, where that is somebody else with an account. */
  'comment.removed': FileEvent & { commentId: number; author: string | null };
  /** `names` are those of the fields. */
  'metadata.changed': FileEvent & { what: 'label' | 'rating' | 'tags' | 'fields'; names: readonly string[] };
  'version.removed': FileEvent & { version: number };
  /** Contents over the limits by number or age. */
  'versions.expired': HomeEvent & { versions: number; username: string | null };
  /** Content goes out from its first byte. `version` is the number of an old content that was asked for. */
  'item.downloaded': HomeEvent & { path: string; isFolder: boolean; version: number | null };
}

export interface HomeEvent {
  actor: Actor;
  homeId: string;
  /** The user name of the one whose home it is, where it is shared with the actor. */
  owner?: string;
  /** The web link that somebody came by: paths are those of the one whose home it is then. */
  link?: LinkVisit;
}

/** Of a web link its number; its address opens it, and is for nobody to read. */
export interface LinkVisit {
  readonly number: number;
  /** What the one who came is called, as they say; empty when they did not. */
  readonly visitor: string;
}

/** Paths are virtual, as the actor has them. */
interface FileEvent extends HomeEvent {
  itemId: number;
  path: string;
}

interface ShareEvent extends FileEvent {
  shareId: number;
  /** Whom it is for, and what kind of recipient that is. */
  to: string;
  kind: 'user' | 'group' | 'guest';
  rights: readonly string[];
}

interface WeblinkEvent extends FileEvent {
  number: number;
  rules: readonly string[];
}

interface ContentEvent extends FileEvent {
  size: number;
  version: number;
  /** Where the content comes from when nobody sent it: the path of another file, or the number of an old content. */
  copiedFrom: string | null;
  restoredFrom: number | null;
}

/** Of a move into another home: the one that it left, and the user names of those whose homes they are, where they are somebody's. */
export interface AcrossOwners {
  fromHomeId: string;
  fromOwner: string | null;
  toOwner: string | null;
}

interface ItemEvent extends FileEvent {
  isFolder: boolean;
}

export interface Events {
  emit<Name extends keyof LarderEvents>(name: Name, payload: LarderEvents[Name]): void;
  /** Returns the function that ends the subscription. */
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
