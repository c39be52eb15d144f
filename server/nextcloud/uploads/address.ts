import type { IncomingMessage } from 'node:http';
import { notFound } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { foldUsername } from '../../accounts/usernames.ts';
import { type ApiError, invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';

const UPLOADS = '/remote.php/dav/uploads';

/** What an address stands for. */
export type UploadsKind = 'transfer' | 'part' | 'whole';

/** The address of a transfer, of one of its parts, or of the file that its parts become. */
export interface UploadsAddress {
  readonly kind: UploadsKind;
  /** What is before the id, as the client wrote it, with the prefix of the installation and without a slash at its end. */
  readonly prefix: string;
  /** Of the transfer, as the client chose it. */
  readonly id: string;
  /** Of the part. */
  readonly name: string;
}

/** What the parts become: the source of MOVE. */
const WHOLE = '.file';

/** What the methods of each kind of address are, beside `OPTIONS`. */
export const METHODS_OF = {
  transfer: ['MKCOL', 'PROPFIND', 'DELETE'],
  part: ['PUT', 'DELETE'],
  whole: ['MOVE'],
} as const;

const TRANSFER_ID = /^(?!\.{1,2}$)[A-Za-z0-9\-._~@+=,:]{1,255}$/;

/**
 * @param path below the prefix of the installation, percent-encoded, without a query
 * @throws ApiError `invalid_parameter` for what no transfer can be called, `not_found` for the address of another account
 */
export function parseUploadsPath(path: string, basePath: string, { account }: AccountCaller): UploadsAddress {
  const parts = path
    .slice(UPLOADS.length)
    .split('/')
    .filter((part) => part !== '');
  const [user, id, name, ...more] = parts.map(decoded);
  if (user === undefined || id === undefined || more.length > 0) throw notFound();
  if (foldUsername(user) !== foldUsername(account.username)) throw notFound();
  if (!TRANSFER_ID.test(id)) throw malformedId();
  const kind = name === undefined ? 'transfer' : name === WHOLE ? 'whole' : 'part';
  return { kind, prefix: `${basePath}${UPLOADS}/${parts[0]}`, id, name: name ?? '' };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw malformedId();
  }
}

function malformedId(): ApiError {
  return invalidParameter('transfer', t('api.nextcloud.transferId'));
}

/** The highest number of a part. The lowest is 1, or 0 in apps that count from there. */
const HIGHEST = 10_000;

/**
 * Where a part belongs, by its name: a number, or its first and last byte. Both may begin with zeros.
 * @throws ApiError `invalid_parameter`
 */
export function positionOf(name: string): number {
  const [, number, first, last] = /^(?:(\d{1,16})|(\d{1,20})-(\d{1,20}))$/.exec(name) ?? [];
  if (number !== undefined && Number(number) <= HIGHEST) return Number(number);
  const isRange = first !== undefined && Number(last) <= Number.MAX_SAFE_INTEGER && Number(first) <= Number(last);
  if (isRange) return Number(first);
  throw invalidParameter('part', t('api.nextcloud.partName', { most: HIGHEST }));
}

/** The header `OC-Total-Length`: bytes of the whole file; null without it. @throws ApiError `invalid_parameter` */
export function totalLengthIn({ headers }: IncomingMessage): number | null {
  const header = headers['oc-total-length'];
  if (header === undefined) return null;
  if (typeof header === 'string' && /^\d{1,15}$/.test(header)) return Number(header);
  throw invalidParameter('OC-Total-Length', t('api.nextcloud.totalLength'));
}
