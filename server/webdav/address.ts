import type { IncomingMessage } from 'node:http';
import { notFound } from '../access/access.ts';
import type { AccountCaller } from '../access/caller.ts';
import { foldUsername } from '../accounts/usernames.ts';
import { hostOf } from '../http/connection/hosts.ts';
import { ApiError } from '../http/errors.ts';
import { t } from '../messages/messages.ts';

/** Where this server is. */
export interface DavHost {
  /** The prefix of the installation. */
  readonly basePath: string;
  /** Whether a host name, without port and in lower case, is one of this server. @param target of the request */
  readonly isOwnHost: (host: string, target: string) => boolean;
}

/** Where in WebDAV a request goes. */
export interface DavAddress {
  /** What is before the names, as the client wrote it, with the prefix of the installation and without a slash at its end. */
  readonly prefix: string;
  /** The decoded names below it. */
  readonly segments: readonly string[];
}

/** The addresses of WebDAV, the longer ones first. `*` is the caller's user name. */
const ROOTS: readonly (readonly string[])[] = [
  ['remote.php', 'dav', 'files', '*'],
  ['remote.php', 'webdav'],
  ['remote.php', 'dav'],
  ['dav', 'files', '*'],
  ['dav'],
];

/**
 * The same for a credential that is limited to a folder, which is its top level and may have any names in it: only the addresses
 * that no name can be taken for. A folder `files` of the top level is at `/dav/files/`.
 */
const LIMITED_ROOTS: typeof ROOTS = [['remote.php', 'dav', 'files', '*'], ['remote.php', 'webdav'], ['dav']];

/** What apps for Nextcloud find beside the files (`nextcloud/`), each below `/remote.php/dav`. Nothing in it is a file of WebDAV. */
const TREES = ['uploads', 'trashbin', 'versions'] as const;

export type NextcloudTree = (typeof TREES)[number];

/** The tree that a path is in; undefined for every other one. @param path below the prefix of the installation */
export function treeAt(path: string): NextcloudTree | undefined {
  const name = /^\/remote\.php\/dav\/([^/]+)/.exec(path)?.[1];
  return TREES.find((one) => one === name);
}

/**
 * An address in one of the trees, as `<tree>/<user>/…`.
 * @param path below the prefix of the installation, percent-encoded, without a query
 * @returns the decoded names below the user, and what is before them
 * @throws ApiError `invalid_path` for a path that cannot be decoded, `not_found` for the address of another account
 */
export function parseTreePath(path: string, basePath: string, { account }: Pick<AccountCaller, 'account'>): DavAddress {
  const parts = path.split('/').filter((part) => part !== '');
  const [user, ...segments] = parts.slice(TREE_DEPTH).map(decoded);
  if (user === undefined || foldUsername(user) !== foldUsername(account.username)) throw notFound();
  return { prefix: `${basePath}/${parts.slice(0, TREE_DEPTH + 1).join('/')}`, segments };
}

/** Names before the user: `remote.php`, `dav` and the tree. */
const TREE_DEPTH = 3;

/** Whether a path is one of WebDAV. @param path below the prefix of the installation */
export function isDavPath(path: string): boolean {
  return /^\/(?:dav|remote\.php\/(?:dav|webdav))(?:\/|$)/.test(path);
}

/**
 * @param path below the prefix of the installation, percent-encoded, without a query
 * @throws ApiError `invalid_path` for a path that cannot be decoded, `not_found` for the address of another account
 */
export function parseDavPath(path: string, basePath: string, { account, credential }: AccountCaller): DavAddress {
  const parts = path.split('/').filter((part) => part !== '');
  const names = parts.map(decoded);
  const roots = (credential?.rootUuid ?? null) === null ? ROOTS : LIMITED_ROOTS;
  const root = roots.find((one) =>
    one.every((part, index) => (part === '*' ? index < names.length : part === names[index])),
  );
  if (root === undefined) throw notFound();
  const user = root.indexOf('*');
  if (user >= 0 && foldUsername(names[user] ?? '') !== foldUsername(account.username)) throw notFound();
  return { prefix: `${basePath}/${parts.slice(0, root.length).join('/')}`, segments: names.slice(root.length) };
}

/**
 * Whether an address is one of apps for Nextcloud. They synchronize what systems take for different files, so that another Unicode
 * form of a name is another name for them. Other programs write a name in the form of their system, whatever form it has here.
 */
