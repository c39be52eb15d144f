import type { SqlValue } from '../database/database.ts';

/** §4.2: the options of a web link, except the password, which is stored as a hash. */
export interface LinkRules {
  /** Milliseconds since the epoch; null: it does not expire. */
  readonly expiresAt: number | null;
  /** 0: unlimited. */
  readonly downloadLimit: number;
  /** Folders only: a file request. */
  readonly allowUploads: boolean;
  /** Folders only: a file request whose existing files can be downloaded, too. */
  readonly allowDownloads: boolean;
  /** Browsers are told to save files they could display. */
  readonly forceSave: boolean;
  readonly showComments: boolean;
  readonly showCommentsNames: boolean;
  readonly showMetadata: boolean;
  readonly notify: boolean;
  /** The terms to accept first; empty for none. */
  readonly downloadTerms: string;
  readonly requireLogin: boolean;
}

/** A public address of a file or folder. */
export interface LinkRecord extends LinkRules {
  /** The internal number: it gives no access. */
  readonly number: number;
  /** The 32 letters and digits of its address. */
  readonly id: string;
  /** Of a link to several items: one of them. */
  readonly itemId: number;
  /** Whether it opens several items, which `Links.itemsOf` returns. */
  readonly isOfSeveral: boolean;
  /** The album that it follows: then it opens several, what its maker has added to the album. Null for any other link. */
  readonly albumId: number | null;
  readonly creatorId: number;
  /** The permanent link of the item, or one of any number of temporary and single-download links. */
  readonly isPermanent: boolean;
  readonly passwordHash: string | null;
  /** Those in progress included. */
  readonly downloads: number;
  readonly createdAt: number;
}

export interface LinkRow extends Record<string, SqlValue> {
  number: number;
  id: string;
  item_id: number;
  creator_id: number;
  standing: number;
  several: number;
  album_id: number | null;
  password_hash: string | null;
  expires_at: number | null;
  download_limit: number;
  downloads: number;
  allow_uploads: number;
  allow_downloads: number;
  force_save: number;
  show_comments: number;
  show_comments_names: number;
  show_metadata: number;
  notify: number;
  download_terms: string;
  require_login: number;
  created_at: number;
}

export function linkOf(row: LinkRow): LinkRecord {
  return {
    number: row.number,
    id: row.id,
    itemId: row.item_id,
    creatorId: row.creator_id,
    isOfSeveral: row.several === 1,
    albumId: row.album_id,
    isPermanent: row.standing === 1,
    passwordHash: row.password_hash,
    expiresAt: row.expires_at,
    downloadLimit: row.download_limit,
    downloads: row.downloads,
    allowUploads: row.allow_uploads === 1,
    allowDownloads: row.allow_downloads === 1,
    forceSave: row.force_save === 1,
    showComments: row.show_comments === 1,
    showCommentsNames: row.show_comments_names === 1,
    showMetadata: row.show_metadata === 1,
    notify: row.notify === 1,
    downloadTerms: row.download_terms,
    requireLogin: row.require_login === 1,
    createdAt: row.created_at,
  };
}

/** Whether it accepts uploads: a link for both uploads and downloads is a file request, too. */
export function takesUploads({ allowUploads, allowDownloads }: LinkRules): boolean {
  return allowUploads || allowDownloads;
}

/** Whether visitors can see and download what is there: not with a plain file request. */
export function givesDownloads({ allowUploads, allowDownloads }: LinkRules): boolean {
  return allowDownloads || !allowUploads;
}
