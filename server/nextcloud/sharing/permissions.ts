import type { ItemTarget } from '../../access/access.ts';
import type { AccountCaller } from '../../access/caller.ts';
import { accountRights, type FileAction, isPermitted } from '../../access/rights.ts';
import { invalidParameter } from '../../http/errors.ts';
import { t } from '../../messages/messages.ts';
import type { ShareFlags } from '../../shares/share-record.ts';
import { givesDownloads, type LinkRules, takesUploads } from '../../weblinks/link-record.ts';

/** The bits of a share's permissions (developer manual, OCS Share API, "Create a new Share"). */
const READ = 1;
const UPDATE = 2;
const CREATE = 4;
const DELETE = 8;
const SHARE = 16;
export const ALL_BITS = READ | UPDATE | CREATE | DELETE | SHARE;
/** What a share grants that does not say. */
export const BITS_BY_DEFAULT = READ;

/** The rights of a share that have a bit. Comments have none. */
type BitRights = Pick<ShareFlags, 'upload' | 'download' | 'alter' | 'share'>;

const NEEDED = {
  upload: 'files/upload',
  download: 'files/download',
  alter: 'files/rename',
  share: 'files/share',
} as const satisfies Record<keyof BitRights, FileAction>;

/**
 * The rights for some bits, never more than they say. In a folder, `alter` changes and deletes: it takes both bits. A file is
 * replaced with `upload` and `alter`, and its recipients cannot delete it.
 * @param mayDownload false where the app refuses downloads beside the bits: recipients then see names only
 * @throws ApiError `invalid_parameter` for bits that do not allow reading
 */
export function rightsOfBits(bits: number, isDir: boolean, mayDownload: boolean): BitRights {
  const has = (bit: number) => (bits & bit) !== 0;
  if (!has(READ)) throw invalidParameter('permissions', t('api.nextcloud.shares.reads'));
  return {
    download: mayDownload,
    upload: has(isDir ? CREATE : UPDATE),
    alter: has(UPDATE) && (!isDir || has(DELETE)),
    share: has(SHARE),
  };
}

/** The same for what a share grants. Whether recipients may download is said beside the bits. */
export function bitsOfRights({ upload, alter, share }: Omit<BitRights, 'download'>, isDir: boolean): number {
  const changes = isDir ? (upload ? CREATE : 0) | (alter ? UPDATE | DELETE : 0) : upload && alter ? UPDATE : 0;
  return READ | changes | (share ? SHARE : 0);
}

/**
 * The rights without those that the account does not have itself: they hold on each use, but a share is not to grow when the
 * account gets more.
 * @param share through which the account has the item; null in its own home
 */
export function withinOwn(
  rights: BitRights,
  { account }: Pick<AccountCaller, 'account'>,
  share: ItemTarget['share'],
  isDir: boolean,
): BitRights {
  const has = (flag: keyof BitRights) => rights[flag] && isPermitted(accountRights(account), share, NEEDED[flag]);
  const within = { download: has('download'), upload: has('upload'), alter: has('alter'), share: has('share') };
  const replaces = within.upload && within.alter;
  return isDir ? within : { ...within, upload: replaces, alter: replaces };
}

/**
 * The options of a link; a file has none. Visitors read, and add to folders: what else the bits say, they cannot do.
 * @throws ApiError `invalid_parameter` for bits that a link cannot have
 */
export function linkOptionsOf(
  bits: number,
  isDir: boolean,
): { readonly allow_uploads?: boolean; readonly allow_downloads?: boolean } {
  const [reads, creates] = [(bits & READ) !== 0, (bits & CREATE) !== 0 && isDir];
  if (!reads && !creates) throw invalidParameter('permissions', t('api.nextcloud.shares.linkBits'));
  if (!reads && (bits & (UPDATE | DELETE)) !== 0) {
    throw invalidParameter('permissions', t('api.nextcloud.shares.linkReads'));
  }
  return isDir ? { allow_uploads: creates, allow_downloads: creates && reads } : {};
}

export function bitsOfLink(rules: LinkRules): number {
  return (givesDownloads(rules) ? READ : 0) | (takesUploads(rules) ? CREATE : 0);
}

/** Of an older way to say it. */
export function bitsOfPublicUpload(isOn: boolean): number {
  return isOn ? READ | CREATE : READ;
}