export function distinguishesForms({ prefix }: DavAddress): boolean {
  return /\/remote\.php\/(?:web)?dav(?:\/|$)/.test(prefix);
}

/** A name that means another place could lead out of a home, so that it is refused before it is looked up. */
function decoded(part: string): string {
  try {
    const name = decodeURIComponent(part);
    if (name !== '.' && name !== '..' && !/[/\0]/.test(name)) return name;
  } catch {
    // Not percent-encoded UTF-8.
  }
  throw new ApiError('invalid_path', t('api.webdav.address'));
}

/** The path of an item, for `href` elements (RFC 4918 §8.3). Folders end with a slash. */
export function hrefOf(prefix: string, segments: readonly string[], isFolder: boolean): string {
  const path = segments.map((name) => encodeURIComponent(name.toWellFormed())).join('/');
  return `${prefix}/${path}${isFolder && path !== '' ? '/' : ''}`;
}

/**
 * The `Destination` header of COPY and MOVE: a whole address on the host of the request, or a path (RFC 4918 §10.3).
 * @throws ApiError `invalid_parameter`; `bad_gateway` for another server; `not_found` where no file can be, and for another account
 */
export function destinationOf(request: IncomingMessage, at: DavHost, caller: AccountCaller): DavAddress {
  const path = destinationPathOf(request, at);
  if (!isDavPath(path)) throw new ApiError('bad_gateway', t('api.webdav.otherServer'));
  // What apps for Nextcloud find beside the files is no place for a file.
  if (treeAt(path) !== undefined) throw notFound();
  return parseDavPath(path, at.basePath, caller);
}

/** The same as a path below the prefix of the installation, wherever it is. @throws ApiError as `destinationOf` */
export function destinationPathOf(request: IncomingMessage, at: DavHost): string {
  const { basePath } = at;
  const header = request.headers.destination;
  if (typeof header !== 'string') {
    throw new ApiError('missing_parameter', t('api.webdav.destinationMissing'), {
      details: { parameter: 'Destination' },
    });
  }
  const path = pathOfReference(asUtf8(header), request, at);
  const below = path === null ? null : belowPrefix(path, basePath);
  if (below === null) throw new ApiError('bad_gateway', t('api.webdav.otherServer'));
  return below;
}

/**
 * A path below the prefix of the installation. Addresses of WebDAV are also at the root of the host, whatever address a request had.
 * @returns null for a path that is neither
 */
export function belowPrefix(path: string, basePath: string): string | null {
  if (path.startsWith(`${basePath}/`)) return path.slice(basePath.length);
  return isDavPath(path) ? path : null;
}

/** Some clients leave characters unencoded. Node.js reads headers byte by byte. @throws ApiError `invalid_path` */
function asUtf8(header: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(header, 'latin1'));
  } catch {
    throw new ApiError('invalid_path', t('api.webdav.address'));
  }
}

/**
 * The path of a reference: a whole address, or a path.
 * @returns null for an address on another server, or what is no address
 */
export function pathOfReference(
  reference: string,
  request: IncomingMessage,
  at: Pick<DavHost, 'isOwnHost'>,
): string | null {
  // Some clients leave the user name in, as they were given it.
  const [, authority, rest = ''] = /^https?:\/\/(?:[^/?#@]*@)?([^/?#]*)([^?#]*)/i.exec(reference) ?? [];
  if (authority !== undefined) return isOwn(authority, request, at) ? rest : null;
  return reference.startsWith('/') && !reference.startsWith('//') ? (reference.split(/[?#]/, 1)[0] ?? '') : null;
}

/**
 * Whether it is this server: under the name of the request, or another one that it has. A proxy may have changed that of the request,
 * and its port; the scheme does not matter.
 */
function isOwn(authority: string, request: IncomingMessage, { isOwnHost }: Pick<DavHost, 'isOwnHost'>): boolean {
  const own = request.headers.host?.toLowerCase() ?? '';
  if (authority.toLowerCase() === own) return true;
  const host = hostOf(authority);
  const port = portOf(authority);
  if (host === null || (port !== '' && port !== portOf(own))) return false;
  return host === hostOf(own) || isOwnHost(host, request.url ?? '');
}

/** Empty for the usual port. */
function portOf(authority: string): string {
  const port = /:(\d+)$/.exec(authority)?.[1] ?? '';
  return port === '443' ? '' : port;
}
