/** §2.7: what a share allows its recipients. */
export const SHARE_FLAGS = ['upload', 'download', 'comment', 'read_comments', 'alter', 'share'] as const;
export type ShareFlag = (typeof SHARE_FLAGS)[number];
export type ShareFlags = Readonly<Record<ShareFlag, boolean>>;

/** The recipient of a share. */
export type Recipient = { readonly uid: number; readonly gid: null } | { readonly uid: null; readonly gid: number };

/** A share: item, sharer and recipient. */
export interface ShareRecord {
  readonly id: number;
  readonly itemId: number;
  readonly sharerId: number;
  /** The share through which the sharer has the item; null for the sharer's own. */
  readonly viaId: number | null;
  readonly recipient: Recipient;
  /** Whether the sharer is hidden from the recipients. */
  readonly isAnonymous: boolean;
  readonly flags: ShareFlags;
  /** Another name of the folder for the recipients; empty without one. */
  readonly alias: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

export interface ShareRow {
  id: number;
  item_id: number;
  sharer_id: number;
  via_id: number | null;
  uid: number | null;
  gid: number | null;
  anonymous: number;
  upload: number;
  download: number;
  comment: number;
  read_comments: number;
  alter_items: number;
  share: number;
  alias: string;
  created_at: number;
}

export const SHARE_COLUMNS =
  'id, item_id, sharer_id, via_id, uid, gid, anonymous, upload, download, comment, read_comments, alter_items, share, alias, created_at';

export function shareOf(row: ShareRow): ShareRecord {
  return {
    id: row.id,
    itemId: row.item_id,
    sharerId: row.sharer_id,
    viaId: row.via_id,
    recipient: row.uid !== null ? { uid: row.uid, gid: null } : { uid: null, gid: row.gid ?? 0 },
    isAnonymous: row.anonymous === 1,
    flags: {
      upload: row.upload === 1,
      download: row.download === 1,
      comment: row.comment === 1,
      read_comments: row.read_comments === 1,
      alter: row.alter_items === 1,
      share: row.share === 1,
    },
    alias: row.alias,
    createdAt: row.created_at,
  };
}

/** The rights that any of them allows. */
export function joinFlags(all: readonly ShareFlags[]): ShareFlags {
  return flagsWhere((flag) => all.some((flags) => flags[flag]));
}

/** The rights that both allow. */
export function bothFlags(a: ShareFlags, b: ShareFlags): ShareFlags {
  return flagsWhere((flag) => a[flag] && b[flag]);
}

function flagsWhere(isSet: (flag: ShareFlag) => boolean): ShareFlags {
  return Object.fromEntries(SHARE_FLAGS.map((flag) => [flag, isSet(flag)])) as ShareFlags;
}
